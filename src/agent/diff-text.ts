/**
 * Lines of a diff as models read them, each with its sign. Of a line that is too long its beginning is shown, and where it
 * differs from the line that it replaces or that replaces it.
 */
import type { DiffLine } from '../domain/change-set.ts'
import { tagOf } from '../domain/line-tag.ts'

/** Characters of one line: a longer one is code of a machine, or data. */
export const widestLine = 1_000

/** `[L42#k7f] +text`, for those who cite lines. In the order given. */
export function taggedLines(lines: readonly DiffLine[]): string[] {
  const texts = shownTexts(lines, widestLine)
  return lines.map((line, at) => `[${tagOf(line)}] ${signs[line.kind]}${texts[at]}`)
}

/** `+ 42: text`, for those who only read. `widest`: characters of one line. */
export function numberedLines(lines: readonly DiffLine[], widest = widestLine): string[] {
  const texts = shownTexts(lines, widest)
  return lines.map(({ kind, old, new: now }, at) => `${signs[kind]} ${now ?? old}: ${texts[at]}`)
}

/** The beginning of a line that is too long, marked as cut. */
export function cutLine(text: string, widest = widestLine): string {
  return text.length > widest ? `${text.slice(0, widest)} (cut)` : text
}

const signs = { added: '+', removed: '-', context: ' ' } as const

function shownTexts(lines: readonly DiffLine[], widest: number): string[] {
  const twins = twinsOf(lines)
  return lines.map((line) => {
    const text = plain(line)
    const twin = twins.get(line)
    return twin && text.length > widest ? aroundChange(text, plain(twin), widest) : cutLine(text, widest)
  })
}

function plain({ text }: DiffLine): string {
  return text.replace(/\r$/, '')
}

/** The first of some added lines replaces the first of the removed lines before them, the second the second. */
function twinsOf(lines: readonly DiffLine[]): ReadonlyMap<DiffLine, DiffLine> {
  const twins = new Map<DiffLine, DiffLine>()
  let removed: DiffLine[] = []
  let replaced = 0
  for (const [at, line] of lines.entries()) {
    if (line.kind === 'removed') {
      if (lines[at - 1]?.kind !== 'removed') {
        removed = []
        replaced = 0
      }
      removed.push(line)
    } else if (line.kind === 'added') {
      const twin = removed[replaced++]
      if (twin) twins.set(line, twin).set(twin, line)
    }
  }
  return twins
}

/** Of a line that is too long, the share that its beginning gets, and what precedes the place of the change. */
const shareOfBeginning = 0.2
const shareBefore = 0.1

function aroundChange(text: string, twin: string, widest: number): string {
  let same = 0
  while (same < text.length && text[same] === twin[same]) same++
  const beginning = Math.floor(widest * shareOfBeginning)
  const from = same - Math.floor(widest * shareBefore)
  if (same < widest - beginning || from <= beginning) return cutLine(text, widest)
  const rest = cutLine(text.slice(from), widest - beginning)
  return `${text.slice(0, beginning)} (${from - beginning} characters cut) ${rest}`
}
