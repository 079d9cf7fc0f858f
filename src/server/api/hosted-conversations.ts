/**
 * Questions and replays on a server. The process that answers pages holds no key of a model, so each becomes a job of an
 * analyzer, and the page hears how far it is until its answer is there. A job goes on when nobody listens any more: what
 * it found is on record.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { count } from '../../base/count.ts'
import { redactText } from '../../base/secrets/redact.ts'
import { loadSettings } from '../../config/settings/load.ts'
import type { Database } from '../database/contract.ts'
import type { Caller } from '../http/caller.ts'
import { Refused } from '../http/contract.ts'
import { newTriggerId, storeTrigger } from '../intake/triggers.ts'
import { questionKind, ReviewJob } from '../jobs/contract.ts'
import { JobProgress } from '../jobs/progress.ts'
import { effectivePolicy } from '../policies/effective.ts'
import { readAllowance } from '../policies/spending.ts'
import { type Job, priorities, type Queue } from '../queue/contract.ts'
import { Reply } from '../roles/contract.ts'
import type { ServerSettings } from '../settings/schema.ts'
import { recordChange } from './audit.ts'
import type { AskEvent, ReplayEvent } from './contract/conversation.ts'
import type { Handlers } from './routes.ts'

export type ConversationParts = {
  database: Database
  queue: Queue
  settings: ServerSettings
  /** Where the operator's settings for models are. */
  environment: NodeJS.ProcessEnv
  now: () => Date
}

/** Questions and replays of one tenant that may wait or run at a time. */
const mostAtOnce = 20
const everyMs = 500

export function hostedConversations(parts: ConversationParts): Pick<Handlers, 'ask' | 'replay'> {
  return {
    async ask({ caller, parameters: { run = '' }, body: { question, isNew }, signal }) {
      const id = await enqueue(parts, caller, run, 'run.ask', undefined, (budgetUsd) => ({
        ...{ kind: 'answer', run, about: [], question: redactText(question) },
        ...{ comment: null, isNew, budgetUsd },
      }))
      return follow(parts, caller.tenant, id, signal, ({ kind, data }) =>
        kind === 'answer' ? { event: 'answer', data } : null,
      )
    },
    async replay({ caller, parameters: { run = '' }, body: { swap = null, budgetUsd: most }, signal }) {
      // From the record alone it costs nothing.
      const limitUsd = swap === null ? 0 : most
      const id = await enqueue(parts, caller, run, 'run.replay', limitUsd, (budgetUsd) => ({
        ...{ kind: 'replay', run, swap, budgetUsd: swap === null ? null : budgetUsd },
      }))
      return follow(parts, caller.tenant, id, signal, ({ kind, data }) =>
        kind === 'replay' ? { event: 'result', data } : null,
      )
    },
  }
}

/**
 * Resolves to the number of the job. `limitUsd`: what the caller would spend at most; undefined leaves it to the policy.
 * Refuses when the run is none of a review of this server, when a budget has ended, and when too much waits already.
 */
async function enqueue(
  { database, queue, settings, environment, now }: ConversationParts,
  caller: Caller,
  run: string,
  action: string,
  limitUsd: number | undefined,
  decide: (budgetUsd: number) => ReviewJob['decision'],
): Promise<number> {
  const { tenant } = caller
  const origin = await originOf(database, tenant, run)
  const { connection, repository, number, head } = origin
  const operators = await loadSettings(environment)
  const policy = effectivePolicy(settings, { tenant, connection, repository: repository.name })
  const mostUsd = policy.perReviewUsd ?? operators.settings.money.perRun
  const budgetUsd = Math.min(limitUsd ?? mostUsd, mostUsd)
  const trigger = newTriggerId()
  return await database.transaction(async (queries) => {
    if (budgetUsd > 0) {
      const scope = { tenant, connection, repository: repository.id ?? '' }
      const { leftUsd, ended } = await readAllowance(queries, policy.budgets, scope, now())
      if (leftUsd === 0 && ended)
        throw new Refused(409, `No money is left: ${ended.name} is used up until ${ended.until}.`)
    }
    const [waiting] = await queries.query<{ count: number }>(
      `select count(*)::int as count from job
       where tenant = $1 and kind = $2 and state in ('queued', 'running')`,
      [tenant, questionKind],
    )
    if ((waiting?.count ?? 0) >= mostAtOnce)
      throw new Refused(429, 'Many questions wait already; ask again when some of them are answered.')
    const decision = decide(budgetUsd)
    const { id } = await queue.enqueue(
      {
        tenant,
        kind: questionKind,
        // One after the other, so that each continues the conversation of the one before.
        lane: `dashboard/${run}`,
        contentKey: randomUUID(),
        payload: { ...origin, trigger: { id: trigger, kind: 'manual', by: caller.name }, decision },
        priority: priorities.person,
        // Somebody waits in front of the page.
        mostAttempts: 2,
        giveUpAfter: 3_600,
      },
      queries,
    )
    await storeTrigger(queries, trigger, {
      ...{ tenant, connection, repository: { id: repository.id ?? '', name: repository.name }, number },
      ...{ kind: 'manual', askedBy: caller.name, head, receivedAt: now() },
      decision: decision.kind === 'replay' ? 'replay in the dashboard' : 'question in the dashboard',
      ...{ job: id, ownsJob: true, holdUsd: budgetUsd, ended: null },
    })
    const detail = decision.kind === 'replay' && decision.swap ? { swap: decision.swap } : {}
    await recordChange(queries, caller, { action, target: run, detail })
    return id
  })
}

/** The job that made a run: it says of which change of which repository it is. */
async function originOf(database: Database, tenant: string, run: string): Promise<ReviewJob> {
  const [found] = await database.query<{ payload: unknown }>(
    `select payload from job where tenant = $1 and result->>'run' = $2 order by id desc limit 1`,
    [tenant, run],
  )
  const job = ReviewJob.safeParse(found?.payload)
  if (job.success) return job.data
  throw new Refused(404, 'This server has no record of who asked for this run, so it cannot go on with it.')
}

type Progress = Extract<AskEvent | ReplayEvent, { event: 'progress' | 'error' }>

/** Ends with the answer, an error, or the listener. */
async function* follow<Event extends AskEvent | ReplayEvent>(
  { queue }: ConversationParts,
  tenant: string,
  id: number,
  signal: AbortSignal,
  eventOf: (reply: Reply) => Event | null,
): AsyncGenerator<Event | Progress> {
  let shown = ''
  while (!signal.aborted) {
    const job = await queue.job(tenant, id)
    if (!job) return yield failed('The job was deleted.')
    if (job.endedAt !== null) {
      const reply = Reply.safeParse(job.result?.reply)
      const event = reply.success ? eventOf(reply.data) : null
      return yield event ?? failed(job.reason ?? 'This failed; the log of the server says why.')
    }
    const data = howFar(job)
    if (JSON.stringify(data) !== shown) yield { event: 'progress', data }
    shown = JSON.stringify(data)
    await delay(everyMs, undefined, { signal }).catch(() => {})
  }
}

function howFar({ state, progress, lastError }: Job): { stage: string; detail: string } {
  if (state !== 'running')
    return { stage: 'waiting', detail: lastError === null ? 'for a worker' : 'to be tried again' }
  const known = JobProgress.safeParse(progress).data
  const detail = known?.waits ?? (known?.calls ? count(known.calls, 'model call') : '')
  return { stage: known?.stage ?? 'started', detail }
}

function failed(message: string): Progress {
  return { event: 'error', data: { message } }
}
