/** What a gate holds back: each of its conditions alone, and its last day. */
import { expect, test } from 'vitest'
import { Gate, makeBlocks } from '../../src/domain/gate.ts'
import { gateOf } from '../../src/server/policies/gate.ts'
import { GatePolicy } from '../../src/server/settings/policy.ts'
import { sampleFinding } from '../helpers/sample-review.ts'

const finding = sampleFinding({ severity: 'high', confidence: 'likely', plane: 'contract' })

test.each([
  [{ failOn: 'high' }, true],
  [{ failOn: 'medium' }, true],
  [{ failOn: 'critical' }, false],
  [{ failOn: 'never' }, false],
  [{ failOn: 'low', planes: ['rules', 'contract'] }, true],
  [{ failOn: 'low', planes: ['rules'] }, false],
  [{ failOn: 'low', paths: ['lib/**', 'src/**'] }, true],
  [{ failOn: 'low', paths: ['lib/**'] }, false],
  [{ failOn: 'low', confidence: 'likely' }, true],
  [{ failOn: 'low', confidence: 'certain' }, false],
] as const)('%j blocks: %s', (gate, isBlocked) => {
  const blocks = makeBlocks(Gate.parse(gate))
  expect(blocks(finding)).toBe(isBlocked)
  expect(blocks({ ...finding, preExisting: true })).toBe(false)
})

test('a gate holds until the end of its last day', () => {
  const policy = GatePolicy.parse({ failOn: 'high', until: '2027-03-31' })
  const { until: _, ...gate } = policy
  expect(gateOf(policy, new Date('2027-03-31T23:59:59Z'))).toEqual(gate)
  expect(gateOf(policy, new Date('2027-04-01T00:00:00Z'))).toBeNull()
  expect(gateOf(GatePolicy.parse({ until: '2027-03-31' }), new Date('2027-01-01'))).toBeNull()
})
