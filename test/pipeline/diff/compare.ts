/** Holds a parsed change against git's counts, against the second count and against the blobs themselves. */
import { type FileChange, pathOn } from '../../../src/domain/change-set.ts'
import type { RepoSnapshot } from '../../../src/domain/snapshot.ts'
import type { RawDiff, RawFileDiff } from '../../../src/hosts/contract.ts'
import { rebuild } from './rebuild.ts'
import { countLines } from './second-count.ts'

export type Agreement = {
  files: number
  hunks: number
  lines: number
  /** Lines whose text was held against the line of that number in the blob. */
  blobLines: number
  /** Files whose new text came out when the hunks were applied to the old one. */
  rebuilt: number
  faults: string[]
}

export function emptyAgreement(): Agreement {
  return { files: 0, hunks: 0, lines: 0, blobLines: 0, rebuilt: 0, faults: [] }
}

/** Adds what it compared to `sum`; each disagreement is one line in `faults`. */
export async function compareChange(
  raw: RawDiff,
  files: readonly FileChange[],
  base: RepoSnapshot,
  head: RepoSnapshot,
  sum: Agreement,
): Promise<void> {
  const fault = (file: RawFileDiff, words: string) => void sum.faults.push(`${file.path}: ${words}`)
  if (raw.files.length !== files.length)
    sum.faults.push(`${raw.files.length} files by git, ${files.length} parsed`)
  const [before, after] = await Promise.all([
    base.readMany(raw.files.map((file) => pathOn('old', file))),
    head.readMany(raw.files.map((file) => file.path)),
  ])
  for (const [index, file] of raw.files.entries()) {
    const parsed = files[index]
    if (!parsed || parsed.path !== file.path) {
      fault(file, 'another file stands in its place')
      continue
    }
    sum.files++
    if (file.patch === null) continue
    if (parsed.omitted !== null) fault(file, parsed.omitted)
    const added = count(parsed, 'added')
    const removed = count(parsed, 'removed')
    if (file.added !== null && (added !== file.added || removed !== file.removed))
      fault(file, `+${added} −${removed} parsed, +${file.added} −${file.removed} by git`)
    compareWithSecondCount(file, parsed, sum, (words) => fault(file, words))
    const oldText = file.oldBlob === null ? '' : before.get(pathOn('old', file))?.text
    const newText = file.newBlob === null ? '' : after.get(file.path)?.text
    if (oldText !== undefined && newText !== undefined && parsed.kind !== 'binary') {
      if (rebuild(oldText, parsed.hunks) !== newText) fault(file, 'the hunks do not lead to the new text')
      sum.rebuilt++
    }
    const [oldLines, newLines] = [oldText?.split('\n'), newText?.split('\n')]
    for (const line of parsed.hunks.flatMap((hunk) => hunk.lines)) {
      if (line.old !== null && oldLines && oldLines[line.old - 1] !== line.text)
        fault(file, `old line ${line.old} differs from the blob`)
      if (line.new !== null && newLines && newLines[line.new - 1] !== line.text)
        fault(file, `new line ${line.new} differs from the blob`)
      if ((line.old !== null && oldLines) || (line.new !== null && newLines)) sum.blobLines++
    }
  }
}

function compareWithSecondCount(
  file: RawFileDiff,
  parsed: FileChange,
  sum: Agreement,
  fault: (words: string) => void,
): void {
  const second = countLines(Buffer.from(file.patch ?? new Uint8Array()))
  const lines = parsed.hunks.flatMap((hunk) => hunk.lines)
  sum.hunks += parsed.hunks.length
  sum.lines += lines.length
  if (second.hunks.length !== parsed.hunks.length)
    fault(`${parsed.hunks.length} hunks parsed, ${second.hunks.length} counted`)
  for (const [index, hunk] of parsed.hunks.entries()) {
    const other = second.hunks[index]
    const positions = ['oldStart', 'oldLines', 'newStart', 'newLines'] as const
    if (!other || positions.some((position) => hunk[position] !== other[position]))
      fault(`hunk ${index + 1} stands elsewhere by the second count`)
  }
  if (second.lines.length !== lines.length)
    fault(`${lines.length} lines parsed, ${second.lines.length} counted`)
  for (const [index, line] of lines.entries()) {
    const other = second.lines[index]
    const sameText = other && other.bytes.toString('utf8') === line.text
    const samePlace = other && (line.old ?? other.old) === other.old && (line.new ?? other.new) === other.new
    const sign = line.kind === 'added' ? '+' : line.kind === 'removed' ? '-' : ' '
    if (!sameText || !samePlace || other.sign !== sign) {
      fault(`line ${index + 1} of the patch differs from the second count`)
      return
    }
  }
}

function count(file: FileChange, kind: 'added' | 'removed'): number {
  return file.hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.kind === kind).length, 0)
}
