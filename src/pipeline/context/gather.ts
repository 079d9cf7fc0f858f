/** Runs the retrievals side by side, each within its own time, and trims what they found to the token budget. */
import { type KeepEnd, OutOfTime, type TimedWork, withinKeptSeconds } from '../../base/time-budget.ts'
import { decidingSpans, type Span } from '../../code-index/chunks/deciding-spans.ts'
import type { ContextSection } from '../../config/schema.ts'
import type { ChangeSet } from '../../domain/change-set.ts'
import type { EvidenceDraft } from '../../domain/evidence.ts'
import type { SectionAccount, Surroundings } from '../../domain/review-context.ts'
import type { ReviewRequest } from '../../domain/review-request.ts'
import type { FileText, RepoHistory } from '../../domain/snapshot.ts'
import type { StageInput } from '../stage-input.ts'
import type { GraphRetrieval, RankedPassage } from './retrieval/contract.ts'
import { retrieveHistory } from './retrieval/history.ts'
import { retrieveInstructions } from './retrieval/instructions.ts'

/** As many as other readers of history ask for, so that history is read once. */
const commitsRead = 2_000

/** Of its own time, after which a retrieval that did not stop by itself is cut off. */
const hardShare = 1.1

export type GatherInput = Pick<StageInput, 'base' | 'head' | 'config' | 'signal'> & {
  request: ReviewRequest
  change: ChangeSet
  history: RepoHistory
  /** Finds code around the change at the head; null where that is not possible. */
  retrieveGraph: ((change: ChangeSet, signal: AbortSignal) => Promise<GraphRetrieval>) | null
  /** Null records nothing. */
  keepEnd: KeepEnd | null
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
    section('code', graphSeconds * hardShare, (inner) => gatherCode(input, inner)),
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
        // Of the request, not of the bundle: only that they are not shown is worth a word.
        ...(leaveOut.includes('author') ? [account('author', leftOut, [])] : []),
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
  return { evidence: kept.flatMap(({ drafts }) => drafts), trimmed: left, cuts }
}

/** Bytes per token: fewer than any tokenizer needs for code, so that estimates are rather too high. */
const bytesPerToken = 3
/** What a heading and its location cost besides the text. */
const overheadTokens = 12
/** 0 takes the best first whatever their length; 1 ranks by score per token. */
const thrift = 0.4

export function tokensIn(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}

type Trimmed = {
  /** Best first; what decides of a long definition, each line once. */
  kept: { passage: RankedPassage; spans: Span[]; drafts: EvidenceDraft[]; tokens: number }[]
  left: number
  tokens: number
}

/** Takes the best passages that fit. Ties keep their order; passages whose file cannot be read are left out. */
export function trimPassages(
  passages: readonly RankedPassage[],
  texts: ReadonlyMap<string, FileText>,
  budgetTokens: number,
): Trimmed {
  const priced = passages.flatMap((passage) => {
    const file = texts.get(passage.path)
    const lines = file?.text.split('\n') ?? []
    const spans = decidingSpans(lines, passage, passage.focus)
    const drafts = file ? spans.flatMap((span) => draftOf(passage, file.blob, lines, span)) : []
    if (drafts.length === 0) return []
    const tokens = drafts.reduce((sum, { text }) => sum + tokensIn(text), overheadTokens)
    return [{ passage, spans, drafts, worth: passage.score / tokens ** thrift }]
  })
  priced.sort((a, b) => b.worth - a.worth)
  const kept: Trimmed['kept'] = []
  const taken = new Set<string>()
  let tokens = 0
  let left = 0
  for (const { passage, spans, drafts } of priced) {
    const fresh = drafts.flatMap(({ path, startLine, text }) =>
      text
        .split('\n')
        .map((line, at) => ({ key: `${path}:${(startLine ?? 1) + at}`, line }))
        .filter(({ key }) => !taken.has(key)),
    )
    if (fresh.length === 0) continue
    const cost = tokensIn(fresh.map(({ line }) => line).join('\n')) + overheadTokens
    if (tokens + cost > budgetTokens) {
      left += 1
      continue
    }
    tokens += cost
    for (const { key } of fresh) taken.add(key)
    kept.push({ passage, spans, drafts, tokens: cost })
  }
  return { kept, left, tokens }
}

function draftOf(
  { path, title }: RankedPassage,
  blob: string,
  lines: readonly string[],
  { startLine, endLine }: Span,
): EvidenceDraft[] {
  const own = lines.slice(startLine - 1, endLine)
  while (own.length > 0 && own.at(-1)?.trim() === '') own.pop()
  if (own.length === 0) return []
  return [
    {
      source: 'file',
      trust: 'foreign',
      title,
      path,
      blob,
      side: 'new',
      startLine,
      endLine: startLine + own.length - 1,
      text: own.join('\n'),
    },
  ]
}

/** How much of one section there is. */
export function account(
  name: ContextSection | 'errors' | 'open changes' | 'other repositories',
  { state }: Pick<Attempt<unknown>, 'state'>,
  items: readonly unknown[],
  trimmed = 0,
): SectionAccount {
  const text = items.map((item) => JSON.stringify(item)).join('\n')
  return { name, state, items: items.length, bytes: Buffer.byteLength(text), tokens: tokensIn(text), trimmed }
}
