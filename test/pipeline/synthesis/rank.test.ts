import { describe, expect, test } from 'vitest'
import type { Finding, Refutation } from '../../../src/domain/finding.ts'
import { bothReadersWords } from '../../../src/domain/proof.ts'
import { severities } from '../../../src/domain/severity.ts'
import { noveltyOf, type RankInput, rankFindings } from '../../../src/pipeline/synthesis/synthesise.ts'
import { finding, planes, proven, run, standingIds, upheld } from './parts.ts'

/** Each in a file of its own: novelty decides nothing. */
const elsewhere = (file: number) => at(`src/${file}.ts`)
const at = (path: string) => ({ anchor: { path, tags: ['L12#abc'] } })
const ranked = (findings: readonly Finding[], more: Partial<RankInput> = {}) =>
  rankFindings(findings, planes, { refutations: [], talkative: 'usual', ...more })
const ids = (findings: readonly Finding[]) => ranked(findings).map(({ id }) => id)

describe('by how likely it is to be important', () => {
  test('severity first: what is low never comes before what is high', () => {
    const weak = finding('C1', { severity: 'high', confidence: 'possible', category: 'documentation' })
    const sure = finding('C2', { severity: 'low', confidence: 'certain', ...proven, ...elsewhere(1) })
    expect(ids([sure, weak])).toEqual(['C1', 'C2'])
  })
  test('nothing but its severity: each step is at least as likely', () => {
    const all = severities.map((severity, at) => finding(`C${at}`, { severity, ...elsewhere(at) }))
    const found = ranked(all).map(({ importance }) => importance ?? 0)
    expect(found).toEqual(found.toSorted((a, b) => b - a))
    expect([Math.round(found[0] ?? 0), Math.round(found.at(-1) ?? 1)]).toEqual([1, 0])
  })
  test('what its author called worse comes before what everybody called medium', () => {
    const lowered = { from: 'critical', why: 'nothing could confirm it' } as const
    expect(ids([finding('C1', elsewhere(1)), finding('C2', { lowered, ...elsewhere(2) })])).toEqual([
      'C2',
      'C1',
    ])
  })
  test('surer comes first', () => {
    expect(
      ids([finding('C1', { confidence: 'possible' }), finding('C2', { confidence: 'certain' })]),
    ).toEqual(['C2', 'C1'])
  })
  test('that a check upheld it, or that its author is sure, is never less', () => {
    const doubted = finding('C2', { confidence: 'possible' })
    expect(ids([doubted, finding('C1', { confidence: 'possible', ...upheld })])).toEqual(['C1', 'C2'])
    expect(ids([doubted, finding('C1', { confidence: 'likely' })])).toEqual(['C1', 'C2'])
  })
  test('that both readers found it says nothing of how important it is', () => {
    const both = finding('C2', { verifiedBy: [bothReadersWords], ...elsewhere(2) })
    expect(ids([finding('C1', elsewhere(1)), both])).toEqual(['C1', 'C2'])
  })
  test('what a judge rates lower, or could not settle, comes later', () => {
    const all = [finding('C1', elsewhere(1)), finding('C2', elsewhere(2)), finding('C3', elsewhere(3))]
    const said = { reason: '', citations: [] }
    const refutations: Refutation[] = [
      { ...said, finding: 'C1', outcome: 'undecided', severity: 'low' },
      { ...said, finding: 'C2', outcome: 'undecided', severity: 'medium' },
      { ...said, finding: 'C3', outcome: 'upheld', severity: 'high' },
    ]
    expect(ranked(all, { refutations }).map(({ id }) => id)).toEqual(['C3', 'C2', 'C1'])
  })
  test('what a judge lowered comes before what everybody called minor', () => {
    const all = [
      finding('C1', { severity: 'low', ...elsewhere(1) }),
      finding('C2', { severity: 'low', ...elsewhere(2) }),
    ]
    const said = { reason: '', citations: [], outcome: 'upheld' as const, severity: 'low' as const }
    const refutations: Refutation[] = [
      { ...said, finding: 'C1', was: 'low' },
      { ...said, finding: 'C2', was: 'medium' },
    ]
    expect(ranked(all, { refutations }).map(({ id }) => id)).toEqual(['C2', 'C1'])
  })
  test('what no judge has seen is neither as likely as what one called medium nor as unlikely as what one called low', () => {
    const said = (severity: 'low' | 'medium'): Refutation => ({
      ...{ finding: 'C1', outcome: 'upheld', reason: '', citations: [], was: 'medium', severity },
    })
    const of = (refutations: Refutation[], severity: 'low' | 'medium' = 'medium') =>
      ranked([finding('C1', { severity, ...upheld })], { refutations })[0]?.importance ?? 0
    const alone = ranked([finding('C1')])[0]?.importance ?? 0
    expect([of([said('low')], 'low'), alone, of([said('medium')])]).toEqual(
      [of([said('low')], 'low'), alone, of([said('medium')])].toSorted((a, b) => a - b),
    )
    expect(of([{ ...said('medium'), outcome: 'not-asked' }])).toBeLessThan(of([said('medium')]))
  })
  test('how talkative a team wants it moves the line, and not the order', () => {
    const all = severities.map((severity, at) =>
      finding(`C${at}`, { severity, confidence: 'possible', category: 'tests', ...elsewhere(at) }),
    )
    const shown = (['few', 'usual', 'many'] as const).map((talkative) =>
      ranked(all, { talkative }).map(({ id, inFull }) => `${id}${inFull ? '!' : ''}`),
    )
    const counts = shown.map((one) => one.filter((id) => id.endsWith('!')).length)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(new Set(shown.map((one) => one.join().replaceAll('!', ''))).size).toBe(1)
  })
  test('where nothing is likely to be important, what code is certain of is shown', () => {
    const code = { byModel: false, severity: 'low', confidence: 'certain', category: 'tests' } as const
    const [own, said] = [
      finding('C1', { ...code, ...elsewhere(1) }),
      finding('C2', { severity: 'low', ...elsewhere(2) }),
    ]
    expect(ranked([own, said]).map(({ id, inFull }) => [id, inFull])).toEqual([
      ['C1', true],
      ['C2', false],
    ])
  })
  test('the third of one rule in one file comes after the first of another file', () => {
    const [one, two, three] = [20, 30, 40].map((line, index) =>
      finding(`C${index + 1}`, { startLine: line, endLine: line }),
    )
    const other = finding('C4', at('src/z.ts'))
    if (one && two && three) expect(ids([three, other, two, one])).toEqual(['C1', 'C4', 'C2', 'C3'])
  })
  test('what code said of the lines already comes after what is news', () => {
    const byCode = { plane: 'contract', rule: 'contract/arity', category: 'contract' as const }
    const code = finding('C1', { ...byCode, byModel: false, severity: 'low', title: 'other words' })
    const again = finding('C2', { category: 'contract', rule: 'correctness/contract' })
    const news = finding('C3', { category: 'contract', ...at('src/z.ts') })
    expect(noveltyOf(again, [], [code])).toBe(3)
    expect(ids([code, again, news])).toEqual(['C3', 'C2', 'C1'])
  })
  test('novelty ends at its least, and is least for what stood there before', () => {
    const many = Array.from({ length: 9 }, (_, index) => finding(`C${index}`))
    expect(noveltyOf(finding('C10'), many)).toBe(2)
    expect(noveltyOf(finding('C10', { preExisting: true }), [])).toBe(2)
  })
})

test('what stood there before comes last, however grave', () => {
  const old = finding('C1', { severity: 'critical', confidence: 'certain', preExisting: true })
  const low = finding('C2', { severity: 'low', confidence: 'possible', ...at('src/z.ts') })
  expect(standingIds(run([old, low]))).toEqual(['C2', 'C1'])
})

test('ties: planes in their order, then path, line, rule and id', () => {
  expect(
    ids([
      finding('C10', at('src/b.ts')),
      finding('C9', at('src/a.ts')),
      finding('C3', { plane: 'contract', ...at('src/c.ts') }),
      finding('C2', { ...at('src/d.ts'), startLine: 3 }),
    ]),
  ).toEqual(['C3', 'C9', 'C10', 'C2'])
})
