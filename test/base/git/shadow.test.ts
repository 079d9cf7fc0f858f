/** The shadow itself: what it holds, what it copies, and what it leaves behind. */

import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readHooksPath } from '../../../src/base/git/config-data.ts'
import { watchMemory } from '../../../src/base/git/run.ts'
import { openPack, openShadow, quotePath, type Shadow } from '../../../src/base/git/shadow.ts'
import { createRepo, type TestRepo, temporaryFolder } from '../../helpers/git-repo.ts'
import { needs } from '../../helpers/needs/needs.ts'

async function shadowOf(repo: TestRepo, signal?: AbortSignal): Promise<Shadow> {
  const shadow = await openShadow(repo.path, signal)
  onTestFinished(() => shadow.close())
  return shadow
}

const text = (bytes: Buffer) => bytes.toString('utf8').trim()

/** Without that of whoever runs the tests. */
async function configOf(repo: TestRepo): Promise<string[]> {
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(repo.path, 'none'))
  onTestFinished(() => void vi.unstubAllEnvs())
  return text(await (await shadowOf(repo)).run(['config', '--list'])).split('\n')
}

/** All that git sees where the repository and the user say nothing that counts. */
const ownConfig = [
  ...['core.repositoryformatversion=0', 'core.bare=true', 'core.fsmonitor=false', 'core.hookspath=/dev/null'],
  ...['core.untrackedcache=false', 'core.splitindex=false', 'core.commitgraph=false', 'core.quotepath=false'],
  ...[
    'core.safecrlf=false',
    'core.protecthfs=false',
    'core.protectntfs=false',
    'core.logallrefupdates=false',
  ],
  ...['core.warnambiguousrefs=false', 'core.bigfilethreshold=20000000'],
  ...['gc.auto=0', 'maintenance.auto=false'],
]

test('it is private, has its own configuration, and is gone when closed', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n' })
  writeFileSync(join(repo.path, '.git/config'), '[core]\n pager = evil\n hooksPath = evil\n[gc]\n auto = 1\n')
  const shadow = await shadowOf(repo)
  expect(statSync(shadow.root).mode & 0o777).toBe(0o700)
  expect(await configOf(repo)).toEqual(ownConfig)
  const large = createRepo('--object-format=sha256')
  expect((await configOf(large)).filter((line) => /format/.test(line))).toEqual([
    'core.repositoryformatversion=1',
    'extensions.objectformat=sha256',
  ])
  expect(text(await shadow.run(['rev-parse', '--git-dir']))).toBe(shadow.place.gitDir)
  await shadow.close()
  expect(existsSync(shadow.root)).toBe(false)
  await expect(shadow.objects.info('HEAD')).rejects.toThrow('closed')
})

test.each([
  ['filemode', 'FALSE'],
  ['autocrlf', 'Input'],
  ['eol', 'CRLF'],
  ['ignorecase', 'Yes'],
  ['precomposeunicode', 'oN'],
  ['symlinks', '0'],
])('core.%s is taken over as %s, and as nothing that only contains it', async (key, value) => {
  const repo = createRepo()
  const taken = async (written: string) => {
    writeFileSync(join(repo.path, '.git/config'), `[core]\n ${key} = ${written}\n`)
    return (await configOf(repo)).filter((line) => !ownConfig.includes(line))
  }
  expect(await taken(value)).toEqual([`core.${key}=${value}`])
  expect(await taken(`x${value}`)).toEqual([])
  expect(await taken(`${value}x`)).toEqual([])
})

test('of the user’s and the repository’s configuration the few harmless keys are taken over', async () => {
  const repo = createRepo()
  const listed = async () => {
    const shadow = await shadowOf(repo)
    const lines = text(await shadow.run(['config', '--list'])).split('\n')
    return { ...shadow.config, taken: lines.filter((line) => /core\.(eol|autocrlf|symlinks)=/.test(line)) }
  }
  const home = temporaryFolder()
  mkdirSync(join(home, 'git'))
  writeFileSync(join(home, 'git/config'), '[core]\n excludesFile = /mine\n eol = lf\n symlinks\n')
  const before = process.env.XDG_CONFIG_HOME
  process.env.XDG_CONFIG_HOME = home
  try {
    expect(await listed()).toMatchObject({
      excludesFile: '/mine',
      originUrl: null,
      taken: ['core.eol=lf', 'core.symlinks=true'],
    })
    repo.git('remote', 'add', 'origin', 'https://host.example/o/n')
    repo.git('config', 'core.excludesFile', '/theirs')
    repo.git('config', 'core.eol', 'crlf')
    expect(await listed()).toMatchObject({
      excludesFile: '/mine',
      originUrl: 'https://host.example/o/n',
      taken: ['core.eol=crlf', 'core.symlinks=true'],
    })
  } finally {
    if (before === undefined) delete process.env.XDG_CONFIG_HOME
    else process.env.XDG_CONFIG_HOME = before
  }
  const ofWorkTree = join(repo.path, '.git/config.worktree')
  writeFileSync(ofWorkTree, '[core]\n autocrlf = input\n')
  expect((await listed()).taken).toEqual(['core.eol=crlf'])
  repo.git('config', 'extensions.worktreeConfig', 'true')
  expect((await listed()).taken).toEqual(['core.eol=crlf', 'core.autocrlf=input'].sort())
  // One that is long is read, one of more than 4 MiB is not.
  writeFileSync(ofWorkTree, `#${'x'.repeat(100_000)}\n[core]\n autocrlf = true\n`)
  expect((await listed()).taken).toContain('core.autocrlf=true')
  writeFileSync(ofWorkTree, `#${'x'.repeat(4 * 1024 * 1024)}\n[core]\n autocrlf = true\n`)
  expect((await listed()).taken).toEqual(['core.eol=crlf'])
  writeFileSync(join(repo.path, '.git/config'), '[core]\n eol = lf\n[core\n')
  expect((await listed()).taken).toEqual([])
})

test.each([
  ['', null],
  ['hooksPath =', null],
  ['hooksPath = own/hooks', '$TREE/own/hooks'],
  ['hooksPath = /a/b', '/a/b'],
  ['hooksPath = ~/hooks', join(homedir(), 'hooks')],
])('hooks of a repository with `%s` are in %s', async (line, folder) => {
  const repo = createRepo()
  writeFileSync(join(repo.path, '.git/config'), `[core]\n${line}\n`)
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(repo.path, 'none'))
  onTestFinished(() => void vi.unstubAllEnvs())
  const { place, repository } = await shadowOf(repo)
  expect(await readHooksPath(place, repository)).toBe(
    folder?.replace('$TREE', realpathSync(repo.path)) ?? null,
  )
})

test('a list of where a shallow clone ends is taken over as far as it makes sense', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': '1\n' })
  const head = repo.commit({ 'a.txt': '2\n' })
  const list = join(repo.path, '.git/shallow')
  writeFileSync(list, 'nonsense\n')
  expect(text(await (await shadowOf(repo)).run(['rev-list', '--count', 'HEAD']))).toBe('2')
  writeFileSync(list, `${head}\nnonsense\n${head}0\n0${head}\n`)
  const shadow = await shadowOf(repo)
  expect(shadow.shallow).toEqual(new Set([head]))
  expect(text(await shadow.run(['rev-list', '--count', 'HEAD']))).toBe('1')
})

test.each(['sha1', 'sha256'] as const)(
  'a pack of %s is a place of its own, and what is none is refused',
  async (format) => {
    const repo = createRepo(`--object-format=${format}`)
    repo.commit({ 'a.txt': 'a\n' })
    const id = repo.git('rev-parse', 'HEAD:a.txt')
    const pack = join(temporaryFolder(), 'one.pack')
    writeFileSync(
      pack,
      execFileSync('git', ['pack-objects', '-q', '--stdout'], { cwd: repo.path, input: `${id}\n` }),
    )
    const shadow = await openPack(pack, format)
    onTestFinished(() => shadow.close())
    expect(shadow.objectFormat).toBe(format)
    expect((await shadow.objects.read(id, 100))?.bytes?.toString()).toBe('a\n')
    expect(await shadow.objects.info('HEAD')).toBeNull()
    writeFileSync(pack, 'no pack')
    vi.stubEnv('TMPDIR', temporaryFolder())
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(openPack(pack, format)).rejects.toMatchObject({ code: 'git-failed' })
    expect(readdirSync(process.env.TMPDIR ?? '', { recursive: true })).toEqual([])
  },
)

/** Processes that work in this folder. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder
    } catch {
      return false
    }
  })
}

test(
  'a git that waits for its next question is started while there may be one, and ends',
  needs('Linux'),
  async () => {
    const repo = createRepo()
    const controller = new AbortController()
    const shadow = await shadowOf(repo, controller.signal)
    const started = () => processesIn(shadow.place.gitDir)
    const said: Buffer[] = []
    const ask = () =>
      shadow.repeat(['cat-file', '--batch-check'], (chunk) => void said.push(chunk), { input: 'none\n' })
    expect(await ask()).toMatchObject({ code: 0 })
    expect(started()).toEqual([])
    shadow.prepareRepeated()
    const [waiting] = started()
    expect(started()).toHaveLength(1)
    shadow.prepareRepeated()
    expect(started()).toEqual([waiting])
    expect(await ask()).toMatchObject({ code: 0 })
    expect(Buffer.concat(said).toString()).toBe('none missing\nnone missing\n')
    expect(started()).toEqual([])
    controller.abort(new Error('enough'))
    shadow.prepareRepeated()
    expect(started()).toEqual([])
  },
)

test('git inherits nothing but absolute folders of PATH', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n' })
  const shadow = await shadowOf(repo)
  const before = { ...process.env }
  process.env.PATH = `.:relative:${before.PATH}`
  Object.assign(process.env, {
    GIT_DIR: '/nowhere',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'alias.environment',
  })
  Object.assign(process.env, { GIT_CONFIG_VALUE_0: '!echo evil', GIT_EXTERNAL_DIFF: 'evil', SECRET: 'x' })
  try {
    const args = ['-c', 'alias.environment=!env', 'environment']
    const names = text(await shadow.run(args)).split('\n')
    expect(names.filter((line) => /evil|SECRET|nowhere/.test(line))).toEqual([])
    const path =
      names
        .find((line) => line.startsWith('PATH='))
        ?.slice(5)
        .split(':') ?? []
    expect(path.every((folder) => folder.startsWith('/'))).toBe(true)
  } finally {
    for (const name of [
      'GIT_DIR',
      'GIT_CONFIG_COUNT',
      'GIT_CONFIG_KEY_0',
      'GIT_CONFIG_VALUE_0',
      'GIT_EXTERNAL_DIFF',
      'SECRET',
    ])
      delete process.env[name]
    process.env.PATH = before.PATH
  }
})

test('references are copied as data: loose over packed, symbolic ones, and no nonsense', async () => {
  const repo = createRepo()
  const one = repo.commit({ 'a.txt': '1\n' })
  repo.git('tag', 'v1')
  repo.git('branch', 'moves')
  repo.git('pack-refs', '--all')
  const two = repo.commit({ 'a.txt': '2\n' })
  repo.git('update-ref', 'refs/heads/moves', two)
  repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/heads/main')
  const heads = join(repo.path, '.git/refs/heads')
  writeFileSync(join(heads, 'not-an-id'), 'x'.repeat(40))
  writeFileSync(join(heads, 'outward'), 'ref: ../../outside\n')
  symlinkSync('/dev/zero', join(heads, 'endless'))
  execFileSync('mkfifo', [join(heads, 'pipe')])
  mkdirSync(join(repo.path, '.git/refs/heads/loop'))
  symlinkSync('..', join(repo.path, '.git/refs/heads/loop/up'))
  const packed = join(repo.path, '.git/packed-refs')
  writeFileSync(packed, `${readFileSync(packed, 'utf8')}garbage\n${one} refs/../x\n${one} HEAD\n`)
  const shadow = await shadowOf(repo)
  const listed = text(await shadow.run(['for-each-ref', '--format=%(refname) %(objectname)']))
  expect(listed.split('\n')).toEqual([
    `refs/heads/main ${two}`,
    `refs/heads/moves ${two}`,
    `refs/remotes/origin/HEAD ${two}`,
    `refs/tags/v1 ${one}`,
  ])
  rmSync(join(heads, 'pipe'))
})

test('a HEAD that is a symbolic link or makes no sense does no harm', async () => {
  const repo = createRepo()
  const commit = repo.commit({ 'a.txt': '1\n' })
  const head = join(repo.path, '.git/HEAD')
  rmSync(head)
  symlinkSync('refs/heads/main', head)
  expect((await (await shadowOf(repo)).objects.info('HEAD'))?.id).toBe(commit)
  rmSync(head)
  writeFileSync(head, 'nonsense\n')
  expect(await (await shadowOf(repo)).objects.info('HEAD')).toBeNull()
})

test('an abort ends what runs and what waits', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n' })
  const controller = new AbortController()
  const shadow = await shadowOf(repo, controller.signal)
  const waiting = [shadow.objects.read('HEAD', 1000), shadow.run(['-c', 'alias.sleep=!sleep 30', 'sleep'])]
  setTimeout(() => controller.abort(new Error('enough')), 50)
  for (const result of await Promise.allSettled(waiting))
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ message: 'enough' })
  await expect(shadow.run(['version'])).rejects.toThrow('enough')
  await expect(shadow.objects.info('HEAD')).rejects.toThrow('enough')
})

test('time and output have limits', async () => {
  const repo = createRepo()
  const shadow = await shadowOf(repo)
  const slow = shadow.run(['-c', 'alias.sleep=!exec sleep 30', 'sleep'], { timeoutMs: 100 })
  await expect(slow).rejects.toMatchObject({
    code: 'git-failed',
    message: 'git sleep took longer than 0.1 s',
  })
  const endless = shadow.run(['-c', 'alias.yes=!exec yes', 'yes'], { maxBytes: 100_000 })
  await expect(endless).rejects.toMatchObject({
    code: 'git-failed',
    message: 'git yes wrote more than 100000 bytes',
  })
  const three = (maxBytes: number) => shadow.run(['-c', 'alias.say=!printf abc', 'say'], { maxBytes })
  expect(text(await three(3))).toBe('abc')
  await expect(three(2)).rejects.toMatchObject({ code: 'git-failed' })
  // 64 MiB where nothing else is said.
  const zeros = (bytes: number) => shadow.run(['-c', `alias.zeros=!head -c ${bytes} /dev/zero`, 'zeros'])
  expect(await zeros(67_108_864)).toHaveLength(67_108_864)
  await expect(zeros(67_108_865)).rejects.toThrow('git zeros wrote more than 67108864 bytes')
})

test('who has enough is told nothing more, and git ends', async () => {
  const shadow = await shadowOf(createRepo())
  let told = 0
  const args = ['-c', 'alias.yes=!exec yes', 'yes']
  expect(await shadow.stream(args, () => ++told < 3)).toMatchObject({ stopped: true, code: -1 })
  expect(told).toBe(3)
  const failing = shadow.stream(args, () => {
    told++
    throw new Error('no more')
  })
  await expect(failing).rejects.toThrow('no more')
  expect(told).toBe(4)
})

test('memory that other processes hold as well is not counted', needs('Linux'), async () => {
  const [, resident = 0, shared = 0] = readFileSync('/proc/self/statm', 'latin1').split(' ').map(Number)
  expect(shared).toBeGreaterThan(1000)
  let [few, many] = [0, 0]
  const guards = [
    watchMemory(process.pid, 4096 * (resident - shared) * 0.5, () => few++),
    watchMemory(process.pid, 4096 * resident, () => many++),
  ]
  await expect.poll(() => few).toBeGreaterThan(3)
  for (const guard of guards) clearInterval(guard)
  expect(many).toBe(0)
  expect(watchMemory(undefined, 0, () => {})).toBeUndefined()
})

test('git’s own words: eight lines and 2000 characters, without hints, control characters and our folder', async () => {
  const shadow = await shadowOf(createRepo())
  const error = await shadow.run(['cat-file', '-p', 'no\u001b[31mthing']).catch((e: unknown) => e)
  expect(error).toMatchObject({ code: 'git-failed' })
  expect(String(error)).not.toMatch(/\p{Cc}|sightline-\d/u)
  const wordsOf = async (said: string) => {
    const env = { SAID: said }
    const args = ['-c', 'alias.say=!printf "%s" "$SAID" >&2', 'say']
    return (await shadow.try(args, { env })).stderr
  }
  const { gitDir } = shadow.place
  expect(await wordsOf(`  one\t\u001b[2J \n\n   \nhint: two\nin ${gitDir}/x and ${gitDir}\n`)).toBe(
    'one  [2J; in .git/x and .git',
  )
  expect(await wordsOf('1\n2\n3\n4\n5\n6\n7\n8\n9\n')).toBe('1; 2; 3; 4; 5; 6; 7; 8')
  expect(await wordsOf('x'.repeat(2001))).toBe('x'.repeat(2000))
  const twice = '!f() { echo one >&2; echo said; sleep 0.2; echo two >&2; return 3; }; f'
  let heard = ''
  const said = await shadow.stream(['-c', `alias.twice=${twice}`, 'twice'], (chunk) => {
    heard += chunk
    return undefined
  })
  expect([heard, said]).toEqual(['said\n', { code: 3, stderr: 'one; two', stopped: false }])
})

test('paths are quoted for the list of alternates as git unquotes them', () => {
  expect(quotePath('/plain/path')).toBe('"/plain/path"')
  expect(quotePath('/a "b"\\c\nd é')).toBe('"/a \\042b\\042\\134c\\012d \\303\\251"')
})

test('a folder that is left open is removed when the process ends', () => {
  const repo = createRepo()
  const folder = temporaryFolder()
  const script = `import { openShadow } from ${JSON.stringify(join(import.meta.dirname, '../../../src/base/git/shadow.ts'))}
    const shadow = await openShadow(${JSON.stringify(repo.path)}); console.log(shadow.root); process.exit(3)`
  const env = { ...process.env, TMPDIR: folder }
  let root = ''
  try {
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' })
  } catch (error) {
    root = String((error as { stdout: string }).stdout).trim()
  }
  expect(root.startsWith(folder)).toBe(true)
  expect(existsSync(root)).toBe(false)
})
