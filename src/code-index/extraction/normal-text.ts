/**
 * The text of a file without comments and white space, so that hashes of its parts do not change with layout.
 * White space inside names, strings and other leaves stays; a comma before a closing bracket goes.
 */
import type { Syntax } from './syntax.ts'
import type { LanguageTable } from './table.ts'

/** Stands after each leaf, so that neighbours do not run together. */
const separator = '\u001f'
/** Stand around nodes whose borders have no text: indented blocks. */
const [opening, closing] = ['\u0002', '\u0003']

export type NormalText = {
  text: string
  /** Per node, offsets into `text`. */
  starts: Int32Array
  ends: Int32Array
}

export function normalText(syntax: Syntax, silent: LanguageTable['silent'] = {}): NormalText {
  const { size } = syntax.tree
  const { borders, silent: maybeSilent } = syntax.words
  const starts = new Int32Array(size)
  const ends = new Int32Array(size)
  const parts: string[] = []
  const open: number[] = []
  let length = 0
  let read = 0
  /** Bare tokens read before something that does not count. */
  let held = ''
  const write = (part: string): void => {
    if (part === '') return
    parts.push(part)
    length += part.length
  }
  const writeGap = (to: number): void => {
    if (to > read || held !== '') write(squeeze(held + syntax.source.slice(read, to)))
    held = ''
    read = Math.max(read, to)
  }
  const isPassedOver = (node: number): boolean =>
    syntax.isComment(node) ||
    (syntax.isMarked(node, maybeSilent) && silent[syntax.kind(node)]?.(syntax, node) === true)
  const close = (node: number): void => {
    writeGap(syntax.end(node))
    if (syntax.isMarked(node, borders)) write(closing)
    ends[node] = length
  }
  for (let node = 0; node < size; node++) {
    for (let top = open.at(-1); top !== undefined && node >= syntax.after(top); top = open.at(-1)) {
      close(top)
      open.pop()
    }
    if (isPassedOver(node)) {
      held += syntax.source.slice(read, Math.max(read, syntax.start(node)))
      read = Math.max(read, syntax.end(node))
      starts[node] = length
      ends[node] = length
      node = syntax.after(node) - 1
      continue
    }
    writeGap(syntax.start(node))
    starts[node] = length
    if (syntax.isMarked(node, borders)) write(opening)
    if (syntax.after(node) > node + 1) {
      open.push(node)
      continue
    }
    write(leafText(syntax.text(node)))
    read = Math.max(read, syntax.end(node))
    write(separator)
    if (syntax.isMarked(node, borders)) write(closing)
    ends[node] = length
  }
  while (open.length > 0) close(open.pop() ?? 0)
  return { text: parts.join(''), starts, ends }
}

/** White space counts in strings and the like; in `( )` it is only layout. */
function leafText(text: string): string {
  return /^[([{]/.test(text) ? squeeze(text) : text
}

/** Most gaps are one of a few: a space, a dot, a bracket. */
const shortGaps = new Map<string, string>()
const longestShortGap = 8
const mostShortGaps = 10_000

function squeeze(gap: string): string {
  if (gap.length > longestShortGap) return squeezed(gap)
  const known = shortGaps.get(gap)
  if (known !== undefined) return known
  const fresh = squeezed(gap)
  if (shortGaps.size < mostShortGaps) shortGaps.set(gap, fresh)
  return fresh
}

function squeezed(gap: string): string {
  return gap.replace(/\s+/g, '').replace(/,(?=[)\]}>])/g, '')
}
