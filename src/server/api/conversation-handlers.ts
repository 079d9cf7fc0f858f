/** Asking about a run, and repeating it: both report what they do while they do it. Only where the models are one's own. */
import { askAboutRun } from '../../assembly/ask-run.ts'
import { prepareModels } from '../../assembly/open-models.ts'
import { recordedReview } from '../../assembly/recorded-reviews.ts'
import { openServices } from '../../assembly/services.ts'
import { UserError } from '../../base/errors.ts'
import { redactText } from '../../base/secrets/redact.ts'
import type { ReviewEvent } from '../../domain/events.ts'
import { replayRun } from '../../sightline.ts'
import { findRun } from '../../storage/runs/stored-run.ts'
import type { AskEvent, ReplayEvent } from './contract/conversation.ts'
import { EventQueue } from './event-queue.ts'
import type { Handlers } from './routes.ts'
import { answerOf, replayResultOf } from './views/conversation.ts'

export type ConversationParts = {
  environment: NodeJS.ProcessEnv
  /** A folder of the repository that runs are about, if there is one. */
  folder: string
  reportFailure: (what: string, error: unknown) => void
  /** Gets the name of each run that was recorded. */
  runEnded: (run: string) => void
}

export function conversationHandlers({
  environment,
  folder,
  reportFailure,
  runEnded,
}: ConversationParts): Pick<Handlers, 'ask' | 'replay'> {
  return {
    async ask({ parameters, body: { question, isNew } }) {
      return reported<AskEvent>(reportFailure, async (queue, onEvent) => {
        const services = await openServices({ environment, onEvent, signal: queue.signal })
        try {
          const run = parameters.run ?? ''
          const models = prepareModels({}, services, 'quick')
          const asked = await askAboutRun({ run, question, isNew, from: { folder } }, services, models)
          const review = await recordedReview((await findRun(services.runs, asked.of)).run)
          if (asked.run !== null) runEnded(asked.run)
          queue.push({ event: 'answer', data: answerOf(asked, question, review) })
        } finally {
          await services.close()
        }
      })
    },
    async replay({ parameters, body: { swap, budgetUsd } }) {
      return reported<ReplayEvent>(reportFailure, async (queue, onEvent) => {
        const services = await openServices({ environment, cacheFolder: null, signal: queue.signal })
        const run = parameters.run ?? ''
        try {
          const recorded = await recordedReview((await findRun(services.runs, run)).run)
          const replayed = await replayRun({
            run,
            swap: swap ? { role: swap.role, models: [swap.model] } : null,
            ...(budgetUsd === undefined ? {} : { budget: budgetUsd }),
            environment,
            onEvent,
            signal: queue.signal,
          })
          if (replayed.run !== null) runEnded(replayed.run)
          queue.push({ event: 'result', data: replayResultOf(replayed, recorded) })
        } finally {
          await services.close()
        }
      })
    },
  }
}

type Reported = AskEvent | ReplayEvent
type Progress = Extract<Reported, { event: 'progress' | 'error' }>

/** Runs `work` beside the stream of what it reports; what it throws is the last event. */
function reported<Event extends Reported>(
  reportFailure: ConversationParts['reportFailure'],
  work: (queue: EventQueue<Event | Progress>, onEvent: (event: ReviewEvent) => void) => Promise<void>,
): AsyncIterable<Event> {
  const queue = new EventQueue<Event | Progress>()
  work(queue, (event) => {
    const progress = progressOf(event)
    if (progress) queue.push({ event: 'progress', data: progress })
  })
    .catch((error: unknown) => {
      if (queue.signal.aborted) return
      if (!(error instanceof UserError)) reportFailure('conversation', error)
      const message =
        error instanceof UserError
          ? redactText(error.message)
          : 'This failed; the log of the program says why.'
      queue.push({ event: 'error', data: { message } })
    })
    .finally(() => queue.end())
  // Both unions have these two kinds of events.
  return queue as EventQueue<never>
}

function progressOf(event: ReviewEvent): { stage: string; detail: string } | null {
  if (event.type === 'stage-start') return { stage: event.stage, detail: '' }
  if (event.type === 'stage-end') return { stage: event.stage, detail: event.detail }
  if (event.type === 'model-call') return { stage: event.call.address, detail: event.call.model }
  return null
}
