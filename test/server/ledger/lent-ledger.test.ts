/** The ledger as an analyzer has it: what goes back to the worker, and what the worker takes of it. */
import { expect, test } from 'vitest'
import type { LedgerEvent } from '../../../src/ledger/contract.ts'
import { eventsOfReview, lendLedger } from '../../../src/server/ledger/lent-ledger.ts'

const common = { at: '2026-11-22T20:00:00.000Z', change: '7' }
const finding = '0123456789abcdef'
const by = { kind: 'person', name: 'ada' } as const

function fixed(id: string, change = '7'): LedgerEvent {
  return { ...common, change, id, type: 'fixed', finding, head: 'abc', why: 'gone' }
}

test('what was lent is read, and only what is new goes back, once', async () => {
  const known = fixed('a')
  const lent = lendLedger({ events: [known], damage: 'one line' })
  expect(await lent.read('any')).toEqual({ events: [known], damage: 'one line' })
  expect(await lent.append('any', [known, fixed('b'), fixed('b')])).toBe(1)
  expect(lent.added).toEqual([fixed('b')])
  expect((await lent.read('any')).events).toEqual([known, fixed('b')])
})

test('a process that read foreign text dismisses and pauses nothing, and speaks for no other change', () => {
  const events: LedgerEvent[] = [
    fixed('a'),
    fixed('b', '8'),
    { ...common, id: 'c', type: 'paused', by },
    {
      ...{ ...common, id: 'd', type: 'dismissed', finding, by, because: 'I say so', kind: 'wrong' },
      reach: { kind: 'here' },
    },
    { ...common, id: 'e', type: 'restored', finding, by, because: 'I say so' },
    { ...common, id: 'f', type: 'reacted', finding, by, reaction: 'down' },
  ]
  expect(eventsOfReview(events, 7)).toEqual([fixed('a')])
})
