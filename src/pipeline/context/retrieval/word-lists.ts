/** The lists that come of words and history: code that is like the change, and code in files that change with it. */
import { partsOf } from '../../../code-index/lexical/terms.ts'
import { fuseSignals } from '../../../code-index/related/fuse-signals.ts'
import { readHistorySignals, readPathSignal } from '../../../code-index/related/signals.ts'
import type { CodeSearch } from '../../../code-index/search/search.ts'
import type { ChangeSet } from '../../../domain/change-set.ts'
import type { HistoryCommit, RepoSnapshot } from '../../../domain/snapshot.ts'
import type { ChangedFile } from './changed-places.ts'
import type { Passage } from './contract.ts'

const queryWords = 40
const mostHits = 40
const mostPartners = 12
const mostSeedFiles = 30

/** The identifiers of the changed lines, those that are rare in their files first. */
export function changedWords(files: readonly ChangedFile[]): string[] {
  const inChange = new Map<string, number>()
  for (const { facts, lines } of files) {
    const touched = new Set(lines)
    for (const { name, line } of facts.references)
      if (touched.has(line) && name.length > 2) inChange.set(name, (inChange.get(name) ?? 0) + 1)
  }
  return [...inChange]
    .sort((a, b) => partsOf(b[0]).length - partsOf(a[0]).length || b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([name]) => name)
    .slice(0, queryWords)
}

/** Chunks like the changed lines, outside of the changed files' own hunks. */
export async function lookAlikes(search: CodeSearch, words: readonly string[]): Promise<Passage[]> {
  if (words.length === 0) return []
  const { hits } = await search.search(words.join(' '), mostHits)
  return hits.map(({ path, startLine, endLine }) => ({
    path,
    startLine,
    endLine: Math.min(endLine, startLine + 59),
    title: 'has words of the change',
  }))
}

/** Files that belong to the changed ones, by history and by path, best first. */
export async function partnerFiles(
  change: ChangeSet,
  head: RepoSnapshot,
  commits: readonly HistoryCommit[],
): Promise<string[]> {
  const seeds = change.files.slice(0, mostSeedFiles).map(({ path, oldPath }) => oldPath ?? path)
  const tree = (await head.list()).filter(({ mode }) => mode.startsWith('100')).map(({ path }) => path)
  const present = new Set(tree)
  const changed = new Set(change.files.map(({ path }) => path))
  const signals = { ...readHistorySignals(commits, seeds), path: readPathSignal(tree, seeds) }
  return fuseSignals(signals, (path) => present.has(path) && !changed.has(path))
    .slice(0, mostPartners)
    .map(({ path }) => path)
}
