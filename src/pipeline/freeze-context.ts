/** Freezes a change into the bundle that planes and models read: what changed, and the code around it. */
import { canonicalJson, sha256 } from '../base/canonical-json.ts'
import { UserError } from '../base/errors.ts'
import { type KeepEnd, OutOfTime, type TimedWork, withinKeptSeconds } from '../base/time-budget.ts'
import type { FactStore } from '../code-index/contract.ts'
import type { Config } from '../config/schema.ts'
import type { ChangeSet } from '../domain/change-set.ts'
import type { SymbolChange } from '../domain/code-symbol.ts'
import { symbolsNotCompared } from '../domain/coverage.ts'
import type { EvidenceDraft } from '../domain/evidence.ts'
import type { EarlierChange, MemoryView } from '../domain/memory.ts'
import { otherUseEvidence } from '../domain/other-use-evidence.ts'
import type { ReviewContext, Surroundings, SymbolTests } from '../domain/review-context.ts'
import type { ReviewRequest } from '../domain/review-request.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { rememberFor } from '../memory/for-change.ts'
import { buildContext } from './context/build-context.ts'
import { findTests } from './context/find-tests.ts'
import { account, gatherContext } from './context/gather.ts'
import type { GraphRetrieval } from './context/retrieval/contract.ts'
import { retrieveErrors } from './context/retrieval/errors.ts'
import { retrieveOpenChanges } from './context/retrieval/open-changes.ts'
import { diffSymbols } from './diff/symbol-changes.ts'

/** Uses in other repositories that a model is shown. */
const mostOtherUses = 10

export type ContextParts = {
  config: Config
  facts: FactStore
  /** Finds code around the change at the head; null, or not given, where that is not possible. */
  retrieveGraph?: ((change: ChangeSet, signal: AbortSignal) => Promise<GraphRetrieval>) | null
  /** Records which parts ran out of time; null, or not given, records nothing. */
  keepEnd?: KeepEnd | null
  /** Notes of the base, and what became of the author's earlier changes; null, or not given, for none. */
  remembered?: { memory: MemoryView; developer: readonly EarlierChange[] } | null
  signal: AbortSignal
}

/** The change, its symbols and tests; from depth standard on also the code, history and instructions around it. */
export async function freezeContext(
  { request, base, head, history }: CollectedChange,
  change: ChangeSet,
  { config, facts, retrieveGraph = null, keepEnd = null, remembered = null, signal }: ContextParts,
): Promise<ReviewContext> {
  const hasSurroundings = config.review.depth === 'standard' || config.review.depth === 'deep'
  const [compared, gathered] = await Promise.all([
    compareSymbols(
      { change, base, head, facts },
      { name: 'symbols', seconds: config.limits.contextSeconds, signal, keepEnd },
    ),
    hasSurroundings
      ? gatherContext({ request, change, base, head, history, config, retrieveGraph, keepEnd, signal })
      : { around: null, evidence: [], cuts: [] },
  ])
  const { symbols } = compared
  const errors = withErrors(request, gathered.around, symbols)
  const beside = withOpenChanges(request, errors.around, change, symbols)
  const others = withOtherUses(request, beside.around)
  const around = withMemory(
    others.around,
    config.context.leaveOut.includes('memory') ? null : remembered,
    change,
    symbols,
  )
  const tested = await testsOrCut({ symbols, change, head, globs: config.paths.tests })
  return buildContext({
    request: withoutDiscussion(request),
    configHash: hashOf(config),
    change,
    symbols,
    tests: tested.tests,
    evidence: [...gathered.evidence, ...errors.evidence, ...beside.evidence, ...others.evidence].map(
      (item, index) => ({
        id: `E${index + 1}`,
        ...item,
      }),
    ),
    around,
    cuts: [...compared.cuts, ...tested.cuts, ...gathered.cuts],
  })
}

/** Which errors ran through changed functions is known once the symbols are. Nothing where no tracker was asked. */
function withErrors(
  { errors }: ReviewRequest,
  around: Surroundings | null,
  symbols: readonly SymbolChange[],
): { around: Surroundings | null; evidence: EvidenceDraft[] } {
  if (!errors || !around) return { around, evidence: [] }
  return withSection(around, 'errors', retrieveErrors(errors, symbols))
}

/** Change requests that are open beside this one and change the same code; a bundle without any is the same as unasked. */
function withOpenChanges(
  { openChanges = [] }: ReviewRequest,
  around: Surroundings | null,
  change: ChangeSet,
  symbols: readonly SymbolChange[],
): { around: Surroundings | null; evidence: EvidenceDraft[] } {
  if (!around) return { around, evidence: [] }
  const found = retrieveOpenChanges(openChanges, change, symbols)
  if (found.evidence.length === 0) return { around, evidence: [] }
  return withSection(around, 'open changes', found)
}

/** Who uses what the change touches, in other repositories of the workspace. What it breaks is told by its finding. */
function withOtherUses(
  { workspace }: ReviewRequest,
  around: Surroundings | null,
): { around: Surroundings | null; evidence: EvidenceDraft[] } {
  const uses = workspace?.touched.flatMap(({ uses }) => uses) ?? []
  if (!around || uses.length === 0) return { around, evidence: [] }
  const evidence = uses
    .slice(0, mostOtherUses)
    .map((use) => otherUseEvidence(use, workspace?.repositories ?? []))
  return withSection(around, 'other repositories', { evidence, trimmed: uses.length - evidence.length })
}

/** One more section, of evidence that was found beside the code. */
function withSection(
  around: Surroundings,
  name: Parameters<typeof account>[0],
  { evidence, trimmed }: { evidence: EvidenceDraft[]; trimmed: number },
): { around: Surroundings; evidence: EvidenceDraft[] } {
  const section = account(name, { state: 'gathered' }, evidence, trimmed)
  return { around: { ...around, sections: [...around.sections, section] }, evidence }
}

/** A bundle to which no note applies is the same as without a memory. */
function withMemory(
  around: Surroundings | null,
  remembered: NonNullable<ContextParts['remembered']> | null,
  change: ChangeSet,
  symbols: readonly SymbolChange[],
): Surroundings | null {
  if (!around || !remembered) return around
  const { notes, developer, left } = rememberFor(remembered, change, symbols)
  const items = [...notes, ...developer]
  if (items.length + left.length === 0) return around
  return {
    ...around,
    ...(notes.length > 0 ? { memory: notes } : {}),
    ...(developer.length > 0 ? { developer } : {}),
    sections: [...around.sections, account('memory', { state: 'gathered' }, items, left.length)],
  }
}

/** How much of the bundle models are asked about is not part of it. */
function hashOf({ review: { incremental: _, ...review }, ...config }: Config): string {
  return sha256(canonicalJson({ ...config, review }))
}

/** When the tree is too large to list, or incomplete, the review covers the diff alone, and the bundle says so. */
async function testsOrCut(
  question: Parameters<typeof findTests>[0],
): Promise<{ tests: SymbolTests[]; cuts: string[] }> {
  try {
    return { tests: await findTests(question), cuts: [] }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { tests: [], cuts: [`the rest of the repository could not be searched: ${error.message}`] }
  }
}

/** Discussion, tickets and other changes go on while this one stays; what a model asks of them becomes evidence, under a new hash. */
function withoutDiscussion({
  discussion: _,
  openTickets: __,
  openChanges: ___,
  ...request
}: ReviewRequest): ReviewRequest {
  return request
}

/** When comparing symbols takes too long, the bundle has none and says so. */
async function compareSymbols(
  input: Parameters<typeof diffSymbols>[0],
  timed: TimedWork,
): Promise<{ symbols: SymbolChange[]; cuts: string[] }> {
  try {
    return { symbols: await withinKeptSeconds(timed, () => diffSymbols(input)), cuts: [] }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    return { symbols: [], cuts: [`${symbolsNotCompared}: ${error.message}`] }
  }
}
