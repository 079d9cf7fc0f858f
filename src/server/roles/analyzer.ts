/**
 * The analyzer: reviews a frozen change, or answers a question about its review, with keys of models, and has no host's
 * token. Its network, where it has a gate, is that gate alone.
 */
import { writeFileSync } from 'node:fs'
import { askAboutRun } from '../../assembly/ask-run.ts'
import { adviseIndex } from '../../assembly/index-advice.ts'
import { type PreparedModels, prepareModels } from '../../assembly/open-models.ts'
import { openServices, type Services } from '../../assembly/services.ts'
import type { ReviewEvent } from '../../domain/events.ts'
import { isUnread } from '../../domain/model-report.ts'
import type { Review } from '../../domain/review.ts'
import type { CollectedChange } from '../../hosts/contract.ts'
import { frozenSource } from '../../hosts/frozen/frozen-change.ts'
import { analyze, collect } from '../../sightline.ts'
import { unclaimed } from '../../storage/runs/unclaimed.ts'
import { lendLedger } from '../ledger/lent-ledger.ts'
import type { Analyzed, AnalyzeOrder, Line, RoleBody } from './contract.ts'
import { reachThroughGate } from './gate.ts'

export const analyzeChange: RoleBody<'analyzer'> = async (order, line) => {
  if (order.gate !== null) await reachThroughGate(order.gate)
  const spent = { usd: 0, unpricedCalls: 0 }
  const ledger = lendLedger(order.ledger)
  const services = await openServices({
    environment: order.environment,
    tenant: order.tenant,
    cacheFolder: order.cache,
    ledger,
    signal: line.signal,
    onEvent: (event) => pass(event, spent, line),
  })
  try {
    const depth = order.what === 'answer' || order.depth === 'auto' ? undefined : order.depth
    const models = prepareModels(
      {
        environment: order.environment,
        // Whoever gave this tenant a key on a server wants it used.
        maySend: async () => true,
        ...(order.budgetUsd === null ? {} : { budget: order.budgetUsd }),
      },
      services,
      order.what === 'answer' ? 'quick' : depth,
    )
    const change = await collect(frozenSource(order.change), services)
    const own = { ...services, runs: unclaimed(services.runs) }
    try {
      if (order.what === 'answer') {
        const run = await answer(order, change, own, models)
        return { role: 'analyzer', run, wantsIndex: false, events: [...ledger.added], ...spent, ...answered }
      }
      const { review, run } = await analyze(change, own, {
        overrides: {
          overrides: { ...(depth ? { depth } : {}), ...(order.isFull ? { incremental: false } : {}) },
        },
        models,
        record: { fresh: false },
        stopped: order.stopped,
      })
      writeFileSync(order.review, JSON.stringify(noticed(review, order.notice)), { mode: 0o600 })
      const wantsIndex = (await adviseIndex(change, services.folders.cache)) !== null
      const events = [...ledger.added]
      return { role: 'analyzer', run, wantsIndex, events, ...spent, ...summaryOf(review) }
    } finally {
      await change.close()
    }
  } finally {
    await services.close()
  }
}

/** Nothing of a summary of findings is true of an answer. */
const answered = { findings: 0, isComplete: true, shortfall: null, headline: 'Answered a question.' } as const

/** Returns the run that has it on record. */
async function answer(
  order: Extract<AnalyzeOrder, { what: 'answer' }>,
  change: CollectedChange,
  services: Services,
  models: PreparedModels,
): Promise<string | null> {
  const { run, about, question } = order
  const asked = { run, about, question, isNew: false, from: { change } }
  const { turn, titles, evidence, run: recorded } = await askAboutRun(asked, services, models)
  const cited = turn.statements.flatMap(({ citations }) => citations.map((one) => one.evidence))
  const places = cited.flatMap((id) => {
    const item = evidence.get(id)
    return item ? [[id, item.path ? `${item.path}:${item.startLine ?? 1}` : item.title] as const] : []
  })
  const posted = { turn, titles: Object.fromEntries(titles), places: Object.fromEntries(places) }
  writeFileSync(order.answer, JSON.stringify(posted), { mode: 0o600 })
  return recorded
}

function noticed(review: Review, notice: string | null): Review {
  if (notice === null) return review
  const { conclusion } = review
  return { ...review, conclusion: { ...conclusion, notices: [...conclusion.notices, notice] } }
}

/** Of what happens, the worker hears how far it came, and each live call, so that what was spent is known after a kill. */
function pass(event: ReviewEvent, spent: { usd: number; unpricedCalls: number }, { report }: Line): void {
  if (event.type === 'stage-start') report({ type: 'stage', stage: event.stage })
  if (event.type === 'stage-progress') {
    const { done, total, files = null } = event
    report({ type: 'progress', done, total, files })
  }
  if (event.type === 'model-retry')
    report({ type: 'waits', ms: event.waitMs, why: `waits for a model: ${event.reason}`.slice(0, 1000) })
  if (event.type === 'plane-end') report({ type: 'finished', plane: event.plane })
  if (event.type !== 'model-call' || event.call.served !== 'live') return
  const { usd } = event.call
  const call = { usd: usd ?? 0, unpricedCalls: usd === null ? 1 : 0 }
  spent.usd += call.usd
  spent.unpricedCalls += call.unpricedCalls
  report({ type: 'spent', ...call })
}

function summaryOf({
  findings,
  coverage,
  conclusion,
  models,
}: Review): Omit<Analyzed, 'role' | 'run' | 'wantsIndex' | 'events' | 'usd' | 'unpricedCalls'> {
  const groups = models?.groups ?? []
  const shortfall = coverage.stopped
    ? 'limits'
    : groups.some(({ outcome }) => outcome === 'over-budget')
      ? 'budget'
      : groups.some(isUnread)
        ? 'model-unavailable'
        : null
  return {
    findings: findings.length,
    isComplete: coverage.complete && shortfall === null,
    shortfall,
    headline: conclusion.headline.slice(0, 4000),
  }
}
