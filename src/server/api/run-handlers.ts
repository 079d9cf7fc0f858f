/** What the API answers about runs, the same on one machine and on a server: from the catalog and the store of a tenant. */
import { turnsOf } from '../../assembly/conversations.ts'
import { compareRuns, notesOnRecord } from '../../assembly/recorded-reviews.ts'
import type { TelemetrySettings } from '../../config/settings/telemetry.ts'
import type { LedgerStore } from '../../ledger/contract.ts'
import { type Catalog, isReviewOfPush } from '../../storage/catalog/contract.ts'
import type { RunStore } from '../../storage/runs/contract.ts'
import { spansOf } from '../../telemetry/spans.ts'
import { timelineOf } from '../../telemetry/timeline.ts'
import { namesWithin } from '../http/caller.ts'
import { Refused } from '../http/contract.ts'
import type { MemoryPage } from './contract/operation.ts'
import { shownBefore } from './cursors.ts'
import { OpenedRuns } from './opened-runs.ts'
import type { Handlers } from './routes.ts'
import { changeOf } from './views/change.ts'
import { recordedAnswers } from './views/conversation.ts'
import { cutStrings } from './views/cut.ts'
import { diffOf } from './views/diff.ts'
import { exchangeOf } from './views/exchange.ts'
import { noteView } from './views/memory.ts'
import { candidatesOf, costOf, coverageOf, detailOf, evidenceOf, findingsOf } from './views/review.ts'
import { trendsOf } from './views/trends.ts'

/** Characters of a name, an address or a title. */
const longestName = 4_000

/** All that is known of the runs of one tenant. */
export type RunHome = {
  catalog: Catalog
  runs: RunStore
  ledger: LedgerStore
  /** Of the operator: where exported spans can be looked at. */
  telemetry: Pick<TelemetrySettings, 'dashboardUrl' | 'traceUrl'>
}

/** `homeOf`: of a tenant, which the caller was admitted to. */
export function runHandlers(
  homeOf: (tenant: string) => Promise<RunHome>,
  now: () => Date,
): Pick<
  Handlers,
  | (
      | 'changes'
      | 'change'
      | 'runs'
      | 'facets'
      | 'run'
      | 'findings'
      | 'candidates'
      | 'diff'
      | 'evidence'
      | 'coverage'
    )
  | ('cost' | 'timeline' | 'spans' | 'call' | 'retrieval' | 'compare' | 'trends' | 'memory' | 'conversation')
> {
  const opened = new Map<string, OpenedRuns>()
  const open = async (tenant: string, name = '') => {
    const runs = opened.get(tenant) ?? new OpenedRuns((await homeOf(tenant)).runs)
    opened.set(tenant, runs)
    return await runs.get(name)
  }
  return {
    async runs({ caller, query: { cursor, limit, ...filter } }) {
      const { catalog } = await homeOf(caller.tenant)
      // One more than is shown says whether there is another page.
      const only = { ...filter, among: namesWithin(caller) }
      const rows = await catalog.list(only, { before: cursor ?? null, limit: limit + 1 })
      const items = rows.slice(0, limit)
      return { items, next: rows.length > limit ? (items.at(-1)?.run ?? null) : null }
    },
    async changes({ caller, query: { cursor, limit, ...filter } }) {
      const { catalog } = await homeOf(caller.tenant)
      const only = { ...filter, among: namesWithin(caller) }
      const found = await catalog.changes(only, { before: cursor ?? null, limit: limit + 1 })
      const items = found.slice(0, limit).map(({ newest, about }) => ({
        newest,
        reviews: about.filter(isReviewOfPush).length,
        usd: about.reduce((sum, { usd }) => sum + usd, 0),
        unpricedCalls: about.reduce((sum, { unpricedCalls }) => sum + unpricedCalls, 0),
      }))
      return { items, next: found.length > limit ? (items.at(-1)?.newest.run ?? null) : null }
    },
    async change({ caller, query: { repository, change } }) {
      const { catalog, ledger } = await homeOf(caller.tenant)
      const [found] = await catalog.changes(
        { repository, change, among: namesWithin(caller) },
        { before: null, limit: 1 },
      )
      if (!found) throw new Refused(404, 'Nothing on record is about this change request.')
      const read = await ledger.read(repository)
      return cutStrings(changeOf({ repository, change }, found.about, read), longestName)
    },
    async facets({ caller }) {
      const { catalog } = await homeOf(caller.tenant)
      const seen = (await catalog.repositories()).filter(({ name }) => caller.repositories?.has(name) ?? true)
      return { repositories: seen.map(({ name, runs }) => ({ name, runs })) }
    },
    async run({ caller, parameters }) {
      const { run, row, review } = await open(caller.tenant, parameters.run)
      return detailOf(run, row, review)
    },
    async findings({ caller, parameters }) {
      return findingsOf((await open(caller.tenant, parameters.run)).review)
    },
    async candidates({ caller, parameters }) {
      return candidatesOf((await open(caller.tenant, parameters.run)).review)
    },
    async diff({ caller, parameters, query: { cursor, limit, path } }) {
      const { change } = await open(caller.tenant, parameters.run)
      return diffOf(await change(), { after: shownBefore(cursor), limit, path })
    },
    async evidence({ caller, parameters, query: { cursor, limit } }) {
      const { row, review } = await open(caller.tenant, parameters.run)
      return evidenceOf(row, review, shownBefore(cursor), limit)
    },
    async coverage({ caller, parameters }) {
      return coverageOf((await open(caller.tenant, parameters.run)).review)
    },
    async cost({ caller, parameters }) {
      const { run, review } = await open(caller.tenant, parameters.run)
      return costOf(run, review)
    },
    async timeline({ caller, parameters }) {
      return cutStrings(timelineOf((await open(caller.tenant, parameters.run)).run), longestName)
    },
    async spans({ caller, parameters }) {
      const [opened, { telemetry }] = [await open(caller.tenant, parameters.run), await homeOf(caller.tenant)]
      const spans = spansOf(opened, telemetry.dashboardUrl ?? null)
      const traceId = spans[0]?.traceId ?? ''
      return {
        traceId,
        traceUrl: telemetry.traceUrl?.replaceAll('{traceId}', traceId) ?? null,
        spans: spans.map(({ spanId, parentSpanId, name, kind, isFailed, attributes }) => ({
          ...{ spanId, parentSpanId, name, kind, isFailed, attributes },
        })),
      }
    },
    async call({ caller, parameters }) {
      const number = parameters.call ?? ''
      if (!/^\d{1,6}$/.test(number)) throw new Refused(404, 'Calls are numbered from 0.')
      return await exchangeOf((await open(caller.tenant, parameters.run)).run, Number(number))
    },
    async retrieval({ caller, parameters }) {
      return await (await open(caller.tenant, parameters.run)).retrieval()
    },
    async conversation({ caller, parameters: { run = '' } }) {
      const { review } = await open(caller.tenant, run)
      const { catalog } = await homeOf(caller.tenant)
      const filter = { kind: 'question', state: 'finished', text: `question about ${run}` } as const
      const among = namesWithin(caller)
      const [last] = await catalog.list({ ...filter, among }, { before: null, limit: 1 })
      if (!last || !review) return { turns: [] }
      return { turns: recordedAnswers(turnsOf((await open(caller.tenant, last.run)).run), review) }
    },
    async compare({ caller, parameters: { before = '', after = '' } }) {
      const [a, b] = [await open(caller.tenant, before), await open(caller.tenant, after)]
      const { comparison } = await compareRuns(before, after, await homeOf(caller.tenant))
      return { before: a.row, after: b.row, comparison: cutStrings(comparison, longestName) }
    },
    /** As the last review of each repository read them from the base of its change. */
    async memory({ caller, query: { cursor = '', limit } }) {
      const { catalog, runs } = await homeOf(caller.tenant)
      const items: MemoryPage['items'] = []
      const names = (await catalog.repositories())
        .map(({ name }) => name)
        .filter((name) => (caller.repositories?.has(name) ?? true) && name > cursor)
        .sort()
      for (const [at, repository] of names.entries()) {
        const filter = { repository, state: 'finished' as const, kind: 'review' as const }
        const [last] = await catalog.list(filter, { before: null, limit: 1 })
        const notes = last ? await notesOnRecord(last.run, { runs }) : []
        items.push(...notes.map((note) => noteView(repository, note)))
        if (items.length >= limit) return { items, next: at + 1 < names.length ? repository : null }
      }
      return { items, next: null }
    },
    async trends({ caller, query }) {
      const { catalog } = await homeOf(caller.tenant)
      return await trendsOf(catalog, { ...query, among: namesWithin(caller) }, now())
    },
  }
}
