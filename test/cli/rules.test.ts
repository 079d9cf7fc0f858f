/** `sightline rules`: ours everywhere, the repository's own from its last commit. */
import { expect, test } from 'vitest'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { sightline } from '../helpers/sightline.ts'

const own = [
  'id: no-debug-file',
  'language: javascript',
  'severity: warning',
  'message: Debugging was left behind.',
  'rule:',
  '  pattern: debug($A)',
  '',
].join('\n')

async function list(cwd: string): Promise<{ rules: { id: string; origin: string }[]; limits: string[] }> {
  const { code, stdout, stderr } = await sightline(['rules', '--json'], { cwd })
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

test('the built-in rules are listed anywhere', async () => {
  const { rules, limits } = await list(temporaryFolder())
  expect(rules.length).toBeGreaterThan(5)
  expect(new Set(rules.map((rule) => rule.id)).size).toBe(rules.length)
  expect(rules.every((rule) => rule.origin === 'built-in')).toBe(true)
  expect(limits).toEqual([])
})

test('own rules come from the last commit, with their place; broken ones are named; disabled ones are gone', async () => {
  const repo = createRepo()
  const [first] = (await list(repo.path)).rules
  repo.commit({
    '.sightline/rules/debug.yaml': own,
    '.sightline/rules/broken.yaml': 'id: broken\nrule: 3\n',
    '.sightline.yaml': `rules:\n  disable: [${first?.id}]\n`,
  })
  repo.write({ '.sightline/rules/later.yaml': own.replace('no-debug-file', 'not-yet') })
  const { rules, limits } = await list(repo.path)
  expect(rules.find((rule) => rule.id === 'no-debug-file')?.origin).toMatch(
    /^\.sightline\/rules\/debug\.yaml:\d+$/,
  )
  expect(rules.map((rule) => rule.id)).not.toContain('not-yet')
  expect(rules.map((rule) => rule.id)).not.toContain(first?.id)
  expect(limits.join()).toContain('.sightline/rules/broken.yaml')
  const { stdout } = await sightline(['rules'], { cwd: repo.path })
  expect(stdout).toContain('Debugging was left behind.')
  expect(stdout).toContain('Not used:')
})

test('`rules test` runs the snippets of rules that are not committed yet', async () => {
  const repo = createRepo()
  const tested = `${own}tests:\n  valid: [log(1)]\n  invalid: [debug(1)]\n`
  repo.write({ '.sightline/rules/debug.yaml': tested })
  const right = await sightline(['rules', 'test'], { cwd: repo.path })
  expect(right).toEqual({ code: 0, stderr: '', stdout: '1 rule, 2 snippets: all as expected.\n' })

  repo.write({
    '.sightline/rules/debug.yaml': tested.replace('[log(1)]', '[debug(2)]').replace('[debug(1)]', '[log(2)]'),
    '.sightline/rules/broken.yaml': 'id: broken\nrule: 3\n',
  })
  const wrong = await sightline(['rules', 'test'], { cwd: repo.path })
  expect(wrong.code).toBe(1)
  expect(wrong.stdout).toContain('broken.yaml')
  expect(wrong.stdout).toContain('javascript: a match, but it is listed as valid: debug(2)')
  expect(wrong.stdout).toContain('javascript: no match, but it is listed as invalid: log(2)')

  const unknown = await sightline(['rules', 'tset'], { cwd: repo.path })
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('use `sightline rules test`')
  const missing = await sightline(['rules', 'test', 'nowhere.yaml'], { cwd: repo.path })
  expect(missing.stderr).toContain('nowhere.yaml cannot be read')
})
