/** Results of linters, handed in: those on changed lines are findings, quoted and not believed beyond `medium`. */
import { symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Review } from '../../src/index.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { ownFolders, sightline } from '../helpers/sightline.ts'

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
  const env = ownFolders()
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

test('files that the configuration names are read, as far as they are about the code that is reviewed', async () => {
  const repo = createRepo()
  const config = 'linters:\n  results: [out/lint.json, none.sarif, far.sarif, broken.sarif]\n'
  repo.commit({ '.sightline.yaml': config, 'src/run.js': before, 'src/kept.js': before })
  repo.write({ 'src/run.js': after, 'src/kept.js': after })
  const at = (path: string) => ({
    message: '`eval` can be harmful',
    location: { path, range: { start: { line: 3 } } },
  })
  const report = { source: { name: 'lint' }, diagnostics: [at('src/run.js'), at('src/kept.js')] }
  repo.write({ 'out/lint.json': JSON.stringify(report), 'broken.sarif': 'results' })
  symlinkSync(sarif(), join(repo.path, 'far.sarif'))
  const past = new Date(Date.now() - 60_000)
  utimesSync(join(repo.path, 'src/kept.js'), past, past)
  const future = new Date(Date.now() + 60_000)
  utimesSync(join(repo.path, 'src/run.js'), future, future)
  const args = ['review', '--repo', repo.path, '--depth', 'offline', '--json', '--no-record', '--no-cache']
  const read = async (...more: string[]): Promise<Review> =>
    JSON.parse((await sightline([...args, ...more])).stdout)
  const review = await read()
  const places = ({ findings }: Review) =>
    findings.filter(({ plane }) => plane === 'linters').map(({ anchor }) => anchor.path)
  expect(places(review)).toEqual(['src/kept.js'])
  expect(review.coverage.limits.filter((line) => /lint/.test(line))).toEqual([
    'out/lint.json says nothing of `src/run.js` as reviewed: the linter ran on another version; run it again',
    'linters.results: far.sarif is not a file of at most 64 MB in the repository, without links on the way',
    expect.stringMatching(/^linters\.results: the format of broken\.sarif is not supported; use SARIF/),
  ])
  // Of an older commit the work tree says nothing.
  repo.commit({ 'src/kept.js': before })
  const older = await read('--commit', 'HEAD')
  expect(places(older)).toEqual([])
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
