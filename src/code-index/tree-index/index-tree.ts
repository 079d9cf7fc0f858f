/** `sightline index`: builds or refreshes the index of one tree, or says how much of it there is, and reports on it. */
import type { ParseFailure } from '../contract.ts'
import type { IndexReport, IndexStatus } from './contract.ts'
import { type Refreshed, type RefreshOptions, refreshTree } from './refresh.ts'
import { isAbsent } from './start-tree.ts'
import { openStoredTrees, type StoredTrees } from './stored-trees.ts'
import type { TreeIndex } from './tree-index.ts'

export type IndexedTree = Pick<RefreshOptions, 'snapshot' | 'facts' | 'keep' | 'signal' | 'onProgress'> & {
  cacheFolder: string | null
  repository: string
}

/** Throws when the tree names one path twice: no repository that git writes does. */
export async function indexTree({ cacheFolder, repository, ...options }: IndexedTree): Promise<IndexReport> {
  const stored = openStoredTrees(cacheFolder, repository)
  const refreshed = await refreshTree({ ...options, stored })
  if (!('tree' in refreshed)) throw new Error(`not indexed: ${refreshed.why}`)
  return reportOf(refreshed, stored, options.facts.notKept ?? null)
}

/** Reads no file of the tree, and writes none. */
export async function indexStatus({
  cacheFolder,
  repository,
  ...options
}: IndexedTree): Promise<IndexStatus> {
  const stored = openStoredTrees(cacheFolder, repository)
  const refreshed = await refreshTree({ ...options, stored, keep: false, mostBytes: -1 })
  if ('tree' in refreshed)
    return {
      state: 'complete',
      missing: { files: 0, bytes: 0 },
      report: reportOf(refreshed, stored, options.facts.notKept ?? null),
    }
  const { missingFiles: files, missingBytes: bytes, knownFiles } = refreshed
  return { state: knownFiles > 0 ? 'partial' : 'none', missing: { files, bytes }, report: null }
}

// The report on a tree: what is in it, what failed, what was reused.

type LanguageRow = IndexReport['languages'][number]

export function reportOf(
  { tree: { index }, reused, read, notKept, times }: Refreshed,
  stored: StoredTrees | null,
  factsNotKept: string | null = null,
): IndexReport {
  const { rows, failures, textOnly, notText } = countUnits(index)
  const sum = (pick: (row: LanguageRow) => number): number =>
    rows.reduce((total, row) => total + pick(row), 0)
  const files = index.entries.filter(({ mode }) => mode.startsWith('100'))
  return {
    tree: index.tree,
    files: files.length,
    indexed: sum((row) => row.files),
    textOnly,
    notText,
    absent: index.entries.flatMap((entry) => (isAbsent(entry) ? [entry.path] : [])),
    failures,
    languages: rows,
    bytes: sum(({ bytes }) => bytes),
    symbols: sum(({ symbols }) => symbols),
    references: sum(({ references }) => references),
    reused,
    read,
    segments: index.segments.length,
    diskBytes: stored?.filesOf(index.tree).reduce((total, { bytes }) => total + bytes, 0) ?? 0,
    notKept,
    search: null,
    factsNotKept,
    damaged: [...(stored?.damaged ?? [])],
    times: { ...times, totalMs: times.listMs + times.readMs + times.writeMs },
  }
}

function countUnits(index: TreeIndex): {
  rows: LanguageRow[]
  failures: ParseFailure[]
  textOnly: number
  notText: number
} {
  const byLanguage = new Map<string, LanguageRow>()
  const failures: ParseFailure[] = []
  let textOnly = 0
  let notText = 0
  for (const [at, { path }] of index.entries.entries()) {
    const unit = index.unitOf(at)
    if (!unit) continue
    const { state, bytes, symbols, references } = unit
    const language = unit.language.replace(/\/.*/, '')
    if (state === 'not text') notText++
    else if (state === 'text') textOnly++
    else if (state !== 'indexed') failures.push({ path, reason: state })
    else {
      const row = byLanguage.get(language) ?? { language, files: 0, bytes: 0, symbols: 0, references: 0 }
      row.files++
      row.bytes += bytes
      row.symbols += symbols
      row.references += references
      byLanguage.set(language, row)
    }
  }
  const rows = [...byLanguage.values()].sort((a, b) => (a.language < b.language ? -1 : 1))
  return { rows, failures, textOnly, notText }
}
