/** Edits of one file as a patch that `git apply` reads, forwards and backwards. */
import type { Edit } from '../domain/finding.ts'
import { withEdits } from '../pipeline/validation/suggestion/check-suggestion.ts'

const contextLines = 3

/** `edits`: sorted from the top, sharing no line. Empty when there are none. */
export function patchOf(path: string, original: string, edits: readonly Edit[]): string {
  const isEnded = original.endsWith('\n')
  const lines = (isEnded ? original.slice(0, -1) : original).split('\n')
  const groups = groupNear(edits)
  if (groups.length === 0) return ''
  let shift = 0
  const hunks = groups.map((group) => {
    const first = Math.max(1, (group[0]?.startLine ?? 1) - contextLines)
    const last = Math.min(lines.length, (group.at(-1)?.endLine ?? 1) + contextLines)
    const body = linesOf(lines, group, first, last)
    const olds = last - first + 1
    const news = body.filter(({ sign }) => sign !== '-').length
    const reachesEnd = last === lines.length && !isEnded
    const header = `@@ -${span(first, olds)} +${span(first + shift, news)} @@\n`
    shift += news - olds
    return header + (reachesEnd ? withoutLineFeed(body) : body.map(shown).join(''))
  })
  const [before, after] = ['a', 'b'].map((side) => quoted(`${side}/${path}`))
  return `diff --git ${before} ${after}\n--- ${before}\n+++ ${after}\n${hunks.join('')}`
}

type PatchLine = { sign: ' ' | '-' | '+'; text: string }

/** Edits whose context touches are one hunk. */
function groupNear(edits: readonly Edit[]): Edit[][] {
  const groups: Edit[][] = []
  for (const edit of edits) {
    const open = groups.at(-1)
    const end = open?.at(-1)?.endLine
    if (open && end !== undefined && edit.startLine - end <= 2 * contextLines) open.push(edit)
    else groups.push([edit])
  }
  return groups
}

function linesOf(lines: readonly string[], group: readonly Edit[], first: number, last: number): PatchLine[] {
  const body: PatchLine[] = []
  const add = (sign: PatchLine['sign'], texts: readonly string[]) =>
    body.push(...texts.map((text) => ({ sign, text })))
  let next = first
  for (const edit of group) {
    const old = lines.slice(edit.startLine - 1, edit.endLine)
    add(' ', lines.slice(next - 1, edit.startLine - 1))
    add('-', old)
    add('+', withEdits(old, [{ ...edit, startLine: 1, endLine: old.length }]))
    next = edit.endLine + 1
  }
  add(' ', lines.slice(next - 1, last))
  return body
}

/** An empty side begins at the line before it. */
function span(start: number, length: number): string {
  return `${length === 0 ? start - 1 : start},${length}`
}

function shown({ sign, text }: PatchLine): string {
  return `${sign}${text}\n`
}

/** The last line of each side has none. */
function withoutLineFeed(body: readonly PatchLine[]): string {
  const lastOld = body.findLastIndex(({ sign }) => sign !== '+')
  const lastNew = body.findLastIndex(({ sign }) => sign !== '-')
  return body
    .map(
      (line, at) => shown(line) + (at === lastOld || at === lastNew ? '\\ No newline at end of file\n' : ''),
    )
    .join('')
}

/** As git quotes names that could be misread. */
function quoted(name: string): string {
  const escaped = [...name].map((letter) =>
    letter === '"' || letter === '\\'
      ? `\\${letter}`
      : letter < ' ' || letter === '\x7f'
        ? `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`
        : letter,
  )
  const text = escaped.join('')
  return text === name ? name : `"${text}"`
}
