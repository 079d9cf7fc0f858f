/** Two reviews finding by finding. */
import { expect, test } from 'vitest'
import type { Finding } from '../../src/domain/finding.ts'
import { compareFindings } from '../../src/ledger/compare.ts'
import { sampleFinding } from '../helpers/sample-review.ts'

function finding(name: string, more: Partial<Finding> = {}): Finding {
  const path = more.anchor?.path ?? `src/${name}.ts`
  return sampleFinding({
    id: name,
    rule: `rule/${name}`,
    fingerprint: name.padEnd(64, '0').replace(/[^0-9a-f]/g, 'a'),
    title: `${name} is wrong`,
    explanation: `because of ${name}`,
    claims: [],
    suggestion: null,
    severity: 'medium',
    ...more,
    anchor: { path, tags: [`L${more.startLine ?? 3}#abc`] },
  })
}

test('two empty reviews are alike, and a review is like itself', () => {
  expect(compareFindings([], []).fidelity).toBe(1)
  const { fidelity, counts } = compareFindings([finding('a'), finding('b')], [finding('b'), finding('a')])
  expect([fidelity, counts.kept]).toEqual([1, 2])
})

test('kept, lost, new, moved and another severity, weighted by severity', () => {
  const before = [
    finding('kept', { severity: 'high' }),
    finding('lost', { severity: 'critical' }),
    finding('moved', { startLine: 3, endLine: 3 }),
    finding('rated', { severity: 'high' }),
  ]
  const after = [
    finding('kept', { severity: 'high' }),
    finding('moved', { startLine: 30, endLine: 30 }),
    finding('rated', { severity: 'medium' }),
    finding('fresh', { severity: 'low' }),
  ]
  const { counts, findings, fidelity } = compareFindings(before, after)
  expect(counts).toEqual({ kept: 1, lost: 1, new: 1, moved: 1, 'severity-changed': 1 })
  expect(findings.map(({ kind }) => kind)).toEqual(['lost', 'new', 'severity-changed', 'moved', 'kept'])
  // Kept 4, moved 2, rated 4 less a quarter; of 4 + 2 + 4 + lost 8 + fresh 1.
  expect(fidelity).toBeCloseTo((4 + 2 + 3) / 19)
  expect(findings.find(({ kind }) => kind === 'lost')).toMatchObject({ before: { id: 'lost' }, after: null })
})
