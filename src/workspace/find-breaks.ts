/** What a change breaks of what its repository provides to others. */
import { compareText } from '../base/compare-text.ts'
import type { FactStore } from '../code-index/contract.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { Break, ContractKind, Provided, SourceTree } from './contract.ts'
import { contractKinds } from './registry.ts'
import { openSourceTree } from './source-tree.ts'

/** A snapshot and its files as the kinds read them: each once, however many kinds ask. */
export type ReadableSide = { snapshot: RepoSnapshot; tree: SourceTree }

export function readableSide(snapshot: RepoSnapshot, facts: FactStore): ReadableSide {
  return { snapshot, tree: openSourceTree(snapshot, facts) }
}

/** `before` and `after`: the changed paths of each side. */
export type ChangedSides = {
  base: ReadableSide
  head: ReadableSide
  before: readonly string[]
  after: readonly string[]
}

export type KindBreaks = { kind: ContractKind; breaks: readonly Break[] }

/** What of the base no longer holds in the head, kind by kind; kinds without a break are left out. Never throws for a bad file. */
export async function findBreaks(
  { base, head, before, after }: ChangedSides,
  kinds: readonly ContractKind[] = contractKinds,
): Promise<KindBreaks[]> {
  const found: KindBreaks[] = []
  for (const kind of kinds) {
    // Both sides are asked about the same files: a part that went is missed in what the others make together.
    const paths = [...new Set([...before, ...after])]
      .filter((path) => kind.mayProvide(path))
      .sort(compareText)
    // A new file may undo what others of the base made: a migration does.
    const provided = paths.length > 0 ? await kind.provided(paths, base.tree) : []
    if (provided.length === 0) continue
    const breaks = kind.breaks(provided, await kind.provided(paths, head.tree))
    const left = await withoutMoved(kind, breaks, head, new Set(after))
    if (left.length > 0) found.push({ kind, breaks: left })
  }
  return found
}

/**
 * What the head provides on changed lines, each as if it were removed, so that its users are found. `isChanged`: whether a line
 * of the head is one of the change.
 */
export async function findTouched(
  { head, after }: Pick<ChangedSides, 'head' | 'after'>,
  isChanged: (path: string, line: number, endLine: number) => boolean,
  kinds: readonly ContractKind[] = contractKinds,
): Promise<KindBreaks[]> {
  const found: KindBreaks[] = []
  for (const kind of kinds) {
    const provided = await kind.provided(
      after.filter((path) => kind.mayProvide(path)),
      head.tree,
    )
    const touched = provided.filter(({ path, line, endLine }) => isChanged(path, line, endLine))
    const breaks = touched.flatMap((one) => goneOf(kind, one, provided))
    if (breaks.length > 0) found.push({ kind, breaks })
  }
  return found
}

function goneOf(kind: ContractKind, one: Provided, all: readonly Provided[]): Break[] {
  if (kind.gone) return kind.gone(one, all)
  return kind.breaks(
    all,
    all.filter((other) => other !== one),
  )
}

/** Files without a change that are asked whether they provide the same. */
const mostOthers = 50

/** Leaves out what an unchanged file still provides. */
async function withoutMoved(
  kind: ContractKind,
  breaks: readonly Break[],
  head: ReadableSide,
  changed: ReadonlySet<string>,
): Promise<Break[]> {
  const gone = breaks.filter(({ how }) => how === 'removed' || how === 'renamed')
  const words = [...new Set(gone.flatMap(({ name }) => longestWord(name) ?? []))]
  if (words.length === 0) return [...breaks]
  const others = [...(await head.snapshot.filesWithWords(words)).values()].flat()
  const paths = [...new Set(others)].filter((path) => !changed.has(path) && kind.mayProvide(path)).sort()
  if (paths.length === 0) return [...breaks]
  const elsewhere = await kind.provided(paths.slice(0, mostOthers), head.tree)
  const names = new Set(elsewhere.map(({ name }) => name))
  return breaks.filter((one) => !gone.includes(one) || !names.has(one.name))
}

function longestWord(name: string): string | undefined {
  return (name.match(/[\p{L}_][\p{L}\p{N}_]{2,}/gu) ?? []).sort((a, b) => b.length - a.length)[0]
}
