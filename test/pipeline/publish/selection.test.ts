/** Which findings are shown in full and which are listed: one rule, and every format follows it. */
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../../src/domain/finding.ts'
import { formats } from '../../../src/pipeline/publish/registry.ts'
import { byConsequence, selectFindings } from '../../../src/pipeline/publish/selection.ts'
import { sampleFinding, sampleReview } from '../../helpers/sample-review.ts'

type Kind = readonly [severity: Finding['severity'], preExisting?: boolean]

/** In this order, each on a line of its own: `C1` on line 101. */
function reviewOf(kinds: readonly Kind[]) {
  const findings = kinds.map(([severity, preExisting = false], at) =>
    sampleFinding({
      id: `C${at + 1}`,
      severity,
      preExisting,
      title: `Problem number ${at + 1}`,
      explanation: `Explanation number ${at + 1}`,
      startLine: 101 + at,
      endLine: 101 + at,
      fingerprint: `${at + 1}`.repeat(64),
    }),
  )
  return sampleReview({ findings })
}

const ids = (findings: readonly Finding[]) => findings.map(({ id }) => id).join()

describe('the rule', () => {
  test.each<[string, Kind[], number, string[]]>([
    ['all that fit, low ones too', [['high'], ['medium'], ['low']], 3, ['C1,C2,C3', '', '', '']],
    [
      'where not all fit, those of low rank are listed',
      [['high'], ['low'], ['low']],
      2,
      ['C1,C2', 'C3', '', ''],
    ],
    ['whatever their severity', [['high'], ['medium'], ['medium'], ['low']], 2, ['C1,C2', 'C3,C4', '', '']],
    ['low ones alone are shown', [['low'], ['low'], ['low']], 2, ['C1,C2', 'C3', '', '']],
    [
      'old ones in the room that is left',
      [['high'], ['medium', true], ['low', true]],
      2,
      ['C1', '', 'C2', 'C3'],
    ],
    ['old ones never instead of new ones', [['low'], ['low'], ['critical', true]], 1, ['C1', 'C2', '', 'C3']],
    ['none in full', [['critical'], ['low', true]], 0, ['', 'C1', '', 'C2']],
  ])('%s', (_name, kinds, most, [full, listed, oldFull, oldListed]) => {
    const { fresh, old } = selectFindings(reviewOf(kinds), { maxInline: most })
    expect([fresh.full, fresh.listed, old.full, old.listed].map(ids)).toEqual([
      full,
      listed,
      oldFull,
      oldListed,
    ])
  })
})

test('what is not likely to be important is listed, however much room there is, unless somebody wants all', () => {
  const review = sampleReview({
    findings: [
      sampleFinding({ id: 'C1', severity: 'medium', inFull: true }),
      sampleFinding({ id: 'C2', severity: 'high', inFull: false }),
    ],
  })
  const { fresh } = selectFindings(review, { maxInline: 9 })
  expect([ids(fresh.full), ids(fresh.listed)]).toEqual(['C1', 'C2'])
  const all = selectFindings(review, { maxInline: 9, minor: true }).fresh
  expect([ids(all.full), ids(all.listed)]).toEqual(['C1,C2', ''])
})

test('more than five in full are first listed by what they lead to', () => {
  const categories = ['correctness', 'security', 'correctness', 'tests', 'security', 'correctness'] as const
  const findings = categories.map((category, at) =>
    sampleFinding({ id: `C${at + 1}`, category, title: `Problem ${at + 1}`, inFull: true, byModel: true }),
  )
  const groups = byConsequence(findings)
  expect(groups.map(({ title, findings: own }) => `${title}: ${ids(own)}`)).toEqual([
    'Wrong results and failures: C1,C3,C6',
    'Security: C2,C5',
    'Tests: C4',
  ])
  expect(byConsequence(findings.slice(1))).toEqual([])
  const options = { color: false, width: 80, explain: false, maxInline: 20 }
  for (const format of ['markdown', 'terminal'] as const) {
    const text = formats[format](sampleReview({ findings }), options)
    expect(text.indexOf('Security')).toBeLessThan(text.lastIndexOf('Problem 1'))
    for (const { title } of findings) expect(text.split(title)).toHaveLength(3)
  }
})

describe('minor findings of a model', () => {
  const ofModel = (verifiedBy: string[] = []): Finding =>
    sampleFinding({ id: 'C9', severity: 'low', byModel: true, verifiedBy, startLine: 109, endLine: 109 })
  const select = (finding: Finding, minor?: boolean) =>
    selectFindings({ ...reviewOf([]), findings: [finding] }, { maxInline: 5, ...(minor ? { minor } : {}) })
      .fresh

  test('are only listed, even alone and with room', () => {
    expect(select(ofModel())).toMatchObject({ full: [], listed: [{ id: 'C9' }] })
  })
  test('are shown in full on request', () => {
    expect(select(ofModel(), true)).toMatchObject({ full: [{ id: 'C9' }], listed: [] })
  })
  test('are shown in full when code confirmed them', () => {
    const verified = ofModel(['1 of 1 claims confirmed by the code index'])
    expect(select(verified)).toMatchObject({ full: [{ id: 'C9' }], listed: [] })
  })
})

/** What is seen before anything is unfolded. */
function unfolded(markdown: string): string {
  let depth = 0
  return markdown
    .split('\n')
    .filter((line) => {
      const isOutside = depth === 0
      depth += (line.match(/<details>/g) ?? []).length - (line.match(/<\/details>/g) ?? []).length
      return isOutside
    })
    .join('\n')
}

const mixed: Kind[] = [['high'], ['medium'], ['medium'], ['low'], ['low'], ['high', true], ['low', true]]

test.each([0, 1, 2, 3, 4, 5, 6, 7, 100])(
  'with room for %i, terminal, Markdown and tasks for agents show the same in full, and lose none',
  (maxInline) => {
    const review = reviewOf(mixed)
    const { fresh, old } = selectFindings(review, { maxInline })
    const expected = [...fresh.full, ...old.full].map(({ id }) => id)
    const options = { color: false, width: 100, explain: false, maxInline }
    const [terminal, markdown] = [formats.terminal(review, options), formats.markdown(review, options)]
    const inFull = (text: string) =>
      review.findings.flatMap(({ id, explanation }) => (text.includes(explanation) ? [id] : []))
    expect(inFull(terminal)).toEqual(expected)
    const inSight = unfolded(markdown)
    expect(inFull(inSight)).toEqual(expected)
    // The others are complete as well, behind a click.
    expect(inFull(markdown)).toEqual(review.findings.map(({ id }) => id))
    expect(inFull(formats.markdown(review, { ...options, headlines: true }))).toEqual(expected)

    const agent = formats.agent(review, options)
    const tasks = [...agent.matchAll(/^Task \d+ of (\d+)\n[\s\S]*?\nPlace:\n\| src\/parse\.ts:10(\d)$/gm)]
    expect(tasks.map(([, , number]) => `C${number}`)).toEqual(expected)
    for (const [, total] of tasks) expect(Number(total)).toBe(expected.length)

    for (const { title, startLine } of review.findings) {
      expect(terminal).toContain(title)
      expect(markdown).toContain(title)
      expect(agent).toContain(`| src/parse.ts:${startLine}`)
    }
    const isCut = expected.length < mixed.length
    expect(terminal.includes('(--minor --max-inline 100 shows all in full)')).toBe(isCut)
    expect(agent.includes('(--minor --max-inline 100 makes one of each)')).toBe(isCut)
    expect(terminal.indexOf('Existed before this change')).toBeGreaterThan(0)
  },
)
