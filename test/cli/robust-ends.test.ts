import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bubblewrapPath } from '../../src/base/sandbox/bubblewrap.ts'
import { createRepo, type TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { drawn } from '../helpers/matrix.ts'
import { needs } from '../helpers/needs/needs.ts'
import { entry, ownFolders, run, sightline, sightlineProcess } from '../helpers/sightline.ts'

const review = ['review', '--no-cache', '--no-record', '--depth', 'offline', '--quiet']

function repository(): TestRepo {
  const repo = createRepo()
  repo.commit({ 'src/a.ts': 'export const a = 1\n' })
  repo.commit({ 'src/a.ts': 'export const a = 2\n' })
  return repo
}

/** Nothing to parse, so that a process has none to start for it. */
function plainRepository(): TestRepo {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'one\n' })
  repo.commit({ 'a.txt': `token = ghp${'_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}\n` })
  return repo
}

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ')

test('standard output on a full disk', needs('Linux'), async () => {
  const command = quoted([process.execPath, entry, 'version'])
  const { code, stderr } = await run('sh', ['-c', `${command} > /dev/full`])
  expect(code).toBe(3)
  expect(stderr).toMatch(/^sightline: The result could not be written: standard output: ENOSPC/)
  expect(stderr.trimEnd().split('\n')).toHaveLength(2)
  const both = await run('sh', ['-c', `${command} > /dev/full 2>&1`])
  expect(both).toEqual({ code: 3, stdout: '', stderr: '' })
})

test('a reader that left: the code of the review, and no complaint', async () => {
  const command = quoted([process.execPath, entry, ...review, '--json', 'HEAD'])
  const { stdout, stderr } = await run('sh', ['-c', `{ ${command}; echo "code $?" >&2; } | true`], {
    cwd: plainRepository().path,
  })
  expect([stdout, stderr]).toEqual(['', 'code 1\n'])
})

test('a result file on a full disk', needs('Linux'), async () => {
  const { code, stdout, stderr } = await sightline([...review, '--output', '/dev/full', 'HEAD'], {
    cwd: repository().path,
  })
  expect([code, stdout]).toEqual([3, ''])
  expect(stderr).toContain('The result could not be written: /dev/full: ENOSPC')
})

test.each([
  ['x.pdf', 'no format has the extension `.pdf`; select one with --format, or use one of .txt, .md, '],
  ['no/such/folder/x.json', '--output: no/such/folder/x.json cannot be written: ENOENT'],
  ['src', '--output: src cannot be written: it is a folder'],
])('--output %s is refused before any work', async (output, words) => {
  const { code, stderr } = await sightline([...review, '--output', output, 'nosuchref'], {
    cwd: repository().path,
  })
  expect(code).toBe(2)
  expect(stderr).toContain(words)
})

test('any ending will do with a format', async () => {
  const { path } = repository()
  const { code } = await sightline([...review, '--output', 'x.pdf', '--format', 'markdown', 'HEAD'], {
    cwd: path,
  })
  expect(code).toBe(0)
  expect(readFileSync(join(path, 'x.pdf'), 'utf8')).toContain('**Coverage:**')
})

/** One of them, drawn by a seed; `npm run test:matrices` plays all. */
const disks = ['full', 'closed'] as const
const temporaryFolders = [
  ['full', /disk is full or read-only: .*\nFree some disk space, or set TMPDIR/],
  ['closed', /temporary files cannot be used: .*EROFS.*\nSet TMPDIR to a writable folder/],
  ['absent', /The folder for temporary files cannot be used: .*absent: ENOENT/],
] as const

/** Folders on a small disk of their own, or on one that cannot be written, where the system lets us have one. */
function boxed(kind: 'full' | 'closed', folders: Record<string, string>): string[] {
  const mounts = Object.entries(folders).flatMap(([variable, folder]) => [
    ...(kind === 'full' ? ['--size', '4096', '--tmpfs', folder] : ['--ro-bind', folder, folder]),
    ...['--setenv', variable, folder],
  ])
  return ['--dev-bind', '/', '/', ...mounts, '--', process.execPath, entry]
}

test.each(drawn(temporaryFolders))('a TMPDIR that is %s', needs('bubblewrap'), async (kind, words) => {
  const TMPDIR = temporaryFolder()
  const cwd = plainRepository().path
  const args = [...review, 'HEAD']
  const { code, stdout, stderr } =
    kind === 'absent'
      ? await sightlineProcess(args, { cwd, env: { TMPDIR: join(TMPDIR, kind) } })
      : await run(bubblewrapPath(), [...boxed(kind, { TMPDIR }), ...args], { cwd })
  expect([code, stdout]).toEqual([3, ''])
  expect(stderr).toMatch(words)
})

test.each(drawn(disks, 1))('cache and record on a disk that is %s', needs('bubblewrap'), async (kind) => {
  const folders = ownFolders()
  const command = [...boxed(kind, folders), 'review', '--depth', 'offline', 'HEAD']
  const { code, stdout, stderr } = await run(bubblewrapPath(), command, { cwd: plainRepository().path })
  expect(code).toBe(1)
  expect(stdout).toContain('reviewed 1 of 1 changed file')
  expect(stderr).toContain('the run was not recorded completely')
})

test('a commit of more than 1 MB is not taken for one that does not exist', async () => {
  const repo = repository()
  writeFileSync(join(repo.path, 'words'), 'x'.repeat(1_100_000))
  repo.git('commit', '--quiet', '--allow-empty', '-F', 'words')
  const { code, stderr } = await sightline([...review, '--commit', 'HEAD'], { cwd: repo.path })
  expect(code).toBe(3)
  expect(stderr).toMatch(/^sightline: The commit is too large to be read: [0-9a-f]{7} has 1100\d{3} bytes\n/)
})

test('an empty pipe is not taken for a change without findings', async () => {
  const { code, stdout, stderr } = await sightline([...review, '-'], { cwd: repository().path, input: '' })
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('The patch is empty: standard input was empty\n`git diff` prints nothing')
})

test('a patch that is applied already says so, and its base reviews it', async () => {
  const repo = repository()
  const input = `${repo.git('show', 'HEAD')}\n`
  const applied = await sightline([...review, '-'], { cwd: repo.path, input })
  expect([applied.code, applied.stdout]).toEqual([2, ''])
  expect(applied.stderr).toContain(
    'The patch is already applied here: `HEAD` already contains all of its changes',
  )
  expect(applied.stderr).toContain('--base REF')
  const based = await sightline([...review, '--json', '--base', 'HEAD~1', '-'], { cwd: repo.path, input })
  expect(based.code).toBe(0)
  expect(JSON.parse(based.stdout)).toMatchObject({
    findings: [],
    coverage: { complete: true, files: [{ path: 'src/a.ts', state: 'reviewed' }] },
  })
})

test.each([[[]], [['--json']]])(
  'a name without a definition: exit code 2, with the answer, %j',
  async (more) => {
    const { path } = repository()
    const { code, stdout } = await sightline(['def', 'nosuchname', ...more], { cwd: path })
    expect(code).toBe(2)
    expect(stdout).toContain('nosuchname')
    expect((await sightline(['def', 'a', ...more], { cwd: path })).code).toBe(0)
  },
)

test('runs --remove-all asks, and where no one can answer it needs --yes', async () => {
  const XDG_STATE_HOME = temporaryFolder()
  const { path } = repository()
  await sightline(['review', '--depth', 'offline', 'HEAD'], { cwd: path, env: { XDG_STATE_HOME } })
  const listed = async () =>
    JSON.parse((await sightline(['runs', '--json'], { env: { XDG_STATE_HOME } })).stdout).length
  const refused = await sightline(['runs', '--remove-all'], { env: { XDG_STATE_HOME } })
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('add --yes')
  expect(await listed()).toBe(1)
  const removed = await sightline(['runs', '--remove-all', '--yes'], { env: { XDG_STATE_HOME } })
  expect(removed.code).toBe(0)
  expect(removed.stdout).toMatch(/^Removed 1 run and \d+ objects\n$/)
  expect(await listed()).toBe(0)
})

test('a run cannot be exported to a folder that is not there', async () => {
  const XDG_STATE_HOME = temporaryFolder()
  const { path } = repository()
  await sightline(['review', '--depth', 'offline', 'HEAD'], { cwd: path, env: { XDG_STATE_HOME } })
  mkdirSync(join(path, 'folder'))
  for (const file of ['no/such/run.zst', 'folder']) {
    const { code, stderr } = await sightline(['runs', '--export', file], {
      cwd: path,
      env: { XDG_STATE_HOME },
    })
    expect(code).toBe(3)
    expect(stderr).toContain(`The result could not be written: ${file}: E`)
  }
})
