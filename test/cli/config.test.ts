/** `sightline config` and `sightline init` in real repositories. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config/load.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'
import { root, sightline } from '../helpers/sightline.ts'

test('every key is printed with its value and its origin, from a subfolder too', async () => {
  const repo = createRepo().write({
    '.sightline.yaml': '# ours\nreview:\n  failOn: medium\n',
    'a/b/c.txt': '',
  })
  const { code, stdout } = await sightline(['config'], { cwd: join(repo.path, 'a/b') })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^review\.failOn +"medium" +\.sightline\.yaml:3$/m)
  expect(stdout).toMatch(/^review\.minSeverity +"low" +default$/m)
})

test('--check lists every problem with its line, and leaves with 2', async () => {
  const repo = createRepo().write({ '.sightline.yaml': 'review:\n  failOn: hgh\n  x: 1\n' })
  const { code, stdout, stderr } = await sightline(['config', '--check'], { cwd: repo.path })
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('\n.sightline.yaml:2:11 review.failOn: `hgh` is not allowed; did you mean `high`?')
  expect(stderr).toContain('\n.sightline.yaml:3:3 There is no key `review.x`')
  repo.write({ '.sightline.yaml': 'review:\n  failOn: high\n' })
  expect(await sightline(['config', '--check'], { cwd: repo.path })).toEqual({
    code: 0,
    stdout: '.sightline.yaml is valid.\n',
    stderr: '',
  })
})

test('--schema prints the file that editors use, --json the values', async () => {
  const schema = await sightline(['config', '--schema'])
  expect(JSON.parse(schema.stdout)).toEqual(
    JSON.parse(readFileSync(join(root, 'schema/config.json'), 'utf8')),
  )
  const values = await sightline(['config', '--json'], { cwd: createRepo().path })
  expect(JSON.parse(values.stdout)).toEqual(defaultConfig)
})

test('outside of a repository it says so', async () => {
  const { code, stderr } = await sightline(['config'], { cwd: temporaryFolder() })
  expect(code).toBe(2)
  expect(stderr).toContain('This is not a git repository')
})

test('init writes a valid file with nothing but defaults, once', async () => {
  const repo = createRepo()
  mkdirSync(join(repo.path, 'deep/er'), { recursive: true })
  const first = await sightline(['init'], { cwd: join(repo.path, 'deep/er') })
  expect(first.code).toBe(0)
  const path = join(repo.path, '.sightline.yaml')
  const written = readFileSync(path, 'utf8')
  expect(parseConfig(written, path).config).toEqual(defaultConfig)

  repo.write({ '.sightline.yaml': 'review: { failOn: low }\n' })
  const second = await sightline(['init'], { cwd: repo.path })
  expect(second.code).toBe(2)
  expect(second.stderr).toContain('--force overwrites it')
  expect(readFileSync(path, 'utf8')).toContain('low }')
  expect((await sightline(['init', '--force'], { cwd: repo.path })).code).toBe(0)
  expect(readFileSync(path, 'utf8')).toBe(written)
})

test('init overwrites the file of the other ending instead of adding a second', async () => {
  const repo = createRepo().write({ '.sightline.yml': 'review: { failOn: low }\n' })
  expect((await sightline(['init', '--force', '--repo', repo.path])).code).toBe(0)
  expect(existsSync(join(repo.path, '.sightline.yaml'))).toBe(false)
})

test('a link in the place of the file is never followed, neither in the work tree nor in a commit', async () => {
  const outside = join(temporaryFolder(), 'credentials')
  writeFileSync(outside, 'hunter2: [')
  const repo = createRepo()
  symlinkSync(outside, join(repo.path, '.sightline.yaml'))
  repo.commit({ 'a.ts': 'export const a = 1\n' })
  for (const args of [
    ['config'],
    ['config', '--check'],
    ['config', '--check', '--json'],
    ['review', '--no-cache', '--depth', 'offline', 'HEAD'],
  ]) {
    if (args[0] === 'review') repo.commit({ 'a.ts': 'export const a = 2\n' })
    const { code, stdout, stderr } = await sightline(args, { cwd: repo.path })
    expect(code).toBe(2)
    expect(stderr).toContain('.sightline.yaml:1:1 This is a symbolic link, and links are not followed')
    expect(stdout + stderr).not.toMatch(/hunter2|credentials/)
  }
  expect((await sightline(['init'], { cwd: repo.path })).code).toBe(2)
  expect((await sightline(['init', '--force'], { cwd: repo.path })).code).toBe(0)
  expect(readFileSync(outside, 'utf8')).toBe('hunter2: [')
})

test('a pipe and a folder in its place are no configuration', needs('Linux'), async () => {
  const repo = createRepo()
  execFileSync('mkfifo', [join(repo.path, '.sightline.yaml')])
  const { code, stderr } = await sightline(['config', '--check'], { cwd: repo.path })
  expect([code, stderr]).toEqual([2, expect.stringContaining('.sightline.yaml is not a regular file')])
  const other = createRepo()
  mkdirSync(join(other.path, '.sightline.yaml'))
  expect((await sightline(['config'], { cwd: other.path })).code).toBe(2)
})
