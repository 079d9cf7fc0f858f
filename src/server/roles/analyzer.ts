/**
 * The analyzer: reviews a frozen change, answers a question about its review, or repeats it, with keys of models, and has no host's
 * token. Its network, where it has a gate, is that gate alone.
 */
import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { answerFromRecord, askAboutRun } from '../../assembly/ask-run.ts'
import { adviseIndex } from '../../assembly/index-advice.ts'
import { type PreparedModels, prepareModels } from '../../assembly/open-models.ts'
import { recordedReview } from '../../assembly/recorded-reviews.ts'
import { openServices, type Services } from '../../assembly/services.ts'
import { UserError } from '../../base/errors.ts'
import type { ReviewEvent } from '../../domain/events.ts'
import { type Review, shortfallOf } from '../../domain/review.ts'
import { frozenSource } from '../../hosts/frozen/frozen-change.ts'
import { analyze, collect, replayWith } from '../../sightline.ts'
import { findRun } from '../../storage/runs/stored-run.ts'
import { unclaimed } from '../../storage/runs/unclaimed.ts'
import { answerOf, replayResultOf } from '../api/views/conversation.ts'
import { lendLedger } from '../ledger/lent-ledger.ts'
import type { Analyzed, AnalyzeOrder, Line, RoleBody } from './contract.ts'
import { reachThroughGate } from './gate.ts'

export const analyzeChange: RoleBody<'analyzer'> = async (order, line) => {
  if (order.gate !== null) await reachThroughGate(order.gate)
  const spent: Spent = { usd: 0, unpricedCalls: 0 }
  const ledger = lendLedger(order.ledger)
  const services = await openServices({
    environment: order.environment,
    tenant: order.tenant,
    cacheFolder: order.cache,
    ...(line.facts ? { facts: line.facts } : {}),
    ledger,
    signal: line.signal,
    onEvent: (event) => pass(event, spent, line),
  })
  try {
    const own = { ...services, runs: unclaimed(services.runs) }
    const ended =
      order.what === 'review'
        ? await review(order, own)
        : order.what === 'answer'
          ? await answer(order, own)
          : await replay(order, own)
    return { role: 'analyzer', ...ended, events: [...ledger.added], ...spent }
  } finally {
    await services.close()
  }
}

type Ended = Omit<Analyzed, 'role' | 'events' | keyof Spent>
type Spent = { usd: number; unpricedCalls: number }

async function review(order: Extract<AnalyzeOrder, { what: 'review' }>, services: Services): Promise<Ended> {
  const depth = order.depth === 'auto' ? undefined : order.depth
  const models = prepare(order, services)
  const change = await collect(frozenSource(order.change), services)
  try {
    const { review, run } = await analyze(change, services, {
      overrides: {
        overrides: { ...(depth ? { depth } : {}), ...(order.isFull ? { incremental: false } : {}) },
      },
      models,
      record: { fresh: false },
      stopped: order.stopped,
    })
    writeFileSync(order.review, JSON.stringify(noticed(review, order.notice)), { mode: 0o600 })
    const wantsIndex = (await adviseIndex(change, services.folders.cache)) !== null
    return { run, wantsIndex, reply: null, ...summaryOf(review) }
  } finally {
    await change.close()
  }
}

function prepare({ environment, budgetUsd }: AnalyzeOrder, services: Services): PreparedModels {
  const budget = budgetUsd === null ? {} : { budget: budgetUsd }
  return prepareModels({ environment, isServed: true, ...budget }, services)
}

/** Nothing of a summary of findings is true of an answer or a replay. */
const replied = { findings: 0, shortfall: null, wantsIndex: false } as const

async function answer(order: Extract<AnalyzeOrder, { what: 'answer' }>, services: Services): Promise<Ended> {
  const { run, about, question, isNew, asking } = order
  const models = prepare(order, services)
  const change = order.change === null ? null : await collect(frozenSource(order.change), services)
  try {
    const from = change ? { change } : { folder: dirname(order.answer) }
    const asked = await askAboutRun({ run, about, question, isNew, asking, from }, services, models).catch(
      (error: unknown) => {
        if (!(error instanceof UserError) || error.code !== 'no-model') throw error
        return answerFromRecord({ run, question, about }, services)
      },
    )
    const { turn, titles, evidence } = asked
    const cited = turn.statements.flatMap(({ citations }) => citations.map((one) => one.evidence))
    const places = cited.flatMap((id) => {
      const item = evidence.get(id)
      return item ? [[id, item.path ? `${item.path}:${item.startLine ?? 1}` : item.title] as const] : []
    })
    const posted = { turn, titles: Object.fromEntries(titles), places: Object.fromEntries(places) }
    writeFileSync(order.answer, JSON.stringify(posted), { mode: 0o600 })
    const recorded = await recordedReview((await findRun(services.runs, asked.of)).run)
    const reply = { kind: 'answer', data: answerOf(asked, question, recorded) } as const
    return { run: asked.run, reply, headline: 'Answered a question.', ...replied }
  } finally {
    await change?.close()
  }
}

async function replay(
  { run, swap, budgetUsd }: Extract<AnalyzeOrder, { what: 'replay' }>,
  services: Services,
): Promise<Ended> {
  const recorded = await recordedReview((await findRun(services.runs, run)).run)
  const swapped = swap && { role: swap.role, models: [swap.model] }
  const budget = budgetUsd === null ? {} : { budget: budgetUsd }
  const replayed = await replayWith({ run, swap: swapped, isServed: true, ...budget }, services)
  const reply = { kind: 'replay', data: replayResultOf(replayed, recorded) } as const
  return { run: null, reply, headline: 'Repeated a review.', ...replied }
}

function noticed(review: Review, notice: string | null): Review {
  if (notice === null) return review
  const { conclusion } = review
  return { ...review, conclusion: { ...conclusion, notices: [...conclusion.notices, notice] } }
}

/** Of what happens, the worker hears how far it came, and each live call, so that what was spent is known after a kill. */
function pass(event: ReviewEvent, spent: Spent, { report }: Line): void {
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

function summaryOf(review: Review): Omit<Ended, 'run' | 'wantsIndex' | 'reply'> {
  return {
    findings: review.findings.length,
    shortfall: shortfallOf(review),
    headline: review.conclusion.headline.slice(0, 4000),
  }
}
