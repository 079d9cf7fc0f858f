/** `sightline init --from`: files that are written, what is refused, and that reviews use the result. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { sightline } from '../helpers/sightline.ts'

const coderabbit = `reviews:
  poem: true
  path_filters: ["!gen/**"]
  path_instructions:
    - {path: "src/**", instructions: Handlers check permissions.}
`

test('the written configuration is valid, and every setting is in the report', async () => {
  const repo = createRepo()
  repo.commit({ '.coderabbit.yaml': coderabbit })
  const first = await sightline(['init', '--from', '.coderabbit.yaml'], { cwd: repo.path })
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).toContain('Carried over\n  reviews.path_filters\n    paths.exclude: gen/**\n')
  expect(first.stdout).toContain('Not carried over\n  reviews.poem\n')
  expect(first.stdout).toContain('Wrote .sightline.yaml, .sightline/instructions/coderabbit-1.md.')
  expect(readFileSync(join(repo.path, '.sightline/instructions/coderabbit-1.md'), 'utf8')).toBe(
    '---\npaths:\n  - "src/**"\n---\n\nHandlers check permissions.\n',
  )
  const check = await sightline(['config', '--check'], { cwd: repo.path })
  expect(check.stdout).toBe('.sightline.yaml is valid.\n')

  const again = await sightline(['init', '--from', '.coderabbit.yaml'], { cwd: repo.path })
  expect(again.code).toBe(2)
  expect(again.stderr).toContain('already exists; --force overwrites it')
  const forced = await sightline(['init', '--from', '.coderabbit.yaml', '--force'], { cwd: repo.path })
  expect(forced).toEqual(first)
})

test('a review uses what was carried over', async () => {
  const repo = createRepo()
  repo.commit({ '.coderabbit.yaml': coderabbit, 'src/a.ts': 'export const a = 1\n' })
  await sightline(['init', '--from', '.coderabbit.yaml'], { cwd: repo.path })
  repo.git('add', '-A')
  repo.git('commit', '--quiet', '-m', 'switch')
  repo.commit({ 'src/a.ts': 'export const a = 2\n', 'gen/b.ts': 'export const b = 2\n' })
  const { stdout } = await sightline(['context', '--commit', 'HEAD'], { cwd: repo.path })
  expect(stdout).toContain('.sightline/instructions/coderabbit-1.md')
  const review = await sightline(['review', '--commit', 'HEAD', '--depth', 'offline', '--json'], {
    cwd: repo.path,
  })
  expect(review.stdout).toContain('left out by paths.exclude')
})

test('a tool whose file is read anyway needs no files', async () => {
  const repo = createRepo()
  repo.commit({ '.cursor/BUGBOT.md': 'No magic numbers.\n' })
  const { code, stdout } = await sightline(['init', '--from', '.cursor/BUGBOT.md'], { cwd: repo.path })
  expect(code).toBe(0)
  expect(stdout).toContain('Nothing to write.')
  expect(existsSync(join(repo.path, '.sightline.yaml'))).toBe(false)
})

test('files of one tool do not overwrite each other', async () => {
  const repo = createRepo()
  repo.commit({
    '.pr_agent.toml': '[pr_reviewer]\nextra_instructions = "Look for races."\n',
    'best_practices.md': 'Errors name the file.\n',
    '.greptile/rules.md': 'Check permissions.\n',
    'apps/web/.greptile/rules.md': 'No inline styles.\n',
  })
  const written: string[] = []
  for (const file of [
    '.pr_agent.toml',
    'best_practices.md',
    '.greptile/rules.md',
    'apps/web/.greptile/rules.md',
  ]) {
    const { code, stdout } = await sightline(['init', '--from', file], { cwd: repo.path })
    expect(code).toBe(0)
    written.push(/Wrote ([^ ]+)\./.exec(stdout)?.[1] ?? '')
  }
  expect(written.map((path) => path.replace('.sightline/instructions/', ''))).toEqual([
    'pr-agent.md',
    'pr-agent-best-practices.md',
    'greptile-rules.md',
    'greptile-rules-apps-web-1.md',
  ])
})

test('unknown, unreadable and linked files are refused with a reason', async () => {
  const repo = createRepo()
  repo.commit({ 'other.yaml': 'a: 1\n', 'greptile.json': '{"a": }\n' })
  const secret = join(temporaryFolder(), 'secret.yaml')
  writeFileSync(secret, 'tone_instructions: do not copy me\n')
  symlinkSync(secret, join(repo.path, '.coderabbit.yaml'))
  const expected = {
    'other.yaml': 'other.yaml is not a configuration file of CodeRabbit (.coderabbit.yaml), Greptile',
    'greptile.json': 'cannot be read as a file of Greptile: Line 1: This is not valid JSON.',
    '.coderabbit.yaml': 'cannot be read: it must be a regular file',
    'missing/greptile.json': 'cannot be read: it must be a regular file',
  }
  for (const [file, message] of Object.entries(expected)) {
    const { code, stdout, stderr } = await sightline(['init', '--from', file], { cwd: repo.path })
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
  }
})

test('nothing is written through a linked folder', async () => {
  const repo = createRepo()
  repo.commit({ '.coderabbit.yaml': coderabbit })
  const outside = temporaryFolder()
  symlinkSync(outside, join(repo.path, '.sightline'))
  const { code, stderr } = await sightline(['init', '--from', '.coderabbit.yaml'], { cwd: repo.path })
  expect(code).toBe(2)
  expect(stderr).toContain('is a symbolic link, and links are not followed')
  expect(existsSync(join(outside, 'instructions'))).toBe(false)
  expect(existsSync(join(repo.path, '.sightline.yaml'))).toBe(false)
})
