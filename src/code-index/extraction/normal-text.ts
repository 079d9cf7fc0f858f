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

export function normalText(syntax: Syntax, { borders = [], silent = {} }: LanguageTable): NormalText {
  const { size } = syntax.tree
  const starts = new Int32Array(size)
  const ends = new Int32Array(size)
  const bordered = new Set(borders)
  const parts: string[] = []
  const open: number[] = []
  let length = 0
  let read = 0
  const write = (part: string): void => {
    if (part === '') return
    parts.push(part)
    length += part.length
  }
  const writeGap = (to: number): void => {
    if (to > read) write(squeeze(syntax.source.slice(read, to)))
    read = Math.max(read, to)
  }
  const close = (node: number): void => {
    writeGap(syntax.end(node))
    if (bordered.has(syntax.kind(node))) write(closing)
    ends[node] = length
  }
  for (let node = 0; node < size; node++) {
    for (let top = open.at(-1); top !== undefined && node >= syntax.after(top); top = open.at(-1)) {
      close(top)
      open.pop()
    }
    writeGap(syntax.start(node))
    starts[node] = length
    if (syntax.isComment(node) || silent[syntax.kind(node)]?.(syntax, node)) {
      read = Math.max(read, syntax.end(node))
      ends[node] = length
      node = syntax.after(node) - 1
      continue
    }
    if (bordered.has(syntax.kind(node))) write(opening)
    if (syntax.after(node) > node + 1) {
      open.push(node)
      continue
    }
    write(leafText(syntax.text(node)))
    read = Math.max(read, syntax.end(node))
    write(separator)
    if (bordered.has(syntax.kind(node))) write(closing)
    ends[node] = length
  }
  while (open.length > 0) close(open.pop() ?? 0)
  return { text: parts.join(''), starts, ends }
}

/** White space counts in strings and the like; in `( )` it is only layout. */
function leafText(text: string): string {
  return /^[([{]/.test(text) ? squeeze(text) : text
}

function squeeze(gap: string): string {
  const text = gap.replace(/\s+/g, '')
  return text.length > 1 ? text.replace(/,(?=[)\]}>])/g, '') : text
}
