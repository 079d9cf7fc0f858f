/**
 * Whom a change may affect, where no code is collected around it: what `sightline impact` answers for each changed
 * definition, two steps far, in the files near the change. Counted in files and bytes; time only ends it early.
 */
import { isTestCodePath } from '../../base/file-paths.ts'
import { matchGlobs } from '../../base/globs.ts'
import type { IndexStore } from '../../code-index/contract.ts'
import { findImpact } from '../../code-index/query/callers.ts'
import type { Caller, CodeTree, ImpactAnswer, ImpactStep } from '../../code-index/query/contract.ts'
import { openPartialTree } from '../../code-index/query/partial-tree.ts'
import { usedAs, wordsToFind } from '../../code-index/query/target-names.ts'
import type { Definition, World } from '../../code-index/resolve/contract.ts'
import { symbolOf } from '../../code-index/resolve/symbols.ts'
import { indexPaths, openWorld } from '../../code-index/resolve/world.ts'
import type { ChangeSet } from '../../domain/change-set.ts'
import type { CodeSymbol, SymbolChange } from '../../domain/code-symbol.ts'
import { rankSymbolChanges } from '../../domain/importance.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { SymbolReach } from '../../domain/symbol-reach.ts'
import { countReads } from './retrieval/count-reads.ts'
import { findNearFiles } from './retrieval/near-files.ts'

export type ReachQuestion = {
  change: ChangeSet
  symbols: readonly SymbolChange[]
  head: RepoSnapshot
  facts: IndexStore
  /** Further test files, by configuration. */
  globs: readonly string[]
  /** Then what was found so far is the answer. */
  isOutOfTime: () => boolean
}

/** Definitions whose users are looked for, the weightiest first. */
const mostSymbols = 8
/** Users whose own users are looked for. */
const mostCallers = 24
/** Users of one definition, and of those, that are counted. */
const mostUsers = 200
/** Source that is parsed, after which only what was begun is finished. */
const mostBytes = 5 * 2 ** 20

/** In the order of weight; only definitions that were looked into. */
export async function findReach(question: ReachQuestion): Promise<SymbolReach[]> {
  const { change, symbols, head, globs } = question
  const isConfigured = matchGlobs(globs)
  const isTest = (path: string) => isTestCodePath(path) || isConfigured(path)
  const asked = rankSymbolChanges(symbols)
    .flatMap((one) => (one.after && isWorthAsking(one) && !isTest(one.after.path) ? [one.after] : []))
    .slice(0, mostSymbols)
  if (asked.length === 0) return []
  const paths = indexPaths(await head.list())
  const facts = countReads(question.facts, (path) => paths.entry(path)?.size ?? 0)
  const isOver = () => question.isOutOfTime() || facts.bytesRead() > mostBytes
  const world = await openWorld(head, facts, [], { paths })
  const seeds = (await Promise.all(asked.map((one) => definitionAt(world, one)))).flatMap((one) => one ?? [])
  const changed = change.files.flatMap(({ path, newBlob }) => (newBlob === null ? [] : [path]))

  const kinds = { changed: new Set(change.files.map(({ path }) => path)), isTest }
  const near = await findNearFiles({ head, changed, seeds, words: [] })
  const tree = openPartialTree(world, facts, near.users, near.hasAllCode)
  const found: { seed: Definition; reach: SymbolReach; users: Definition[] }[] = []
  for (const seed of seeds) {
    if (found.length > 0 && isOver()) break
    const impact = await findImpact(tree, seed, { depth: 1, steps: mostUsers })
    const reach = reachOf(tree, seed, impact, kinds)
    found.push({ seed, reach: { ...reach, isWhole: false }, users: await definitionsOf(world, impact) })
  }
  if (isOver()) return found.map(({ reach }) => reach)

  const callers = found.flatMap(({ users }) => users).slice(0, mostCallers)
  const wider = await findNearFiles({ head, changed, seeds: [...seeds, ...callers], words: [] })
  const hasAll = (word: string) => near.hasAllCode(word) || wider.hasAllCode(word)
  const all = openPartialTree(world, facts, [...new Set([...near.users, ...wider.users])], hasAll)
  const further: SymbolReach[] = []
  for (const { seed, reach } of found) {
    const isLate = isOver()
    further.push(
      isLate ? reach : reachOf(all, seed, await findImpact(all, seed, { depth: 2, steps: mostUsers }), kinds),
    )
  }
  return further
}

/** A new body affects who calls it; who merely names a type is affected by its shape. */
const callable: ReadonlySet<CodeSymbol['kind']> = new Set(['function', 'method', 'macro'])
const types: ReadonlySet<CodeSymbol['kind']> = new Set(['class', 'struct', 'interface', 'type', 'enum'])

function isWorthAsking({ kind, after }: SymbolChange): boolean {
  if (!after || kind === 'added' || after.symbol.isTest) return false
  return callable.has(after.symbol.kind) || (kind !== 'body-changed' && types.has(after.symbol.kind))
}

async function definitionAt(
  world: World,
  { path, symbol }: Pick<Caller, 'path'> & { symbol: Pick<CodeSymbol, 'name' | 'scope' | 'nameLine'> },
): Promise<Definition | null> {
  const facts = await world.facts(path)
  const { name, scope, nameLine } = symbol
  const index = facts?.symbols.findIndex(
    (one) => one.nameLine === nameLine && one.name === name && one.scope === scope,
  )
  return facts && index !== undefined && index >= 0 ? { path, facts, index } : null
}

/** Those that use it, without tests; the top level of a file has no users. */
async function definitionsOf(world: World, { steps }: ImpactAnswer): Promise<Definition[]> {
  const found: Definition[] = []
  for (const { path, symbol } of steps) {
    if (symbol === null || symbol.isTest) continue
    const { line: nameLine, name, scope } = symbol
    const definition = await definitionAt(world, { path, symbol: { name, scope, nameLine } })
    if (definition) found.push(definition)
  }
  return found
}

type Kinds = { changed: ReadonlySet<string>; isTest: (path: string) => boolean }

function reachOf(
  tree: CodeTree,
  seed: Definition,
  impact: ImpactAnswer,
  { changed, isTest }: Kinds,
): SymbolReach {
  const { users, tests } = usersIn(impact, isTest)
  const outside = users.filter(({ path }) => !changed.has(path))
  const direct = users.filter(({ depth }) => depth === 1)
  const words = [...wordsToFind(seed), ...direct.flatMap(({ symbol }) => symbol?.name ?? [])]
  return {
    symbol: usedAs(seed),
    path: seed.path,
    nameLine: symbolOf(seed).nameLine,
    direct: outside.filter(({ depth }) => depth === 1).length,
    further: outside.filter(({ depth }) => depth > 1).length,
    files: [...new Set(outside.map(({ path }) => path))],
    tests,
    unresolved: impact.unresolved,
    isWhole:
      impact.steps.length < mostUsers &&
      impact.emptiness?.isEvidence !== false &&
      words.every((word) => tree.seesAll?.(word) !== false),
  }
}

/** Who uses it for certain, without tests; and the test files that reach it, in path order. */
export function usersIn(
  { steps }: ImpactAnswer,
  isTest: (path: string) => boolean,
): { users: ImpactStep[]; tests: string[] } {
  // One of several that are meant is a guess, and so is all that it leads to.
  const sure = steps.filter(({ how }) => how !== 'ambiguous')
  const isOfTest = ({ path, symbol }: ImpactStep) => isTest(path) || symbol?.isTest === true
  return {
    users: sure.filter((step) => !isOfTest(step)),
    tests: [...new Set(sure.filter(isOfTest).map(({ path }) => path))].sort(),
  }
}
