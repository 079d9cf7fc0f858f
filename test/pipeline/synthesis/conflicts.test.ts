import { describe, expect, test } from 'vitest'
import type { Finding } from '../../../src/domain/finding.ts'
import { checked, finding, proven, run, upheld } from './parts.ts'

const other = { plane: 'security', category: 'correctness', title: 'Input reaches a shell' } as const
const claims = [{ kind: 'no-test-calls', symbol: 'parse', path: 'src/parse.ts', line: 12 } as const]
const high = (overrides: Partial<Finding> = {}) => finding('C1', { severity: 'high', claims, ...overrides })
const low = (overrides: Partial<Finding> = {}) =>
  finding('C2', { ...other, severity: 'low', claims, ...overrides })
const resolved = (findings: Finding[]) => {
  const { verdicts, conflicts } = run(findings)
  return {
    conflicts,
    severities: Object.fromEntries(
      verdicts.map(({ candidate, finding: left }) => [candidate.id, left?.severity]),
    ),
    verdicts,
  }
}

describe('how bad it is', () => {
  test.each([
    ['a checker outweighs the index', proven, checked],
    ['the index outweighs a second look', upheld, proven],
    ['a second look outweighs further evidence', {}, upheld],
    ['further evidence outweighs its own words', { evidence: [] }, {}],
  ])('%s: the worse one, less proven, comes down to one step above', (_name, worse, milder) => {
    const { severities, conflicts, verdicts } = resolved([high(worse), low(milder)])
    expect(severities).toEqual({ C1: 'medium', C2: 'low' })
    expect(conflicts).toMatchObject([{ upheld: 'C2', yielded: 'C1', about: 'severity' }])
    expect(verdicts.find(({ candidate }) => candidate.id === 'C1')).toMatchObject({
      outcome: 'demoted',
      step: 'claims',
      reason: expect.stringContaining('C2 says low'),
    })
  })
  test('the worse one holds when it is better proven, or as well', () => {
    for (const pair of [
      [high(proven), low()],
      [high(), low()],
    ]) {
      const { severities, conflicts } = resolved(pair)
      expect(severities).toEqual({ C1: 'high', C2: 'low' })
      expect(conflicts).toMatchObject([{ upheld: 'C1', yielded: 'C2' }])
    }
  })
  test('what code found does not yield to a model', () => {
    const { severities } = resolved([high({ byModel: false, verifiedBy: [] }), low(checked)])
    expect(severities).toEqual({ C1: 'high', C2: 'low' })
  })
  test('another matter on the same lines, one step apart, or one plane: no conflict', () => {
    expect(resolved([high(), low({ claims: [] })]).conflicts).toEqual([])
    expect(resolved([high(), low({ severity: 'medium' })]).conflicts).toEqual([])
    expect(resolved([high(), low({ plane: 'correctness' })]).conflicts).toEqual([])
    expect(resolved([high(), low({ startLine: 50, endLine: 50 })]).conflicts).toEqual([])
  })
})

describe('suggested fix', () => {
  const suggestion = (replacement: string) => ({
    suggestion: { path: 'src/parse.ts', startLine: 12, endLine: 12, replacement },
  })
  test('of two texts for the same lines one is offered, the other is an example', () => {
    const { verdicts, conflicts } = run([
      finding('C1', suggestion('one')),
      finding('C2', { ...other, ...suggestion('two'), ...proven }),
    ])
    expect(conflicts).toMatchObject([{ upheld: 'C2', yielded: 'C1', about: 'suggestion' }])
    expect(verdicts.find(({ candidate }) => candidate.id === 'C1')).toMatchObject({
      outcome: 'demoted',
      step: 'suggestion',
      finding: { suggestion: null, example: 'one' },
    })
    expect(verdicts.find(({ candidate }) => candidate.id === 'C2')?.finding?.suggestion?.replacement).toBe(
      'two',
    )
  })
  test('the same text, or other lines: no conflict', () => {
    const far = { suggestion: { path: 'src/parse.ts', startLine: 30, endLine: 31, replacement: 'two' } }
    expect(
      run([finding('C1', suggestion('one')), finding('C2', { ...other, ...suggestion('one') })]).conflicts,
    ).toEqual([])
    expect(run([finding('C1', suggestion('one')), finding('C2', { ...other, ...far })]).conflicts).toEqual([])
  })
})
