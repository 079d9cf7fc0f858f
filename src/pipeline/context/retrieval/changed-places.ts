/** The changed lines of the head, the definitions around them, and the identifiers on them. */
import type { FileFacts } from '../../../code-index/contract.ts'
import { partsOf } from '../../../code-index/lexical/terms.ts'
import type { Definition, World } from '../../../code-index/resolve/contract.ts'
import type { ChangeSet, FileChange } from '../../../domain/change-set.ts'

/** Changed files whose surroundings are read; the rest of a larger change adds little. */
const mostFiles = 60
const mostWords = 40

export type ChangedFile = {
  file: FileChange
  facts: FileFacts
  /** 1-based lines of the head that were added, and those next to what was removed, in order. */
  lines: readonly number[]
  /** Every line of the head that the diff shows, changed or not. */
  shown: ReadonlySet<number>
}

/** Source files of the head with facts, in the order of the change. */
export async function readChangedFiles(world: World, change: ChangeSet): Promise<ChangedFile[]> {
  const files = change.files
    .filter(
      ({ role, newBlob, hunks }) =>
        (role === 'source' || role === 'test') && newBlob !== null && hunks.length > 0,
    )
    .slice(0, mostFiles)
  const facts = await world.factsOf(files.map(({ path }) => path))
  return files.flatMap((file) => {
    const known = facts.get(file.path)
    return known ? [{ file, facts: known, lines: changedLines(file), shown: shownLines(file) }] : []
  })
}

function changedLines({ hunks }: FileChange): number[] {
  const lines = new Set<number>()
  for (const hunk of hunks) {
    let last = hunk.newStart
    for (const line of hunk.lines) {
      if (line.kind === 'removed') lines.add(Math.max(1, last))
      else last = line.new ?? last
      if (line.kind === 'added' && line.new !== null) lines.add(line.new)
    }
  }
  return [...lines].sort((a, b) => a - b)
}

export function shownLines({ hunks }: Pick<FileChange, 'hunks'>): Set<number> {
  return new Set(hunks.flatMap(({ lines }) => lines.flatMap((line) => line.new ?? [])))
}

/** The innermost definition around a line that is more than a variable, or null at the top level. */
export function definitionAround({ file, facts }: ChangedFile, line: number): Definition | null {
  const index = facts.symbols.findLastIndex(
    ({ kind, startLine, endLine }) => startLine <= line && line <= endLine && bodied.has(kind),
  )
  return index < 0 ? null : { path: file.path, facts, index }
}

const bodied: ReadonlySet<string> = new Set([
  'function',
  'method',
  'class',
  'interface',
  'type',
  'enum',
  'struct',
  'macro',
  'module',
  'impl',
])

/**
 * The member or definition that a changed line belongs to. Of a type only its own lines count, not those between its
 * members; null where nothing that can be used from elsewhere changed.
 */
export function changedDefinition({ file, facts }: ChangedFile, line: number): Definition | null {
  const index = facts.symbols.findLastIndex(({ startLine, endLine }) => startLine <= line && line <= endLine)
  const symbol = facts.symbols[index]
  if (!symbol) return null
  const hasMembers = facts.parents.includes(index) && !callable.has(symbol.kind)
  return hasMembers && line > symbol.nameLine ? null : { path: file.path, facts, index }
}

const callable: ReadonlySet<string> = new Set(['function', 'method'])

/** Identifiers on the changed lines, the most telling first: those of most parts, then the most frequent. */
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
    .slice(0, mostWords)
}
