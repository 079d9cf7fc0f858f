/** Asks questions about many texts in child processes. A text that takes too long is given up; the others go on. */
import { type BatchEnd, ChildWorker, workerIn } from '../../../../base/child-worker.ts'
import type { AskedText, Batch, EngineMatch, Question, Reply } from './protocol.ts'

export type TextAnswer =
  /** `skipped`: positions of the questions that would have taken too long. */
  | { type: 'matched'; matches: EngineMatch[]; omitted: number; skipped: number[] }
  | { type: 'failed'; reason: 'timeout' | 'crash' }

export type Answers = {
  /** One per text, in order. */
  texts: TextAnswer[]
  /** Questions that the engine cannot use, by position, with its message. */
  refused: ReadonlyMap<number, string>
}

/** `totalMs` bounds all texts together: many files that are each nearly too slow are too slow. */
export type Limits = { startMs: number; textMs: number; totalMs: number; mostMatches: number }

export const defaultLimits: Limits = {
  startMs: 60_000,
  textMs: 15_000,
  totalMs: 300_000,
  mostMatches: 500,
}

/** A text that takes longer waits until all others were matched. */
const patienceMs: readonly number[] = [1_000, 6_000]

/** 64 KB each, of each of the two memories that the engine has; a text that needs more is given up. */
const memoryPages = 2_560
const flags = [`--wasm-max-mem-pages=${memoryPages}`]

/**
 * As `runQuestions` until `endsAt` (by the clock of `performance`), in rounds: every text gets a little time first, the
 * shortest first, so that slow texts, slow on purpose or not, take no time from the others.
 */
export async function runFairly(
  language: string,
  questions: readonly Question[],
  texts: readonly AskedText[],
  endsAt: number,
  signal: AbortSignal,
  rounds: readonly number[] = patienceMs,
): Promise<Answers> {
  const answers = texts.map(() => notAsked)
  let refused: Answers['refused'] = new Map()
  let waiting = [...texts.keys()].sort((a, b) => lengthOf(texts, a) - lengthOf(texts, b))
  // A single text keeps no other waiting, and to ask it twice would cost twice.
  const turns = texts.length === 1 ? [rounds.reduce((sum, textMs) => sum + textMs, 0)] : rounds
  for (const [round, textMs] of turns.entries()) {
    const left = endsAt - performance.now()
    if (round > 0 && (waiting.length === 0 || left <= 0)) break
    const limits = { ...defaultLimits, textMs, totalMs: Math.max(0, left) }
    const asked = waiting.flatMap((index) => texts[index] ?? [])
    const reply = await runQuestions(language, questions, asked, signal, limits)
    if (round === 0) refused = reply.refused
    for (const [at, index] of waiting.entries()) answers[index] = reply.texts[at] ?? notAsked
    waiting = waiting.filter((index) => isLate(answers[index]))
  }
  return { texts: answers, refused }
}

const notAsked: TextAnswer = { type: 'failed', reason: 'timeout' }

function isLate(answer: TextAnswer | undefined): boolean {
  return answer?.type === 'failed' && answer.reason === 'timeout'
}

function lengthOf(texts: readonly AskedText[], index: number): number {
  return texts[index]?.text.length ?? 0
}

/** Rejects with the signal's reason when it is aborted. With no text at all, the questions are still checked. */
export async function runQuestions(
  language: string,
  questions: readonly Question[],
  texts: readonly AskedText[],
  signal: AbortSignal,
  limits: Limits = defaultLimits,
): Promise<Answers> {
  const answers: TextAnswer[] = []
  const refused = new Map<number, string>()
  let retried = false
  let checked = false
  const endsAt = performance.now() + limits.totalMs
  while (!checked || answers.length < texts.length) {
    signal.throwIfAborted()
    const child = await takeChild()
    const rest = texts.slice(answers.length)
    const batch = { language, questions, texts: rest, mostMatches: limits.mostMatches }
    const running = child.run(
      batch,
      { start: limits.startMs, answer: () => limits.textMs, total: Math.max(0, endsAt - performance.now()) },
      (reply) => {
        if (reply.type === 'ready')
          for (const { question, message } of reply.refused) refused.set(question, message)
        if (reply.type === 'answer') {
          const { matches, omitted, skipped } = reply
          answers.push({ type: 'matched', matches, omitted, skipped })
        }
      },
    )
    const end = await untilAborted(running, signal)
    if (end === null) {
      letFinish(child, running)
      throw signal.reason
    }
    if (end.type === 'done') keepChild(child)
    else await child.end()
    if (end.type !== 'died') {
      checked = true
      continue
    }
    // The child may have been killed from outside, so its text gets a second try, unless it was slow or large.
    if (end.reason === 'crash' && !retried) {
      retried = true
      continue
    }
    retried = false
    checked = true
    // For a text, running out of memory is a crash.
    const reason = end.reason === 'timeout' ? end.reason : 'crash'
    const failed: TextAnswer = { type: 'failed', reason }
    const isOver = !end.started || performance.now() >= endsAt
    if (!isOver) answers.push(failed)
    else while (answers.length < texts.length) answers.push(failed)
  }
  return { texts: answers, refused }
}

type Child = ChildWorker<Batch, Reply>

/** Children that wait for the next batch: to start one and to load the engine takes longer than to match a file. */
const idle: Child[] = []
const mostIdle = 2

/** Children whose question was aborted, until they are idle or ended. */
const finishing = new Set<Promise<void>>()
/** What starting another takes on a busy machine. */
const longestFinishMs = 3_000

/** Null after an abort. */
async function untilAborted(running: Promise<BatchEnd>, signal: AbortSignal): Promise<BatchEnd | null> {
  let stop = (): void => {}
  const aborted = new Promise<null>((resolve) => {
    stop = () => resolve(null)
  })
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([running, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Somebody who writes asks again at every key: a child that is nearly done is there for the next question. */
function letFinish(child: Child, running: Promise<BatchEnd>): void {
  const late = setTimeout(() => void child.end(), longestFinishMs)
  const finished = running.then(async ({ type }) => {
    clearTimeout(late)
    finishing.delete(finished)
    if (type === 'done') keepChild(child)
    else await child.end()
  })
  finishing.add(finished)
}

async function takeChild(): Promise<Child> {
  for (;;) {
    for (let child = idle.pop(); child; child = idle.pop()) if (child.isAlive) return child
    if (finishing.size === 0) break
    await Promise.race(finishing)
  }
  return await ChildWorker.start<Batch, Reply>(workerIn('pipeline/planes/rules/engine'), { flags })
}

function keepChild(child: Child): void {
  if (idle.length < mostIdle) idle.push(child)
  else void child.end()
}
