/** Which definitions use a definition: its callers, and as its impact their callers in turn. */
import { count } from '../../base/count.ts'
import type { Definition } from '../resolve/contract.ts'
import { symbolOf } from '../resolve/symbols.ts'
import type {
  Caller,
  CallersAnswer,
  CodeTree,
  Emptiness,
  ImpactAnswer,
  ImpactStep,
  ReferenceEdge,
  ReferencesAnswer,
} from './contract.ts'
import { siteOf } from './definitions.ts'
import { type Edge, rankByEdges } from './page-rank.ts'
import { doubtIn, findReferences } from './references.ts'

/**
 * Calls, decorators and values handed on; imports and exports are none. For a type, every use inside a definition.
 * By path and line of the caller; the top level of a file is a caller too.
 */
export async function findCallers(tree: CodeTree, target: Definition): Promise<CallersAnswer> {
  const { references, ...rest } = await findReferences(tree, target)
  const callers = gatherCallers(references)
  return { ...rest, callers, emptiness: callers.length > 0 ? null : whyNoCaller(rest) }
}

/** Of references among which no definition uses the target. */
export function whyNoCaller({ target, emptiness, ...rest }: Omit<ReferencesAnswer, 'references'>): Emptiness {
  const onlyImported = { isEvidence: true, why: 'it is imported or exported, and used no further' }
  return emptiness ?? doubtIn(target.name, rest) ?? onlyImported
}

/** References in order; the callers come out in order too. */
export function gatherCallers(references: readonly ReferenceEdge[]): Caller[] {
  const callers = new Map<string, Caller>()
  for (const { path, line, role, within, how, confidence } of references) {
    if (role === 'import' || role === 'export') continue
    const key = callerKey(path, within)
    const known = callers.get(key)
    if (!known) {
      callers.set(key, { path, symbol: within, uses: [{ line, role }], how, confidence })
      continue
    }
    known.uses.push({ line, role })
    if (confidence > known.confidence) Object.assign(known, { how, confidence })
  }
  return [...callers.values()].sort(byPlace)
}

/** One key for one definition, or for the top level of one file. */
export function callerKey(path: string, symbol: Caller['symbol']): string {
  return symbol === null ? `${path}:0` : `${path}:${symbol.line}:${symbol.scope}.${symbol.name}`
}

type Using = { path: string; symbol: { line: number } | null }

export function byPlace(a: Using, b: Using): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return (a.symbol?.line ?? 0) - (b.symbol?.line ?? 0)
}

// What a change of a definition may affect: its callers, their callers, and so on, to a depth.

type ImpactLimits = {
  /** 1 gives the direct callers only. */
  depth: number
  /** Definitions in the answer. */
  steps: number
}

const defaultImpactLimits: ImpactLimits = { depth: 3, steps: 200 }

type Reached = { definition: Definition; confidence: number }

/** Breadth first; what was seen before is not entered again, so circles end. Edges of every confidence are followed. */
export async function findImpact(
  tree: CodeTree,
  target: Definition,
  limits: Partial<ImpactLimits> = {},
): Promise<ImpactAnswer> {
  const { depth: deepest, steps: most } = { ...defaultImpactLimits, ...limits }
  const seen = new Set([keyOf(target)])
  const steps: (ImpactStep & { key: string })[] = []
  let level: Reached[] = [{ definition: target, confidence: 1 }]
  let unresolved = 0
  let left = 0
  let emptiness: Emptiness | null = null
  const edges: Edge[] = []
  let depth = 1
  for (; depth <= deepest && level.length > 0; depth++) {
    const next: Reached[] = []
    const found: (ImpactStep & { key: string })[] = []
    for (const { definition, confidence } of level) {
      const answer = await findCallers(tree, definition)
      unresolved += answer.unresolved.length
      if (depth === 1) emptiness = answer.emptiness
      for (const caller of answer.callers) {
        const key = callerKey(caller.path, caller.symbol)
        edges.push({ called: keyOf(definition), caller: key, weight: caller.confidence })
        if (seen.has(key)) continue
        if (steps.length + found.length >= most) {
          left++
          continue
        }
        seen.add(key)
        const weakest = Math.min(confidence, caller.confidence)
        found.push({ ...stepOf(caller, definition, depth, weakest), key })
        const entered = await definitionOf(tree, caller)
        if (entered) next.push({ definition: entered, confidence: weakest })
      }
    }
    steps.push(...found)
    level = next
  }
  const cut = [
    ...(left > 0
      ? [`more than ${most} definitions: ${count(left, 'use was', 'uses were')} not followed`]
      : []),
    ...(level.length > 0
      ? [`depth ${deepest}: callers of ${count(level.length, 'definition')} were not searched for`]
      : []),
  ]
  const ranks = rankByEdges(keyOf(target), edges)
  const ranked = steps.map(({ key, ...step }) => ({ ...step, rank: ranks.get(key) ?? 0 })).sort(byRank)
  return { target: siteOf(target), steps: ranked, unresolved, cut, emptiness }
}

function stepOf(caller: Caller, called: Definition, depth: number, confidence: number): ImpactStep {
  const { path, symbol, how } = caller
  const calls = `${called.path}:${symbolOf(called).nameLine}`
  return { depth, path, symbol, calls, how, confidence, rank: 0 }
}

/** Null for the top level of a file, which has no callers. */
async function definitionOf(tree: CodeTree, { path, symbol }: Caller): Promise<Definition | null> {
  const facts = symbol && (await tree.world.facts(path))
  if (!facts) return null
  const index = facts.symbols.findIndex(
    ({ nameLine, name, scope }) => nameLine === symbol.line && name === symbol.name && scope === symbol.scope,
  )
  return index < 0 ? null : { path, facts, index }
}

function keyOf(definition: Definition): string {
  return callerKey(definition.path, siteOf(definition))
}

function byRank(a: ImpactStep, b: ImpactStep): number {
  if (a.depth !== b.depth) return a.depth - b.depth
  if (a.rank !== b.rank) return b.rank - a.rank
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return (a.symbol?.line ?? 0) - (b.symbol?.line ?? 0)
}
