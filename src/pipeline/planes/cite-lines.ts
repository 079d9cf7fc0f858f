/** Lines of the head, quoted as evidence of what a plane found in code. */
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
  const files = await head.readMany([...new Set(places.map(({ path }) => path))])
  return places.flatMap(({ path, line, endLine: end, title }): CandidateDraft['evidence'] => {
    const file = files.get(path)
    const endLine = Math.min(end, line + mostLines - 1)
    const lines = file?.text.split('\n').slice(line - 1, endLine) ?? []
    const text = lines.join('\n')
    const quote = lines[0]?.trim()
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
