/** Freezes a change into the bundle that everybody looks at: what changed, and what lies around it. */
import { canonicalJson, sha256 } from '../base/canonical-json.ts'
import { UserError } from '../base/errors.ts'
import { type KeepEnd, OutOfTime, type TimedWork, withinKeptSeconds } from '../base/time-budget.ts'
import type { FactStore } from '../code-index/contract.ts'
import type { Config } from '../config/schema.ts'
import type { ChangeSet } from '../domain/change-set.ts'
import type { SymbolChange } from '../domain/code-symbol.ts'
import type { ReviewContext, SymbolTests } from '../domain/review-context.ts'
import type { ReviewRequest } from '../domain/review-request.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { buildContext } from './context/build-context.ts'
import { findTests } from './context/find-tests.ts'
import { gatherContext } from './context/gather.ts'
import type { GraphRetrieval } from './context/retrieval/contract.ts'
import { diffSymbols } from './diff/symbol-changes.ts'

/** What a bundle is made with. */
export type ContextParts = {
  config: Config
  facts: FactStore
  /** Looks around in the code of the head; null, or not given, where that is not possible. */
  retrieveGraph?: ((change: ChangeSet, signal: AbortSignal) => Promise<GraphRetrieval>) | null
  /** Puts on record which parts ran out of time; null, or not given, keeps nothing. */
  keepEnd?: KeepEnd | null
  signal: AbortSignal
}

/** The bundle: the change, its symbols and tests, and at the deeper depths what lies around it in the repository. */
export async function freezeContext(
  { request, base, head, history }: CollectedChange,
  change: ChangeSet,
  { config, facts, retrieveGraph = null, keepEnd = null, signal }: ContextParts,
): Promise<ReviewContext> {
  const looksAround = config.review.depth === 'standard' || config.review.depth === 'deep'
  const [compared, gathered] = await Promise.all([
    compareSymbols(
      { change, base, head, facts },
      { name: 'symbols', seconds: config.limits.contextSeconds, signal, keepEnd },
    ),
    looksAround
      ? gatherContext({ request, change, base, head, history, config, retrieveGraph, keepEnd, signal })
      : { around: null, evidence: [], cuts: [] },
  ])
  const { symbols } = compared
  const tested = await nameTests({ symbols, change, head, globs: config.paths.tests })
  return buildContext({
    request: withoutTalk(request),
    configHash: sha256(canonicalJson(config)),
    change,
    symbols,
    tests: tested.tests,
    evidence: gathered.evidence.map((item, index) => ({ id: `E${index + 1}`, ...item })),
    around: gathered.around,
    cuts: [...compared.cuts, ...tested.cuts, ...gathered.cuts],
  })
}

/** A tree that is too large to be listed, or not all here, leaves a review of the diff alone, and the bundle says so. */
async function nameTests(
  question: Parameters<typeof findTests>[0],
): Promise<{ tests: SymbolTests[]; cuts: string[] }> {
  try {
    return { tests: await findTests(question), cuts: [] }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { tests: [], cuts: [`the rest of the repository could not be searched: ${error.message}`] }
  }
}

/** People go on talking while the change stays; what of it is asked for becomes evidence, under a new hash. */
function withoutTalk({ discussion: _, openTickets: __, ...request }: ReviewRequest): ReviewRequest {
  return request
}

/** Without the syntactic diff the review is smaller, and the bundle says so inside its hash. */
async function compareSymbols(
  input: Parameters<typeof diffSymbols>[0],
  timed: TimedWork,
): Promise<{ symbols: SymbolChange[]; cuts: string[] }> {
  try {
    return { symbols: await withinKeptSeconds(timed, () => diffSymbols(input)), cuts: [] }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    return { symbols: [], cuts: [`the symbols of the changed files were not compared: ${error.message}`] }
  }
}
