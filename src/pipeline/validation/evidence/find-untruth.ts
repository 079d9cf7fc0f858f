/** Whether evidence is what the repository says: read again, line by line. */
import type { ChangeSet } from '../../../domain/change-set.ts'
import type { Evidence } from '../../../domain/evidence.ts'
import type { Sources } from '../sources.ts'

/** Null when the item holds. What this program computed, and what no file holds (tickets, counts), is not re-read. */
export async function findUntruth(item: Evidence, sources: Sources): Promise<string | null> {
  if (item.trust === 'own') return null
  if (item.source !== 'file' && item.source !== 'diff') return null
  if (item.path === null) return 'it names no file'
  if (item.startLine === null)
    return item.source === 'diff' ? findInDiff(item.path, item.text, sources.change) : null
  const side = item.side ?? 'new'
  const file = await sources.text(side, item.path)
  // The diff shows lines of files that are too large to be read whole.
  if (!file && item.source === 'diff') return findInDiff(item.path, item.text, sources.change)
  if (!file) return `\`${item.path}\` cannot be read ${side === 'new' ? 'after' : 'before'} the change`
  if (item.blob !== null && item.blob !== file.blob) return `\`${item.path}\` is another version of the file`
  const lines = (await sources.lines(side, item.path)) ?? []
  return sameLines(lines.slice(item.startLine - 1, item.endLine ?? item.startLine), item.text.split('\n'))
    ? null
    : `\`${item.path}\` has other text at line ${item.startLine}`
}

function findInDiff(path: string, text: string, change: ChangeSet): string | null {
  const file = change.files.find((one) => one.path === path || one.oldPath === path)
  const lines = new Set(file?.hunks.flatMap((hunk) => hunk.lines.map((line) => line.text)))
  // Quoted from a diff, a line may still carry its sign.
  const isThere = (line: string) => lines.has(line) || (/^[+ -]/.test(line) && lines.has(line.slice(1)))
  return text.split('\n').every(isThere) ? null : `the diff of \`${path}\` has no such lines`
}

/**
 * Carriage returns at line ends do not count: whoever split the text may have dropped them. Nor does a line feed at the
 * end of the text.
 */
function sameLines(actual: readonly string[], claimed: readonly string[]): boolean {
  const bare = (line: string) => line.replace(/\r$/, '')
  const isEnded = claimed.length === actual.length + 1 && claimed.at(-1) === ''
  return (
    (actual.length === claimed.length || isEnded) &&
    actual.every((line, at) => bare(line) === bare(claimed[at] ?? ''))
  )
}
