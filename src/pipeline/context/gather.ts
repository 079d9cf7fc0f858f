/** The retrievals side by side, each within its own time, and what of their findings the bundle holds. */
import { type KeepEnd, OutOfTime, type TimedWork, withinKeptSeconds } from '../../base/time-budget.ts'
import type { Config, ContextSection } from '../../config/schema.ts'
import type { ChangeSet } from '../../domain/change-set.ts'
import type { EvidenceDraft } from '../../domain/evidence.ts'
import type { SectionAccount, Surroundings } from '../../domain/review-context.ts'
import type { ReviewRequest } from '../../domain/review-request.ts'
import type { RepoHistory, RepoSnapshot } from '../../domain/snapshot.ts'
import type { GraphRetrieval } from './retrieval/contract.ts'
import { retrieveHistory } from './retrieval/history.ts'
import { retrieveInstructions } from './retrieval/instructions.ts'
import { tokensIn, trimPassages } from './retrieval/trim.ts'

/** The same number as other readers of history ask for: it is then read once. */
const commitsRead = 2_000

export type GatherInput = {
  request: ReviewRequest
  change: ChangeSet
  base: RepoSnapshot
  head: RepoSnapshot
  history: RepoHistory
  config: Config
  /** Looks around in the code of the head; null where that is not possible. */
  retrieveGraph: ((change: ChangeSet, signal: AbortSignal) => Promise<GraphRetrieval>) | null
  /** Null keeps nothing on record. */
  keepEnd: KeepEnd | null
  signal: AbortSignal
}

export type Gathered = { around: Surroundings; evidence: EvidenceDraft[]; cuts: string[] }

/** A retrieval that fails or runs out of time makes a smaller bundle, which says so inside its hash. */
export async function gatherContext(input: GatherInput): Promise<Gathered> {
  const { change, config, request, keepEnd, signal } = input
  const { leaveOut, graphSeconds, historySeconds } = config.context
  const section = <Value>(
    name: ContextSection,
    seconds: number,
    work: (signal: AbortSignal) => Promise<Value>,
  ) => (leaveOut.includes(name) ? leftOut : attempt({ name, seconds, signal, keepEnd }, work))
  const [code, history, instructions] = await Promise.all([
    section('code', graphSeconds + 2, (inner) => gatherCode(input, inner)),
    section('history', historySeconds, async () =>
      retrieveHistory(change, request.author, await input.history.recent(commitsRead)),
    ),
    section('instructions', historySeconds, () =>
      retrieveInstructions(
        input.base,
        change.files.map(({ path }) => path),
      ),
    ),
  ])
  const tickets = leaveOut.includes('tickets') ? [] : [...(request.tickets ?? [])]
  const evidence = code.value?.evidence ?? []
  return {
    evidence,
    around: {
      tickets,
      history: history.value,
      instructions: instructions.value?.instructions ?? [],
      sections: [
        account('code', code, evidence, code.value?.trimmed ?? 0),
        account('tickets', leaveOut.includes('tickets') ? leftOut : { state: 'gathered' }, tickets),
        account('history', history, history.value ? [history.value] : []),
        account('instructions', instructions, instructions.value?.instructions ?? []),
      ],
    },
    cuts: [
      ...(code.value?.cuts ?? []),
      ...(instructions.value?.cuts ?? []),
      ...[code, history, instructions].flatMap(({ why }) => why ?? []),
    ],
  }
}

type Attempt<Value> = { state: SectionAccount['state']; value: Value | null; why: string | null }

const leftOut = { state: 'left-out', value: null, why: null } as const

async function attempt<Value>(
  timed: TimedWork,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Attempt<Value>> {
  try {
    return { state: 'gathered', value: await withinKeptSeconds(timed, work), why: null }
  } catch (error) {
    timed.signal.throwIfAborted()
    const state = error instanceof OutOfTime ? 'cut' : 'failed'
    return {
      state,
      value: null,
      why: `part of the context is missing: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

async function gatherCode({ change, head, config, retrieveGraph }: GatherInput, signal: AbortSignal) {
  if (!retrieveGraph) throw new Error('the code around the change cannot be read here')
  const { passages, cuts } = await retrieveGraph(change, signal)
  const texts = await head.readMany([...new Set(passages.map(({ path }) => path))])
  const { kept, left } = trimPassages(passages, texts, config.context.tokens)
  return { evidence: kept.map(({ draft }) => draft), trimmed: left, cuts }
}

function account(
  name: ContextSection,
  { state }: Pick<Attempt<unknown>, 'state'>,
  items: readonly unknown[],
  trimmed = 0,
): SectionAccount {
  const text = items.map((item) => JSON.stringify(item)).join('\n')
  return { name, state, items: items.length, bytes: Buffer.byteLength(text), tokens: tokensIn(text), trimmed }
}
