/** A finding shown by a test: over the wire, in a real sandbox, on both sides of the change; and what is no reproduction. */
import { expect, test } from 'vitest'
import { Review } from '../../src/domain/review.ts'
import { formats } from '../../src/pipeline/publish/registry.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { createRepo } from '../helpers/git-repo.ts'
import { drawn, isWhole } from '../helpers/matrix.ts'
import { needs } from '../helpers/needs/needs.ts'
import { ownFolders, sightline } from '../helpers/sightline.ts'
import { emptyAnswer, fakeEnvironment, waitFinding } from './quick-world.ts'

const allowed = 'sandbox: { prove: { allow: true } }'
const before =
  'export function longest(words) {\n  return words.reduce((a, b) => (b.length > a.length ? b : a), "")\n}\n'
const after = before.replace(', "")', ')')

const found = {
  answer: 'good' as const,
  value: {
    ...emptyAnswer,
    findings: [
      {
        ...waitFinding,
        file: 'src/longest.js',
        tags: [{ $tagAt: 'b : a))' }],
        evidence: [{ id: { $tagAt: 'b : a))' }, quote: 'words.reduce((a, b)' }],
        title: '`longest` throws for an empty list',
        explanation: '`reduce` of an empty array without a first value throws a TypeError.',
        remedy: null,
      },
    ],
  },
}

const head =
  "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { longest } from '../src/longest.js'\n\n"
const shows = `${head}test('an empty list has an empty longest word', () => {\n  assert.equal(longest([]), '')\n})\n`
const emptyArray = 'Reduce of empty array with no initial value'

function writes(text: string, predicted = emptyArray, cannot = ''): CodedStep {
  const value = { test: text, predicted, because: 'longest([]) throws.', cannot }
  return { answer: 'good', when: { contains: 'Your test file will be here' }, value }
}

/** A repository whose change makes `longest` throw for an empty list. */
function changedRepo(example = `${head}test('one', () => assert.equal(longest(['a']), 'a'))\n`) {
  const repo = createRepo()
  const files = { 'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n' }
  repo.commit({ ...files, 'src/longest.js': before, 'test/longest.test.js': example }, 'first')
  repo.commit({ 'src/longest.js': after }, 'Simplify longest')
  return repo
}

const reviewing = ['review', 'HEAD', '--depth', 'quick', '-q', '--no-agent']

/** A review with one finding, and proofs of it by scripted models. */
async function setUp() {
  const repo = changedRepo()
  const kept = ownFolders()
  await using fake = await startFakeProvider('anthropic', { steps: [found] })
  const args = [...reviewing, '--repo', repo.path, '--json']
  const { stdout } = await sightline(args, { env: { ...fakeEnvironment(fake), ...kept } })
  const [finding] = JSON.parse(stdout).findings as { id: string }[]
  const prove = async (steps: CodedStep[], settings = allowed, ...typed: string[]) => {
    await using provider = await startFakeProvider('anthropic', { steps })
    const env = { ...fakeEnvironment(provider, { settings }), ...kept }
    const words = typed.length > 0 ? typed : [finding?.id ?? '', '--json']
    const result = await sightline(['prove', '--repo', repo.path, '-q', ...words], { env })
    return { ...result, sent: provider.calls.length, mistakes: provider.mistakes }
  }
  return { prove }
}

test('nothing of a repository runs unless the settings of the operator allow it', async () => {
  const { prove } = await setUp()
  const { code, stderr, sent } = await prove([writes(shows)], '')
  expect(code).toBe(2)
  expect(stderr).toContain('sandbox.prove.allow')
  expect(sent).toBe(0)
})

test(
  'a test that fails on the head as predicted and passes on the base; a replay runs nothing',
  needs('a sandbox (bubblewrap or a container)'),
  async () => {
    const { prove } = await setUp()
    const { stdout, code, mistakes } = await prove([writes(shows)])
    expect([code, mistakes]).toEqual([0, []])
    const { reproduction, run } = JSON.parse(stdout)
    expect(reproduction).toMatchObject({ outcome: 'reproduced', framework: 'node:test', tries: 1 })
    expect(reproduction.test.path).toMatch(/^test\/shows-longest-throws-for-an-empty-[0-9a-f]{6}\.test\.js$/)
    expect(reproduction.head.failures[0].message).toContain(emptyArray)
    expect(reproduction.base.status).toBe('passed')
    const again = await prove([], '', '--replay', run, '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ reproduction, isIdentical: true })
    expect(again.sent).toBe(0)
    const text = await prove([], '', '--replay', run)
    expect(text.stdout).toContain('Reproduced: `longest` throws for an empty list (src/longest.js:2)')
    expect(text.stdout).toContain('Run it: node --test test/shows-longest')
  },
)

/** The last two try to deceive and are always played; of the others one is drawn, and `npm run test:matrices` plays all. */
const never = [
  [
    'it passes on both sides',
    writes(`${head}test('one', () => assert.equal(longest(['a']), 'a'))\n`),
    'passes on the head',
  ],
  [
    'it fails on both sides',
    writes(`${head}test('one', () => assert.equal(longest(['a']), 'b', 'not b at all'))\n`, 'not b at all'),
    'fails on the base too',
  ],
  ['it fails for another reason', writes(shows, 'is not a function'), 'another reason'],
  [
    'it cannot be loaded',
    writes("import { nothing } from '../src/nothing.js'\nnothing()\n", 'Cannot find module'),
    'another reason',
  ],
  [
    'it reads the source',
    writes(`import { readFileSync } from 'node:fs'\n${shows}`),
    'could tell the two sides apart',
  ],
  [
    'it prints a forged report and ends well',
    writes(
      `${head}test('one', () => {\n  console.log('<testsuites><testcase name="x"><failure message="${emptyArray}"/></testcase></testsuites>')\n  longest(['a'])\n})\n`,
    ),
    'passes on the head',
  ],
] as const

test(
  'what does not show the finding is no reproduction, whatever it prints',
  needs('a sandbox (bubblewrap or a container)'),
  async () => {
    const { prove } = await setUp()
    for (const [what, step, why] of [...drawn(never.slice(0, -2)), ...never.slice(-2)]) {
      const { stdout } = await prove([step, writes('', '', 'it cannot be shown')])
      const { reproduction } = JSON.parse(stdout)
      expect([what, reproduction.outcome]).toEqual([what, 'not-reproduced'])
      expect(reproduction.why).toContain(why)
    }
  },
)

/** The same finding with a change to commit. */
function suggesting(code: string): CodedStep {
  const old = '  return words.reduce((a, b) => (b.length > a.length ? b : a))'
  const [finding] = found.value.findings
  return {
    ...found,
    value: { ...found.value, findings: [{ ...finding, edits: [{ old, new: `  ${code}` }] }] },
  }
}

const repairs = 'return words.reduce((a, b) => (b.length > a.length ? b : a), "")'

/** The first by default, `npm run test:matrices` plays all; every way to fail: test/pipeline/prove/test-suggestion.test.ts. */
const suggested = [
  ['tested', repairs, 'With the suggested change it passes, twice, and what passed before still does'],
  ['failed', 'return words.length === 0 ? "" : words[0]', 'no longer passes'],
  ['failed', 'return [...words].reduce((a, b) => (b.length > a.length ? b : a))', 'still fails'],
] as const

test.each(isWhole ? suggested : suggested.slice(0, 1))(
  'a review shows its findings by itself where the settings say so; its suggestion is %s: %s; a replay is the same to the byte',
  needs('a sandbox (bubblewrap or a container)'),
  async (outcome, code, words) => {
    const repo = changedRepo(`${head}test('two', () => assert.equal(longest(['a', 'bc']), 'bc'))\n`)
    const steps = [suggesting(code), writes(shows)]
    await using fake = await startFakeProvider('anthropic', { steps })
    const settings = 'sandbox: { prove: { allow: true, inReviews: true } }'
    const env = { ...fakeEnvironment(fake, { settings }), ...ownFolders() }
    const { stdout, stderr } = await sightline([...reviewing, '--repo', repo.path, '--json'], { env })
    expect(fake.mistakes, stderr).toEqual([])
    const review = Review.parse(JSON.parse(stdout))
    const [finding] = review.findings
    expect(finding).toMatchObject({ confidence: 'certain', severity: waitFinding.severity })
    expect(finding?.refusedSuggestion).toBe(undefined)
    expect(finding?.verifiedBy).toContain('reproduced: a test fails because of it')
    expect(review.reproductions).toMatchObject([
      { finding: finding?.id, outcome: 'reproduced', suggestion: { outcome } },
    ])
    expect(review.models?.prompts).toContain('prove@2')
    const asked = fake.calls.length
    const again = await sightline(['replay', 'last', '--json'], { env })
    expect([again.stdout, fake.calls.length]).toEqual([stdout, asked])
    for (const name of ['terminal', 'markdown', 'html', 'agent'] as const) {
      const shown = formats[name](review, { color: false, width: 200, explain: false, maxInline: 10 })
      for (const part of ['est that fails', 'node --test test/shows-longest', emptyArray])
        expect(shown, name).toContain(part)
      if (name === 'agent') continue
      expect(shown.includes('(tested)'), name).toBe(outcome === 'tested')
      expect(shown.replaceAll(/\s+/g, ' '), name).toContain(words)
    }
  },
)

test(
  'a review does not wait for a test beyond its time, and a replay ends where it did',
  needs('a sandbox (bubblewrap or a container)'),
  async () => {
    const repo = changedRepo()
    const slow = shows.replace(
      '() => {',
      'async () => {\n  await new Promise((done) => setTimeout(done, 600_000))',
    )
    await using fake = await startFakeProvider('anthropic', { steps: [found, writes(slow)] })
    const settings = 'sandbox: { prove: { allow: true, inReviews: true, seconds: 600, reviewSeconds: 2 } }'
    const env = { ...fakeEnvironment(fake, { settings }), ...ownFolders() }
    const { stdout } = await sightline([...reviewing, '--repo', repo.path, '--json'], { env })
    const { findings, reproductions, coverage } = JSON.parse(stdout)
    const why = 'the time for tests of this review was used up'
    expect(reproductions).toMatchObject([{ finding: findings[0].id, outcome: 'not-tried', why }])
    expect(coverage.limits).toContain(`No test was run for 1 finding: ${why}`)
    const again = await sightline(['replay', 'last', '--json'], { env })
    expect(again.stdout).toBe(stdout)
  },
)
