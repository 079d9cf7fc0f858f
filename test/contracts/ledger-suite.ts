/** What every home of ledgers must keep to. `open` gives the same home again each time it is called. */
import { describe, expect, test } from 'vitest'
import type { EventOf, LedgerEvent, LedgerStore } from '../../src/ledger/contract.ts'
import { foldLedger } from '../../src/ledger/fold.ts'
import { recordsOf } from '../../src/ledger/record.ts'
import { sampleFinding } from '../helpers/sample-review.ts'

export function sampleSeen(number: number, more: Partial<EventOf<'seen'>> = {}): EventOf<'seen'> {
  const finding = number.toString(16).padStart(16, '0')
  const [record] = recordsOf([sampleFinding({ fingerprint: finding.padEnd(64, '0') })])
  if (!record) throw new Error('one finding has one record')
  return {
    id: `seen-${number}`,
    at: '2026-11-22T12:00:00.000Z',
    change: '12',
    type: 'seen',
    finding,
    record,
    facts: { plane: 'contract', rule: 'contract/x', severity: 'high', category: 'contract', model: null },
    head: 'a'.repeat(40),
    run: null,
    ...more,
  }
}

export function sampleDismissed(
  number: number,
  { because = 'so', kind = 'wrong' }: Partial<Pick<EventOf<'dismissed'>, 'because' | 'kind'>> = {},
): LedgerEvent {
  const { finding, at, change } = sampleSeen(number)
  const by = { kind: 'person', name: 'Ada' } as const
  const reach = { kind: 'here' } as const
  return { id: `d-${number}`, at, change, type: 'dismissed', finding, by, because, kind, reach }
}

const because = 'checked in `caller`: \u00e4 \ud83d\ude00 \u0000 "quoted"\n<b>\\'
const dismissed = (number: number) => sampleDismissed(number, { because })

export function ledgerSuite(name: string, open: () => Promise<LedgerStore>): void {
  describe(`${name} as a home of ledgers`, () => {
    const repository = 'github.com/acme/shop'

    test('what was appended is read in its order, by another opening too', async () => {
      const events = [sampleSeen(1), dismissed(1), sampleSeen(2)]
      expect(await (await open()).append(repository, events)).toBe(3)
      expect(await (await open()).read(repository)).toEqual({ events, damage: null })
    })

    test('a secret in a reason is not kept', async () => {
      const secret = `ghp_${'Zq3vXw8RtB5nMk2LpYc7DfGh4JsA1eUo6iTx'}`
      const event = sampleDismissed(1, { because: `${secret} is a test token` })
      await (await open()).append('secret', [event])
      const { events } = await (await open()).read('secret')
      expect(events).toEqual([{ ...event, because: 'ghp_… is a test token' }])
    })

    test('the same event again adds nothing, alone or among others', async () => {
      const store = await open()
      await store.append('repeat', [sampleSeen(1)])
      expect(await store.append('repeat', [sampleSeen(1), sampleSeen(2), sampleSeen(2)])).toBe(1)
      expect((await store.read('repeat')).events.map(({ id }) => id)).toEqual(['seen-1', 'seen-2'])
      expect(await store.append('repeat', [])).toBe(0)
    })

    test('repositories do not see each other, whatever they are called', async () => {
      const store = await open()
      const keys = ['a/b', 'a-b', 'A/B', '../../a', 'a/b/', '\u00e4/\ud83d\ude00', `long/${'x'.repeat(200)}`]
      for (const [at, key] of keys.entries()) await store.append(key, [sampleSeen(at + 1)])
      for (const [at, key] of keys.entries())
        expect((await store.read(key)).events.map(({ id }) => id)).toEqual([`seen-${at + 1}`])
      expect(await store.repositories()).toEqual(expect.arrayContaining(keys))
      await store.remove('a/b')
      expect((await store.read('a/b')).events).toEqual([])
      expect((await store.read('a-b')).events).toHaveLength(1)
      expect(await store.repositories()).not.toContain('a/b')
      expect((await store.read('never seen')).events).toEqual([])
    })

    test('many writers at one time lose nothing, and what they have in common is there once', async () => {
      const stores = await Promise.all(Array.from({ length: 8 }, open))
      await Promise.all(
        stores.flatMap((store, at) =>
          Array.from({ length: 5 }, (_, step) =>
            store.append('busy', [sampleSeen(1000), sampleSeen(at * 5 + step), dismissed(at * 5 + step)]),
          ),
        ),
      )
      const { events, damage } = await (await open()).read('busy')
      expect(damage).toBeNull()
      expect(events).toHaveLength(81)
      expect(new Set(events.map(({ id }) => id)).size).toBe(81)
      expect(
        [...foldLedger(events).findings.values()].filter(({ state }) => state === 'dismissed'),
      ).toHaveLength(40)
    })
  })
}
