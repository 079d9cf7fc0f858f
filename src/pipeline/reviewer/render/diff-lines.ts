/** A file's diff as a model reads it: every line behind its tag, so that it can be cited. */
import { count } from '../../../base/count.ts'
import type { FileChange, Hunk } from '../../../domain/change-set.ts'
import { formatFileTag, tagOf } from '../../../domain/line-tag.ts'

/** A longer line is cut; it is code of a machine, or data. */
const widest = 1_000

const signs = { added: '+', removed: '-', context: ' ' } as const

export type RenderedDiff = {
  text: string
  /** Hunks shown; fewer than there are when they did not fit. */
  shown: number
}

/** Whole hunks from the top, as long as they fit into so many bytes; of a first hunk that alone is too long, its head. */
export function renderDiff(file: FileChange, maxBytes: number): RenderedDiff {
  const parts = [headline(file)]
  let bytes = Buffer.byteLength(parts[0] ?? '')
  let shown = 0
  for (const hunk of file.hunks) {
    const lines = renderHunk(hunk)
    const size = bytesOf(lines)
    if (bytes + size > maxBytes) {
      if (shown === 0) parts.push(...fitting(lines, maxBytes - bytes))
      break
    }
    parts.push(...lines)
    bytes += size
    shown += 1
  }
  const missing = file.hunks.length - shown
  if (missing > 0)
    parts.push(
      `(${missing} of ${count(file.hunks.length, 'hunk')} ${missing === 1 ? 'is' : 'are'} not shown in full: too long)`,
    )
  return { text: parts.join('\n'), shown }
}

function headline(file: FileChange): string {
  const from = file.oldPath === null ? '' : ` (${file.status} from ${file.oldPath})`
  const kind = file.kind === 'text' ? '' : `, ${file.kind}`
  return `file ${file.path}${from}: ${file.status}${kind}, ${file.role}, +${file.added} -${file.removed}, whole file [${formatFileTag(file.path)}]`
}

function renderHunk({ oldStart, oldLines, newStart, newLines, section, lines }: Hunk): string[] {
  const at = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@ ${section}`.trimEnd()
  return [
    at,
    ...lines.map((line) => {
      const text = line.text.replace(/\r$/, '')
      const cut = text.length > widest ? `${text.slice(0, widest)} (cut)` : text
      return `[${tagOf(line)}] ${signs[line.kind]}${cut}`
    }),
  ]
}

function fitting(lines: readonly string[], maxBytes: number): string[] {
  const fit: string[] = []
  let bytes = 0
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1
    if (bytes > maxBytes) break
    fit.push(line)
  }
  return fit
}

function bytesOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
}
