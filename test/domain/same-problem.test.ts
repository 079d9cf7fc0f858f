/** Two findings are one only when cause and remedy are the same; what both say survives. */
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../src/domain/finding.ts'
import { compareSupport, mergeFindings } from '../../src/domain/merge-findings.ts'
import { upheldWords } from '../../src/domain/proof.ts'
import { isSameProblem } from '../../src/domain/same-problem.ts'
import { sampleFinding } from '../helpers/sample-review.ts'
import { isTwin, measureMerging } from './merging/measure.ts'

function finding(id: string, overrides: Partial<Finding> = {}): Finding {
  return sampleFinding({
    id,
    plane: 'correctness',
    rule: 'correctness/correctness',
    severity: 'medium',
    confidence: 'likely',
    byModel: true,
    claims: [],
    suggestion: null,
    verifiedBy: [],
    anchor: { path: 'src/session.ts', tags: ['L12#abc'] },
    title: 'The session `token` is written to the log in plain text',
    explanation: '`logger.info` prints `token`, so anyone who reads the log can act as the user.',
    remedy: 'Log the user id instead of the `token`.',
    ...overrides,
  })
}

const retold = finding('C2', {
  plane: 'security',
  title: 'Log line exposes the `token` of the session',
  explanation:
    'Whoever reads the log can take over the session of the user: `logger.info` receives the `token`.',
  remedy: 'Do not log the `token`.',
})

const claim = (symbol: string, kind: 'no-test-calls' | 'caller-not-updated' = 'no-test-calls') =>
  kind === 'no-test-calls'
    ? ({ kind, symbol, path: 'src/session.ts', line: 12 } as const)
    : ({ kind, symbol, definedIn: 'src/session.ts', path: 'src/app.ts', line: 4 } as const)

const edit = (replacement: string) => ({
  suggestion: { path: 'src/session.ts', startLine: 12, endLine: 12, replacement },
})

describe('one problem', () => {
  test('the same cause and remedy in other words', () => {
    expect(isSameProblem(finding('C1'), retold)).toBe(true)
    expect(isSameProblem(retold, finding('C1'))).toBe(true)
  })
  test('the same claims, or the same edit, however it is worded', () => {
    const claims = [claim('parse')]
    expect(isSameProblem(finding('C1', { claims }), { ...retold, title: 'Nothing tests it', claims })).toBe(
      true,
    )
    expect(
      isSameProblem(finding('C1', edit('log(user.id)')), {
        ...retold,
        title: 'Secret in a log',
        ...edit(' log(user.id)\n'),
      }),
    ).toBe(true)
  })
  test('lines of one statement', () => {
    const nextLine = { anchor: { path: 'src/session.ts', tags: ['L14#def'] }, startLine: 14, endLine: 14 }
    expect(isSameProblem(finding('C1'), { ...retold, ...nextLine })).toBe(true)
  })
})

describe('two problems stay two', () => {
  const wide = { anchor: { path: 'src/session.ts', tags: ['L3#aaa', 'L60#bbb'] }, startLine: 3, endLine: 60 }
  test.each<[string, Partial<Finding>]>([
    [
      'of one cited line and function',
      {
        title: 'An expired session is renewed without a check',
        explanation: '`renew` is called before `expiresAt` is compared, so an old cookie lives for ever.',
        remedy: 'Compare `expiresAt` first.',
      },
    ],
    ['within a span from the lowest to the highest tag', { ...retold, ...wide }],
    [
      'of another subject in the same words',
      { title: 'The session `cookie` is written to the log in plain text' },
    ],
    [
      'with names of their own',
      {
        title: 'The user `email` is written to the log in plain text',
        explanation:
          '`logger.info` prints `email`, so anyone who reads the log knows the address of the user.',
        remedy: 'Log the user id instead of the `email`.',
      },
    ],
    ['that name other numbers', { title: 'The session `token` is written to 3 logs in plain text' }],
    ['that say the opposite', { title: 'The new session `token` is written to the log in plain text' }],
    ['with another claim', { claims: [claim('parse', 'caller-not-updated')] }],
    ['with another edit', edit('log(session.id)')],
    ['in another file', { anchor: { path: 'src/other.ts', tags: ['L12#abc'] } }],
    ['on the other side', { side: 'old', anchor: { path: 'src/session.ts', tags: ['O12#abc'] } }],
  ])('%s', (name, overrides) => {
    const first = finding('C1', {
      ...(name === 'with another claim' ? { claims: [claim('parse')] } : {}),
      ...(name === 'with another edit' ? edit('log(user.id)') : {}),
      ...(name === 'that say the opposite'
        ? { title: 'The old session `token` is written to the log in plain text' }
        : {}),
      ...(name === 'that name other numbers'
        ? { title: 'The session `token` is written to 2 logs in plain text' }
        : {}),
    })
    const other =
      name === 'that say the opposite'
        ? finding('C2', overrides)
        : finding('C2', { ...(overrides.title === undefined ? retold : {}), ...overrides, id: 'C2' })
    expect(isSameProblem(first, other)).toBe(false)
  })
})

describe('what is left of both', () => {
  test('the stronger telling wins, and what the other adds is kept', () => {
    const weak = finding('C1', { remedy: null, evidence: [{ evidence: 'E1', quote: 'a' }] })
    const strong = {
      ...retold,
      severity: 'high' as const,
      ...edit('log(user.id)'),
      evidence: [{ evidence: 'E2', quote: 'b' }],
      explanation: `${retold.explanation} Backups keep the log for a year.`,
    }
    expect([weak, strong].sort(compareSupport)[0]?.id).toBe('C2')
    const merged = mergeFindings(weak, { ...strong, severity: 'high' })
    expect(merged).toMatchObject({ id: 'C1', severity: 'high', remedy: 'Do not log the `token`.' })
    expect(merged.suggestion?.replacement).toBe('log(user.id)')
    expect(merged.explanation).toContain('Related, from the security plane: ')
    expect(merged.explanation).toContain('Backups keep the log for a year.')
    expect(merged.explanation).not.toContain('`logger.info` receives')
    expect(merged.evidence.map(({ evidence }) => evidence)).toEqual(['E1', 'E2'])
  })
  test('of equal weight the one that says more wins, whatever its plane', () => {
    const bare = finding('C1', { remedy: null, explanation: 'Short.' })
    expect([bare, retold].sort(compareSupport)[0]?.id).toBe('C2')
  })
  test('a model hides nothing that code found, and raises it to medium at most', () => {
    const code = finding('C1', { byModel: false, severity: 'low' })
    const model = { ...retold, severity: 'critical' as const }
    expect([model, code].sort(compareSupport)[0]?.id).toBe('C1')
    expect(mergeFindings(code, model).severity).toBe('medium')
  })
  test('to a finding of code a model adds what fails, the remedy and places; one without room is left out', () => {
    const code = finding('C1', { byModel: false, explanation: 'A caller is left.', remedy: null })
    const places = [{ path: 'src/b.ts', side: 'new', startLine: 4, endLine: 4, quote: 'parse(x)' } as const]
    const model = { ...retold, title: 'Every export fails', explanation: 'It passes one argument.', places }
    expect(mergeFindings(code, model)).toMatchObject({
      id: 'C1',
      byModel: false,
      title: code.title,
      places,
      explanation:
        'A caller is left.\n\nThe reviewer model adds: Every export fails. It passes one argument.',
      remedy: retold.remedy,
    })
    const full = { ...code, explanation: 'x'.repeat(3_990), severity: 'critical' as const }
    expect(mergeFindings(full, model)).toMatchObject({ severity: 'critical', explanation: full.explanation })
  })
  test.each([
    ['a claim that code confirmed', '1 claim confirmed by the code index'],
    ['an independent check', upheldWords],
  ])('raised further by %s', (_name, words) => {
    const code = finding('C1', { byModel: false, severity: 'low' })
    const proven = { ...retold, severity: 'high' as const, verifiedBy: [words] }
    expect(mergeFindings(code, proven)).toMatchObject({ severity: 'high', verifiedBy: [words] })
    expect(mergeFindings({ ...code, severity: 'critical' }, proven).severity).toBe('critical')
  })
  test('a cap survives until the severity is higher than the cap left it', () => {
    const lowered = { from: 'high' as const, why: 'severity capped at medium, from high: no claim' }
    expect(mergeFindings(finding('C1'), { ...retold, lowered }).lowered).toEqual(lowered)
    expect(mergeFindings(finding('C1', { lowered }), { ...retold, severity: 'critical' })).not.toHaveProperty(
      'lowered',
    )
    expect(mergeFindings(finding('C1', { byModel: false }), { ...retold, lowered })).not.toHaveProperty(
      'lowered',
    )
  })
  test('further places of both, each once, and none that the winner is shown at', () => {
    const place = (path: string, startLine: number) =>
      ({ path, side: 'new', startLine, endLine: startLine, quote: 'log(token)' }) as const
    const winner = finding('C1', { places: [place('src/admin.ts', 4)] })
    const own = place(winner.anchor.path, winner.startLine)
    const places = [own, place('src/admin.ts', 4), place('src/guest.ts', 7), place('src/guest.ts', 7)]
    expect(mergeFindings(winner, { ...retold, places }).places).toEqual([
      place('src/admin.ts', 4),
      place('src/guest.ts', 7),
    ])
    expect(mergeFindings(finding('C1'), { ...retold, places: [own] })).not.toHaveProperty('places')
  })
  test('one suggestion with its own refusal, and what either says about a library', () => {
    const documented = { name: 'pino', behaviour: 'Redaction is off by default.' }
    const refused = { refusedSuggestion: 'it is not in the diff', example: 'log(id)' }
    const merged = mergeFindings(finding('C1', edit('log(user.id)')), { ...retold, ...refused, documented })
    expect(merged).toMatchObject({ ...edit('log(user.id)'), documented })
    expect(merged).not.toHaveProperty('example')
    expect(mergeFindings(finding('C1'), { ...retold, ...refused })).toMatchObject(refused)
  })
  test('evidence and words stay within their limits', () => {
    const evidence = Array.from({ length: 18 }, (_, at) => ({ evidence: `E${at}`, quote: 'q' }))
    const more = evidence.map((one) => ({ ...one, quote: 'r' }))
    const merged = mergeFindings(finding('C1', { evidence, explanation: 'x'.repeat(3_990) }), {
      ...retold,
      evidence: more,
    })
    expect(merged.evidence).toHaveLength(20)
    expect(merged.explanation).toHaveLength(3_990)
  })
})

/** The figures of docs/quality/merging.md; a change that makes them worse has to say so there. */
describe('labelled pairs', () => {
  test.each(['tune', 'held-out'] as const)('%s: what is merged is the same', (half) => {
    const score = measureMerging((pair) => pair.half === half)
    expect(score.pairs).toBeGreaterThanOrEqual(150)
    expect(score.precision).toBeGreaterThanOrEqual(0.95)
    expect(score.recall).toBeGreaterThanOrEqual(0.45)
    expect(measureMerging((pair) => pair.half === half && !isTwin(pair)).precision).toBe(1)
  })
})
