/** Tests that cannot fail: a deep review of a real project, whose tests run in a real sandbox against mutants of its change. */
import { expect, test } from 'vitest'
import { Review } from '../../src/domain/review.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { createRepo } from '../helpers/git-repo.ts'
import { drawn } from '../helpers/matrix.ts'
import { needs } from '../helpers/needs/needs.ts'
import { ownFolders, sightline } from '../helpers/sightline.ts'
import { withQuietRest } from './deep-world.ts'
import { fakeEnvironment } from './quick-world.ts'

const source = `export function price(cents, isMember) {
  const off = isMember === true ? 10 : 0
  const rest = cents - off
  return rest
}
`
/** The discount changes, and no test is about members. */
const changed = source
  .replace('isMember === true ? 10', 'isMember !== false ? 20')
  .replace('cents - off', '(cents) - off')
const written =
  "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { price } from '../src/price.js'\n\ntest('a price without a discount', () => {\n  assert.equal(typeof price(100, false), 'number')\n})\n"

function changedRepo(assertion = written) {
  const repo = createRepo()
  const files = { 'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n' }
  repo.commit({ ...files, 'src/price.js': source, 'test/price.test.js': assertion }, 'first')
  repo.commit({ 'src/price.js': changed }, 'Twenty off for members')
  return repo
}

async function reviewWith(settings: string, repo = changedRepo(), depth = 'deep') {
  await using fake = await startFakeProvider('anthropic', { steps: withQuietRest([]) })
  const kept = ownFolders()
  const env = { ...fakeEnvironment(fake, { settings }), ...kept }
  const { stdout, stderr } = await sightline(
    ['review', 'HEAD', '--repo', repo.path, '--depth', depth, '--json', '--quiet'],
    { env },
  )
  const review = Review.parse(JSON.parse(stdout))
  const unchecked = review.findings.filter(({ rule }) => rule === 'tests/unchecked-line')
  return { review, unchecked, env, stdout, stderr }
}

const on = 'sandbox: { prove: { allow: true, mutants: 40 } }'

test(
  'lines that no test checks are found with their mutants; a replay runs nothing',
  needs('a sandbox (bubblewrap or a container)'),
  async () => {
    const { unchecked, review, env, stdout } = await reviewWith(on)
    expect(unchecked.map(({ startLine }) => startLine).sort()).toEqual([2, 3])
    const condition = unchecked.find(({ startLine }) => startLine === 2)
    expect(condition).toMatchObject({
      ...{ plane: 'tests', severity: 'low', confidence: 'certain' },
      title: 'The tests in `test/price.test.js` pass whatever line 2 does',
    })
    expect(condition?.explanation).toContain('`const off = isMember === false ? 20 : 0`')
    const cited = new Set(condition?.evidence.map(({ evidence }) => evidence))
    const shown = review.evidence.filter(({ id }) => cited.has(id)).map(({ text }) => text)
    expect(shown.join('\n')).toContain('+   const off = isMember === false ? 20 : 0')
    expect(shown.join('\n')).toContain('test/price.test.js: 1 test passed, as before')
    const again = await sightline(['replay', 'last', '--json'], { env })
    expect(again.stdout).toBe(stdout)
  },
)

test(
  'a line whose mutants the tests notice is no finding',
  needs('a sandbox (bubblewrap or a container)'),
  async () => {
    const checks = written.replace(
      "typeof price(100, false), 'number'",
      '[price(100, true), price(100, false)].join(), "80,100"',
    )
    const { unchecked } = await reviewWith(on, changedRepo(checks))
    expect(unchecked).toEqual([])
  },
)

test('tests that fail anyway say nothing', needs('a sandbox (bubblewrap or a container)'), async () => {
  const fails = written.replace("'number'", "'text'")
  const { unchecked } = await reviewWith(on, changedRepo(fails))
  expect(unchecked).toEqual([])
})

test(
  'the budget of runs holds, and what it left out is said',
  needs('a sandbox (bubblewrap or a container)'),
  async () => {
    const { unchecked, review } = await reviewWith('sandbox: { prove: { allow: true, mutants: 2 } }')
    expect(unchecked.map(({ startLine }) => startLine)).toEqual([2])
    expect(review.coverage.limits).toContain(
      'Mutants were tried of some changed lines only: 2 test runs were used up',
    )
  },
)

/** One, drawn by the seed. */
const without = [
  ['it is off by default', 'sandbox: { prove: { allow: true } }', 'deep'],
  ['running tests is not allowed', 'sandbox: { prove: { mutants: 40 } }', 'deep'],
  ['the review is not deep', on, 'standard'],
] as const

test.each(drawn(without))('no mutant is tried: %s', async (_, settings, depth) => {
  const { unchecked, review } = await reviewWith(settings, changedRepo(), depth)
  expect([unchecked, Object.keys(review.run.stagesMs).includes('mutants')]).toEqual([[], false])
})
