/** Every figure that the dashboard shows of change requests is what the runs and the events of the ledger add up to. */
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Settings } from '../../../src/config/settings/schema.ts'
import type { LedgerEvent } from '../../../src/ledger/contract.ts'
import { syncOutcomes } from '../../../src/server/api/fresh-catalog.ts'
import type { ApiCall } from '../../../src/server/api/routes.ts'
import { runHandlers } from '../../../src/server/api/run-handlers.ts'
import type { Caller } from '../../../src/server/http/caller.ts'
import { lendLedger } from '../../../src/server/ledger/lent-ledger.ts'
import type { RunRow } from '../../../src/storage/catalog/contract.ts'
import { openSqlCatalog } from '../../../src/storage/catalog/sql-catalog.ts'
import { openSqlite } from '../../../src/storage/catalog/sqlite.ts'
import { openRunStore } from '../../../src/storage/runs/registry.ts'
import { sampleSeen } from '../../contracts/ledger-suite.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { Random } from '../../helpers/random.ts'
import { sampleRow } from '../../helpers/sample-row.ts'

const repository = 'github.com/acme/shop'
const caller: Caller = {
  ...{ kind: 'local', name: 'local', tenant: 'acme', scopes: new Set(['read']), repositories: null },
  session: { tenants: ['acme'], user: null, role: 'viewer', csrf: '', expiresAt: null },
}
const signal = new AbortController().signal

const asides = [{}, { aside: 'hidden' }, { aside: 'dismissed' }, { aside: 'pre-existing' }] as const

/** What people and reviews do to findings of two changes, one minute after the other. */
function eventsOf(random: Random): LedgerEvent[] {
  const events: LedgerEvent[] = []
  for (let step = 0; step < 240; step++) {
    const number = random.between(1, 24)
    const { finding, change, head } = sampleSeen(number, { change: number % 2 ? '1' : '2' })
    const common = { id: `e-${step}`, at: new Date(Date.UTC(2026, 10, 22, 12, step)).toISOString(), change }
    if (!events.some((one) => one.type === 'seen' && one.finding === finding)) {
      events.push(sampleSeen(number, common))
      continue
    }
    const of = { ...common, finding }
    const by = { kind: 'person', name: 'Ada' } as const
    const posting = { kind: 'sightline', name: 'a posted review' } as const
    events.push(
      random.pick<LedgerEvent>([
        { ...sampleSeen(number, common), ...random.pick(asides) },
        { ...of, type: 'fixed', head, why: 'gone' },
        { ...of, type: 'outdated', head, why: 'reverted' },
        { ...of, type: 'reopened', cause: 'found-again', head, why: 'back' },
        { ...of, type: 'dismissed', by, because: 'so', kind: 'unimportant', reach: { kind: 'here' } },
        { ...of, type: 'restored', by, because: 'not so' },
        { ...of, type: 'reacted', by: posting, reaction: 'resolved' },
        { ...of, type: 'reacted', by: posting, reaction: 'none' },
      ]),
    )
  }
  return events
}

type Told = { state: string; isDismissed: boolean; counted: 'open' | 'fixed' | 'dismissed' | null }

/** What became of a finding, told from its events one by one. */
function tell(events: readonly LedgerEvent[], finding: string): Told {
  let [state, isDismissed, isSettled, wasCounted] = ['open', false, false, false]
  let aside: string | null = null
  for (const event of events) {
    if (!('finding' in event) || event.finding !== finding) continue
    if (event.type === 'seen') {
      aside = event.aside ?? null
      wasCounted ||= aside === null
    } else if (event.type === 'dismissed') [state, isDismissed] = ['dismissed', true]
    else if (event.type === 'restored') {
      if (state === 'dismissed') state = 'reopened'
      isDismissed = false
    } else if (event.type === 'fixed' || event.type === 'outdated') state = event.type
    else if (event.type === 'reopened') state = isDismissed ? 'dismissed' : 'reopened'
    else if (event.type === 'reacted' && event.by.kind === 'sightline')
      isSettled = event.reaction === 'resolved'
  }
  const isOpen = state === 'open' || state === 'reopened'
  const isAside = isOpen && aside !== null && aside !== 'dismissed'
  const isAway = state === 'dismissed' || (isOpen && (aside === 'dismissed' || (isSettled && !isAside)))
  const isGone = state === 'fixed' || state === 'outdated'
  if (isAway) return { state: 'dismissed', isDismissed, counted: 'dismissed' }
  if (isGone) return { state, isDismissed, counted: wasCounted ? 'fixed' : null }
  return { state, isDismissed, counted: isAside ? null : 'open' }
}

test.each([1, 2, 3])('figures of a change request, of the list and of trends, seed %i', async (seed) => {
  const random = new Random(seed)
  const home = openSqlite(join(temporaryFolder(), 'catalog.sqlite'))
  onTestFinished(() => home.close())
  const catalog = openSqlCatalog(home, 'acme')
  const events = eventsOf(random)
  const rows = Array.from({ length: 12 }, (_, at): RunRow => {
    const second = String(at).padStart(2, '0')
    return sampleRow({
      ...{ run: `20261122-1200${second}-000000`, startedAt: `2026-11-22T12:00:${second}.000Z` },
      ...{ repository, change: random.between(1, 2), usd: random.between(0, 100) / 64 },
      ...{ kind: at % 4 === 3 ? 'question' : 'review', title: `Settle orders ${at}` },
    })
  })
  await catalog.put(
    rows.map((row) => ({
      row,
      amounts: [
        { kind: 'sum', name: 'runs', bucket: 0, amount: 1 },
        { kind: 'sum', name: 'usd', bucket: 0, amount: row.usd },
      ],
    })),
  )
  const ledger = lendLedger({ events, damage: null })
  const known = { ...ledger, repositories: async () => [repository] }
  await syncOutcomes(known, catalog, signal)
  const { journal, telemetry } = Settings.parse({})
  const runs = await openRunStore(journal, {
    environment: { XDG_STATE_HOME: temporaryFolder() },
    tenant: 'acme',
  })
  const handlers = runHandlers(
    async () => ({ catalog, runs, ledger: known, telemetry }),
    () => new Date('2026-11-23'),
  )
  const call = <Query>(query: Query) => ({ caller, parameters: {}, query, body: null as never, signal })

  const listed = await handlers.changes(call({ limit: 50 }) as ApiCall<'changes'>)
  const items = 'items' in listed ? listed.items : []
  expect(items.map(({ newest }) => newest.run)).toEqual(
    items
      .map(({ newest }) => newest.run)
      .toSorted()
      .reverse(),
  )
  expect(items).toHaveLength(2)
  for (const { newest, reviews, usd } of items) {
    const own = rows.filter(({ change }) => change === newest.change)
    expect(newest).toEqual(own.findLast(({ kind }) => kind === 'review'))
    expect(reviews).toBe(own.filter(({ kind }) => kind === 'review').length)
    expect(usd).toBeCloseTo(own.reduce((sum, row) => sum + row.usd, 0))

    const detail = await handlers.change(
      call({ repository, change: newest.change ?? 0 }) as ApiCall<'change'>,
    )
    if (!('counts' in detail)) throw new Error('not a change')
    const found = [
      ...new Set(
        events.flatMap((event) =>
          'finding' in event && event.change === String(newest.change) ? [event.finding] : [],
        ),
      ),
    ]
    const told = found.map((finding) => tell(events, finding))
    const count = (wanted: string) => told.filter(({ counted }) => counted === wanted).length
    expect(detail.counts).toEqual({
      open: count('open'),
      fixed: count('fixed'),
      dismissed: count('dismissed'),
    })
    expect(detail.findings.map(({ id, state }) => [id, state]).toSorted()).toEqual(
      found.map((finding) => [finding, tell(events, finding).state]).toSorted(),
    )
    const moves = events.filter((event) => 'finding' in event && event.change === String(newest.change))
    expect(detail.findings.reduce((sum, one) => sum + one.moves.length, 0)).toBe(moves.length)
    expect(detail.usd).toBeCloseTo(usd)
    expect(detail.title).toBe(own.at(-1)?.title)
  }

  const trends = await handlers.trends(call({}) as unknown as ApiCall<'trends'>)
  if (!('totals' in trends)) throw new Error('not trends')
  const all = new Set(events.flatMap((event) => ('finding' in event ? [event.finding] : [])))
  const ends = [...all].map((finding) => tell(events, finding))
  // What was resolved by hand is no outcome until a person who may judge is known, and a person's judgement outlives the code.
  const addressed = ends.filter(({ state, isDismissed }) => state === 'fixed' && !isDismissed)
  const outcome = trends.outcomes.find(({ by }) => by === 'all')
  expect(outcome?.addressed).toBeCloseTo(addressed.length / all.size)
  expect(outcome?.dismissed).toBeCloseTo(ends.filter(({ isDismissed }) => isDismissed).length / all.size)
  expect(trends.totals.runs).toBe(rows.length)
  expect(trends.totals.usd).toBeCloseTo(rows.reduce((sum, { usd }) => sum + usd, 0))
})
