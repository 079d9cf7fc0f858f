/** Reads `git diff --raw -p -z`. The fake hosts have a reader of their own, so that they do not share a fault with the product. */

export type DiffSide = 'old' | 'new'

export type PatchLine = { kind: ' ' | '+' | '-'; old: number | null; new: number | null; text: string }

export type PatchHunk = {
  header: string
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
  lines: PatchLine[]
}

export type FileDiff = {
  path: string
  /** Another one for a rename; the same otherwise. */
  oldPath: string
  /** A, D, M, R, T. */
  status: string
  newBlob: string
  isBinary: boolean
  added: number
  removed: number
  hunks: PatchHunk[]
  /** From the first `@@` on. */
  patch: string
}

export function parseDiff(text: string): FileDiff[] {
  const { records, rest } = readRecords(text)
  const sections = rest.split(/^(?=diff --git )/m).filter((section) => section.startsWith('diff --git '))
  return records.map((record, index) => ({ ...record, ...readSection(sections[index] ?? '') }))
}

/** The hunk, and how far below the first `@@` of the file a line is: GitHub's position, from 1. */
export function findLine(
  file: FileDiff,
  side: DiffSide,
  line: number,
): { hunk: PatchHunk; position: number; found: PatchLine } | null {
  let position = 0
  for (const [index, hunk] of file.hunks.entries()) {
    if (index > 0) position += 1
    for (const found of hunk.lines) {
      position += 1
      if (found[side] === line) return { hunk, position, found }
    }
  }
  return null
}

function readRecords(text: string) {
  const records: Pick<FileDiff, 'path' | 'oldPath' | 'status' | 'newBlob'>[] = []
  let at = 0
  const next = () => {
    const end = text.indexOf('\0', at)
    const field = text.slice(at, end)
    at = end + 1
    return field
  }
  while (text[at] === ':') {
    const [, , , newBlob = '', letter = ''] = next().split(' ')
    const status = letter[0] ?? 'M'
    const oldPath = next()
    records.push({ status, newBlob, oldPath, path: status === 'R' || status === 'C' ? next() : oldPath })
  }
  return { records, rest: text.slice(at).replace(/^\0/, '') }
}

function readSection(section: string): Pick<FileDiff, 'isBinary' | 'added' | 'removed' | 'hunks' | 'patch'> {
  const start = section.search(/^@@ /m)
  const patch = start === -1 ? '' : section.slice(start).replace(/\n$/, '')
  const hunks: PatchHunk[] = []
  let [old, fresh] = [0, 0]
  for (const line of patch === '' ? [] : patch.split('\n')) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
    const hunk = hunks.at(-1)
    const isOpen = hunk && (countSide(hunk, 'old') < hunk.oldLines || countSide(hunk, 'new') < hunk.newLines)
    if (header && !isOpen) {
      const [oldStart, oldLines, newStart, newLines] = header.slice(1).map((part) => Number(part ?? 1))
      hunks.push({
        header: line,
        oldStart: oldStart ?? 0,
        oldLines: oldLines ?? 1,
        newStart: newStart ?? 0,
        newLines: newLines ?? 1,
        lines: [],
      })
      old = oldStart ?? 0
      fresh = newStart ?? 0
    } else if (hunk && line[0] !== '\\') {
      const kind = line[0] === '+' || line[0] === '-' ? line[0] : ' '
      hunk.lines.push({
        kind,
        old: kind === '+' ? null : old++,
        new: kind === '-' ? null : fresh++,
        text: line.slice(1),
      })
    }
  }
  const count = (kind: string) =>
    hunks.flatMap(({ lines }) => lines).filter((line) => line.kind === kind).length
  return { isBinary: /^Binary files /m.test(section), added: count('+'), removed: count('-'), hunks, patch }
}

function countSide(hunk: PatchHunk, side: DiffSide): number {
  return hunk.lines.at(-1) === undefined ? 0 : hunk.lines.filter((line) => line[side] !== null).length
}
