/** Lines of the head, quoted as evidence of what a plane found in code. */
import { remembered } from '../../base/remembered.ts'
import { type Lines, splitLines } from '../../code-index/resolve/lines.ts'
import type { FileChange } from '../../domain/change-set.ts'
import type { EvidenceDraft } from '../../domain/evidence.ts'
import type { CandidateDraft } from '../../domain/finding.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { AddedLine } from './changed-lines.ts'

export type Place = {
  path: string
  /** From 1; `endLine` is included. */
  line: number
  endLine: number
  title: string
}

/** Lines that are quoted of one place. */
const mostLines = 8
/** Longer texts are left out, in UTF-16 units. */
const longestText = 600

/** In the order given. A place that is not in the head, or whose first line is blank, is left out. */
export async function citeLines(
  places: readonly Place[],
  head: RepoSnapshot,
): Promise<CandidateDraft['evidence']> {
  const files = await readOnce(head, [...new Set(places.map(({ path }) => path))])
  return places.flatMap(({ path, line, endLine: end, title }): CandidateDraft['evidence'] => {
    const file = files.get(path)
    const endLine = Math.min(end, line + mostLines - 1)
    const lines = file?.lines
    const text = lines?.between(line, endLine + 1) ?? ''
    const quote = lines?.at(line).trim()
    if (!file || !quote || text.length > longestText) return []
    const item = {
      source: 'file' as const,
      trust: 'foreign' as const,
      title: title.slice(0, 200),
      path,
      blob: file.blob,
      side: 'new' as const,
      startLine: line,
      endLine,
      text,
    }
    return [{ item, quote }]
  })
}

type ReadFile = { blob: string; lines: Lines }

/** Files that stay split into lines: one may be cited by each finding of a review. */
const mostKept = 20
const kept = new WeakMap<RepoSnapshot, Map<string, ReadFile>>()

async function readOnce(
  head: RepoSnapshot,
  paths: readonly string[],
): Promise<ReadonlyMap<string, ReadFile>> {
  const known = remembered(kept, head, () => new Map())
  const found = new Map<string, ReadFile>()
  const missing: string[] = []
  for (const path of paths) {
    const file = known.get(path)
    if (file) found.set(path, file)
    else missing.push(path)
  }
  for (const [path, { blob, text }] of missing.length > 0 ? await head.readMany(missing) : []) {
    const file = { blob, lines: splitLines(text) }
    found.set(path, file)
    if (known.size >= mostKept) known.clear()
    known.set(path, file)
  }
  return found
}

/**
 * Text from lines of the head of a changed file. When it is not all of them (`isWhole` false), it is no quote of the file;
 * the claim about these lines is checked all the same.
 */
export function codeAtHead(
  { path, newBlob }: FileChange,
  {
    isWhole,
    ...lines
  }: Pick<EvidenceDraft, 'title' | 'startLine' | 'endLine' | 'text'> & { isWhole: boolean },
): EvidenceDraft {
  return {
    source: isWhole ? 'diff' : 'tool',
    trust: isWhole ? 'foreign' : 'own',
    path,
    blob: newBlob,
    side: 'new',
    ...lines,
  }
}

/** An added line as evidence. `quote`: all of its text, or the part of a long one that matters. */
export function citeAdded(
  file: FileChange,
  { line, title, quote }: { line: AddedLine; title: string; quote: string },
): CandidateDraft['evidence'][number] {
  const place = { title, startLine: line.new, endLine: line.new }
  return { item: codeAtHead(file, { ...place, text: quote, isWhole: quote === line.text }), quote }
}
