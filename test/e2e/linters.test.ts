/** Results of linters, handed in: those on changed lines are findings, quoted and not believed beyond `medium`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Review } from '../../src/index.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { sightline } from '../helpers/sightline.ts'

const before = 'export function run(code, list) {\n  return list\n}\n'
const after = 'export function run(code, list) {\n  var a = 1\n  eval(code)\n  var b = 2\n  return list\n}\n'

const results = [
  {
    ruleId: 'no-eval',
    level: 'error',
    line: 3,
    text: '`eval` can be harmful',
    path: '/home/ci/shop/src/run.js',
  },
  { ruleId: 'no-var', level: 'warning', line: 2, text: 'Unexpected var', path: 'src/run.js' },
  { ruleId: 'no-var', level: 'warning', line: 4, text: 'Unexpected var', path: 'src/run.js' },
  { ruleId: 'old', level: 'error', line: 5, text: 'On a line that did not change', path: 'src/run.js' },
  { ruleId: 'far', level: 'error', line: 1, text: 'In a file that did not change', path: 'src/other.js' },
]

function sarif(): string {
  const file = join(temporaryFolder(), 'eslint.sarif')
  const rules = [{ id: 'no-eval', properties: { 'security-severity': '9.0' } }]
  const found = results.map(({ ruleId, level, line, text, path }) => ({
    ruleId,
    level,
    message: { text },
    locations: [{ physicalLocation: { artifactLocation: { uri: path }, region: { startLine: line } } }],
  }))
  writeFileSync(
    file,
    JSON.stringify({ runs: [{ tool: { driver: { name: 'ESLint', rules } }, results: found }] }),
  )
  return file
}

test('only what is on changed lines is reported, at medium at most, and a replay says the same', async () => {
  const repo = createRepo()
  repo.commit({ 'src/run.js': before, 'src/other.js': 'export const x = 1\n' })
  repo.commit({ 'src/run.js': after })
  const env = { XDG_STATE_HOME: temporaryFolder(), XDG_CACHE_HOME: temporaryFolder() }
  const args = ['review', 'HEAD', '--repo', repo.path, '--depth', 'offline', '--json', '--quiet']
  const { stdout } = await sightline([...args, '--sarif', sarif()], { env })
  const review: Review = JSON.parse(stdout)
  const shown = review.findings.filter(({ plane }) => plane === 'linters')
  expect(shown).toMatchObject([
    {
      rule: 'linters/eslint/no-eval',
      severity: 'medium',
      category: 'security',
      title: 'ESLint no-eval: `eval` can be harmful',
      startLine: 3,
      byTool: 'ESLint',
    },
    { rule: 'linters/eslint/no-var', severity: 'low', title: 'ESLint no-var: Unexpected var (2 lines)' },
  ])
  expect(shown[0]?.lowered?.from).toBe('high')
  expect(review.coverage.planes).toContainEqual({
    plane: 'linters',
    state: 'ran',
    reason: null,
    candidates: 2,
  })
  const again = await sightline(['replay', 'last', '--json', '--quiet'], { env, cwd: repo.path })
  expect(JSON.parse(again.stdout).findings).toEqual(review.findings)

  const without: Review = JSON.parse((await sightline(args, { env })).stdout)
  expect(without.coverage.planes.map(({ plane }) => plane)).not.toContain('linters')
})

test('a file that is not there is a usage error', async () => {
  const repo = createRepo()
  repo.commit({ 'a.js': before })
  const { code, stderr } = await sightline(['review', 'HEAD', '--repo', repo.path, '--sarif', 'none.sarif'])
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('--sarif: the file `none.sarif` does not exist'),
  ])
})
