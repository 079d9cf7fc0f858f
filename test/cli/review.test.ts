/** `sightline review` as a person, a hook and a program call it: in real repositories, in a process of its own. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Review } from '../../src/index.ts'
import { createRepo, type TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { entry, run, sightline, sightlineProcess } from '../helpers/sightline.ts'

/** Looks like a token and is none; put together here, so that no scanner stumbles over this file. */
const token = ['ghp', '_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('')

/** One commit, and a harmless change of words on top of it. */
function harmless(): TestRepo {
  const repo = createRepo()
  repo.commit({ 'README.md': '# One\n', 'src/a.ts': 'export const a = 1\n' }, 'first')
  return repo.write({ 'README.md': '# One\n\nMore words.\n' })
}

/** One commit, and a change on top of it that adds a token. */
function harmful(files: Record<string, string> = {}): TestRepo {
  const repo = createRepo()
  repo.commit({ 'src/a.ts': 'export const a = 1\n', ...files }, 'first')
  return repo.write({ 'src/a.ts': `export const a = 1\nexport const key = '${token}'\n` })
}

const plain = ['review', '--no-cache']

test('a severe finding: 1; --fail-on moves the line; colours where they are wanted', async () => {
  const here = { cwd: harmful().path, env: { FORCE_COLOR: '1' } }
  const bare = await sightline([...plain, '--no-color'], here)
  expect(bare.stdout).toContain('src/a.ts:2')
  expect(bare.stdout).not.toContain(token)
  const coloured = await sightline([...plain, '--fail-on', 'never'], here)
  expect([bare, coloured].map(({ code, stdout }) => [code, stdout.includes('\u001b[')])).toEqual([
    [1, false],
    [0, true],
  ])
})

test('without an argument: uncommitted work, else the branch, else the last commit', async () => {
  const repo = harmless()
  const label = async () =>
    Review.parse(JSON.parse((await sightline([...plain, '--json'], { cwd: repo.path })).stdout)).request
      .source
  expect((await label()).kind).toBe('uncommitted')
  repo.commit({}, 'words')
  expect((await label()).kind).toBe('commit')
  repo.git('switch', '--quiet', '-c', 'feature')
  repo.commit({ 'README.md': '# Two\n' }, 'more')
  expect((await label()).kind).toBe('branch')
})

test('staged and unstaged are told apart', async () => {
  const repo = harmless()
  repo.git('add', '-A')
  repo.write({ 'src/a.ts': 'export const a = 2\n' })
  const paths = async (option: string) => {
    const { stdout } = await sightline([...plain, '--json', option], { cwd: repo.path })
    return Review.parse(JSON.parse(stdout))
      .files.map((file) => file.path)
      .sort()
  }
  expect(await paths('--staged')).toEqual(['README.md'])
  expect(await paths('--unstaged')).toEqual(['src/a.ts'])
})

test('a range, a commit and a patch are known without an option', async () => {
  const repo = createRepo()
  const first = repo.commit({ 'a.txt': 'one\n' }, 'first')
  repo.commit({ 'a.txt': 'two\n' }, 'second')
  const patch = `${repo.git('diff', first)}\n`
  repo.git('branch', 'later')
  repo.git('reset', '--quiet', '--hard', first)
  const file = join(temporaryFolder(), 'change.patch')
  writeFileSync(file, patch)
  const kind = async (args: string[], input = '') => {
    const { stdout, stderr } = await sightline([...plain, '--json', ...args], { cwd: repo.path, input })
    expect(stderr).toBe('')
    return Review.parse(JSON.parse(stdout)).request.source.kind
  }
  expect(await kind(['later'])).toBe('branch')
  expect(await kind([repo.git('rev-parse', 'later').slice(0, 12)])).toBe('commit')
  expect(await kind([`${first}..later`])).toBe('range')
  expect(await kind([file])).toBe('patch')
  expect(await kind(['-'], patch)).toBe('patch')
  expect(await kind(['--patch', '-', '--base', first], patch)).toBe('patch')
})

test('nothing to stop for: 0 and the report, from a subfolder, and by --repo from anywhere', async () => {
  const { path } = harmless()
  const here = await sightline(plain, { cwd: join(path, 'src') })
  expect(here.stderr).toBe('')
  expect(here.stdout).toMatch(/^No findings\. Code checks only; no model reviewed this change\.\n/)
  expect(here.stdout).toContain('uncommitted changes')
  const away = await sightline([...plain, '--quiet', '--repo', path], { cwd: temporaryFolder() })
  expect(here.stdout).toContain('reviewed 1 of 1 changed file')
  expect([away.stdout, away.stderr]).toEqual(['', ''])
  expect([here.code, away.code]).toEqual([0, 0])
})

test('outside of a repository, at an unknown ref and without a commit: 2, and the way out', async () => {
  const outside = await sightline(plain, { cwd: temporaryFolder() })
  expect(outside.stderr).toContain('This is not a git repository')
  expect(outside.stderr).toContain('--repo PATH')
  const unknown = await sightline([...plain, '--base', 'mian'], { cwd: harmless().path })
  expect(unknown.stderr).toContain('`mian`; did you mean `main`?')
  const empty = await sightline(plain, { cwd: createRepo().path })
  expect(empty.stderr).toContain('There is nothing to review yet')
  expect([outside.code, unknown.code, empty.code]).toEqual([2, 2, 2])
})

test('without git: 3', async () => {
  const env = { PATH: temporaryFolder() }
  const { code, stderr } = await sightlineProcess(plain, { cwd: harmless().path, env })
  expect(stderr).toContain('git was not found')
  expect(code).toBe(3)
})

test('configuration comes from the base; a broken one is told with its lines', async () => {
  const lenient = harmful({ '.sightline.yaml': 'review:\n  failOn: never\n' })
  lenient.write({ '.sightline.yaml': 'review:\n  failOn: low\n  nonsense: 1\n' })
  const edited = await sightline(plain, { cwd: lenient.path })
  expect(edited.code).toBe(0)
  expect(edited.stderr).toContain(
    'this change edits .sightline.yaml; this review used the version before the change',
  )

  const broken = harmful({ '.sightline.yaml': 'review:\n  failOn: hgh\n  nonsense: 1\n' })
  broken.write({ '.sightline.yaml': 'review:\n  failOn: low\n' })
  const { code, stderr, stdout } = await sightline([...plain, '--json'], { cwd: broken.path })
  expect(code).toBe(2)
  expect(stderr).toContain('.sightline.yaml:2:11 review.failOn: `hgh`')
  expect(stderr).toContain('.sightline.yaml:3:3 There is no key `review.nonsense`')
  expect(stderr).toContain('from the commit before the change, so commit a correction first')
  expect(JSON.parse(stdout).error.code).toBe('config-invalid')
})

test('--progress writes nothing but events, one JSON object a line', async () => {
  const { stderr, stdout } = await sightline([...plain, '--progress', '--json'], { cwd: harmless().path })
  const events = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events[0]).toEqual({ type: 'stage-start', stage: 'collect' })
  expect(events.at(-1).type).toBe('run-end')
  expect(events.map((event) => event.type)).toContain('run-start')
  expect(Review.parse(JSON.parse(stdout)).findings).toEqual([])
  const failed = await sightline([...plain, '--progress', '--base', 'nowhere'], { cwd: harmless().path })
  expect(JSON.parse(failed.stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    type: 'error',
    code: 'unknown-ref',
  })
})

test('a file takes the result, and its ending picks the format', async () => {
  const folder = temporaryFolder()
  const { path } = harmful()
  for (const name of ['r.sarif', 'r.txt']) {
    const { code, stdout, stderr } = await sightline([...plain, '--output', join(folder, name)], {
      cwd: path,
    })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`wrote ${join(folder, name)}`)
  }
  const text = (name: string) => readFileSync(join(folder, name), 'utf8')
  expect(JSON.parse(text('r.sarif')).version).toBe('2.1.0')
  expect(text('r.txt')).toContain('src/a.ts:2')
  const denied = await sightline([...plain, '--output', join(folder, 'no/where.txt')], { cwd: path })
  expect(denied.code).toBe(2)
  expect(denied.stderr).toMatch(/--output: .*where\.txt cannot be written: ENOENT/)
})

test('filters hide findings, and change neither conclusion nor exit code', async () => {
  const { path } = harmful()
  const review = async (...args: string[]) => {
    const { code, stdout } = await sightline([...plain, '--json', ...args], { cwd: path })
    const { findings, hidden, conclusion, confidence, coverage } = Review.parse(JSON.parse(stdout))
    return { code, findings: findings.length, hidden, conclusion, confidence, complete: coverage.complete }
  }
  const all = await review()
  expect(all).toMatchObject({ code: 1, findings: 1, conclusion: { word: 'REQUEST_CHANGES', notices: [] } })
  const { headline } = all.conclusion
  const severity = /: 1 (critical|high) finding/.exec(headline)?.[1]
  for (const [by, args] of [
    ['--skip secrets', ['--skip', 'secrets']],
    ['--only rules', ['--only', 'rules']],
  ] as const)
    expect(await review(...args)).toEqual({
      ...all,
      findings: 0,
      hidden: [{ id: 'C1', severity, preExisting: false, by }],
      conclusion: { word: 'REQUEST_CHANGES', headline, notices: [`1 ${severity} finding hidden by ${by}.`] },
    })
  expect(await review('--only', 'secrets', '--max-inline', '0')).toEqual(all)
  const unknown = await sightline([...plain, '--planes', 'secret'], { cwd: path })
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('there is no plane `secret`; there are secrets, ')
  expect(unknown.stderr).toContain(', reviewer')
})

// With --min-severity: test/cli/outcomes.test.ts.
test('review.minSeverity hides what is milder, and says so in the report', async () => {
  const repo = createRepo()
  const config = { '.sightline.yaml': 'review:\n  minSeverity: critical\n' }
  repo.commit({ ...config, 'src/a.ts': 'export function f(a: number) {\n  return 2\n}\n' }, 'first')
  repo.write({ 'src/a.ts': 'export function f(a: number) {\n  if (a = 1) return 1\n  return 2\n}\n' })
  const { code, stdout } = await sightline(plain, { cwd: repo.path })
  expect(code).toBe(1)
  expect(stdout).toContain('1 high finding hidden by review.minSeverity: critical.')
})

test('a depth that needs a model is refused before any work when there is none', async () => {
  const none = { cwd: harmless().path, env: { HOME: temporaryFolder(), SIGHTLINE_SETTINGS: '' } }
  const { code, stdout, stderr } = await sightline([...plain, '--depth', 'deep', '--progress'], none)
  expect([code, stdout]).toEqual([2, ''])
  expect(
    stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).code),
  ).toEqual(['no-model'])
})

test('as a git hook it sees what is being committed: of paths not staged, and not what else is staged', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'one\n' }, 'first')
  repo.write({ 'a.txt': `one\nkey = '${token}'\n`, 'b.txt': `key = '${token}'\n` })
  repo.git('add', 'b.txt')
  const hook = `#!/bin/sh\nexec "${process.execPath}" "${entry}" review --no-cache --staged --quiet\n`
  writeFileSync(join(repo.path, '.git/hooks/pre-commit'), hook, { mode: 0o755 })
  const named = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  const { code, stdout, stderr } = await run('git', [...named, 'commit', '-m', 'x', 'a.txt'], {
    cwd: repo.path,
  })
  expect(code).toBe(1)
  expect(stdout + stderr).toContain('a.txt:2')
  expect(stdout + stderr).not.toContain('b.txt')
})

// What lies in the cache folder otherwise: test/cli/written-folders.test.ts.
test('with --no-cache nothing lies in the cache folder of the user', async () => {
  const XDG_CACHE_HOME = temporaryFolder()
  const here = { cwd: harmful().path, env: { XDG_CACHE_HOME }, isCold: true }
  await sightline(plain, here)
  expect(readdirSync(XDG_CACHE_HOME)).toEqual([])
})

test('a review without findings takes at most six lines of a terminal, and --explain shows the others', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export const a = 1\n' })
  const names = Array.from({ length: 40 }, (_, at) => `aConstantWithALongName${at}`)
  repo.commit({
    'a.ts': `export const a = 1\n${names.map((name) => `export const ${name} = 1\n`).join('')}`,
    ...Object.fromEntries(names.map((name) => [`${name}.md`, `${name}\n`])),
  })
  const env = { COLUMNS: '80' }
  const args = ['review', 'HEAD', '--depth', 'offline']
  const short = await sightline(args, { cwd: repo.path, env })
  expect(short.code).toBe(0)
  const lines = short.stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(6)
  expect(lines.at(-1)).toMatch(/^.{20,59}… \(all with --explain\)$/)
  const whole = await sightline([...args, '--explain'], { cwd: repo.path, env })
  expect(whole.stdout.slice(0, 200)).toContain(lines[0])
  expect([short, whole].map(({ stdout }) => /Symbols\s+in all: 40 added/.test(stdout))).toEqual([false, true])
})
