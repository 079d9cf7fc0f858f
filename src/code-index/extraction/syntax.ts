/** Reads a `FlatTree` in words: kinds and fields by name, text, lines. Nodes are numbers; `none` flows through. */
import { upperBound } from '../../base/upper-bound.ts'
import type { FlatTree, Grammar } from './flat-tree.ts'

/** No such node. Every question about it has a harmless answer: '', none or []. */
export const none = -1

/** What a language's kinds and fields mean to a reader of its trees; marks are by kind. */
export type Words = {
  grammar: Grammar
  fieldIds: ReadonlyMap<string, number>
  comments: Uint8Array
  /** Nodes whose borders count in hashes, and nodes that may not count at all. */
  borders: Uint8Array
  silent: Uint8Array
}

export class Syntax {
  readonly tree: FlatTree
  readonly source: string
  readonly words: Words
  private readonly lineStarts: Int32Array
  /** The line asked for last: the next question is mostly about the same one or the next. */
  private lastLine = 1

  constructor(tree: FlatTree, source: string, words: Words) {
    this.tree = tree
    this.source = source
    this.words = words
    this.lineStarts = lineStartsOf(source)
  }

  kind(node: number): string {
    return node < 0 ? '' : (this.words.grammar.kinds[this.tree.kinds[node] ?? 0] ?? '')
  }

  is(node: number, ...kinds: readonly string[]): boolean {
    return kinds.includes(this.kind(node))
  }

  isComment(node: number): boolean {
    return this.isMarked(node, this.words.comments)
  }

  isMarked(node: number, marks: Uint8Array): boolean {
    return node >= 0 && marks[this.tree.kinds[node] ?? 0] === 1
  }

  /** True when the grammar made no sense of something directly in it: its children are then not what they seem. */
  isBroken(node: number): boolean {
    const error = this.words.grammar.kinds.length - 1
    return this.children(node).some((child) => this.tree.kinds[child] === error)
  }

  text(node: number): string {
    return node < 0 ? '' : this.source.slice(this.start(node), this.end(node))
  }

  start(node: number): number {
    return this.tree.starts[node] ?? 0
  }

  end(node: number): number {
    return this.tree.ends[node] ?? 0
  }

  parent(node: number): number {
    return node < 0 ? none : (this.tree.parents[node] ?? none)
  }

  /** What the node is to its parent, or ''. */
  field(node: number): string {
    return node < 0 ? '' : (this.words.grammar.fields[this.tree.fields[node] ?? 0] ?? '')
  }

  after(node: number): number {
    return node < 0 ? 0 : (this.tree.afters[node] ?? 0)
  }

  /** The first child in this field, or none. */
  child(node: number, field: string): number {
    const id = this.words.fieldIds.get(field)
    if (node < 0 || id === undefined) return none
    for (let child = node + 1; child < this.after(node); child = this.after(child))
      if (this.tree.fields[child] === id) return child
    return none
  }

  /** Named children in order, comments left out; only those of the field, when one is given. */
  children(node: number, field?: string): number[] {
    const found: number[] = []
    if (node < 0) return found
    const id = field === undefined ? null : this.words.fieldIds.get(field)
    for (let child = node + 1; child < this.after(node); child = this.after(child))
      if (!this.isComment(child) && (id === null || this.tree.fields[child] === id)) found.push(child)
    return found
  }

  /** The first child that is no comment, or none. */
  firstChild(node: number): number {
    if (node < 0) return none
    for (let child = node + 1; child < this.after(node); child = this.after(child))
      if (!this.isComment(child)) return child
    return none
  }

  /** The first child of one of these kinds, or none. */
  childOf(node: number, ...kinds: readonly string[]): number {
    if (node < 0) return none
    for (let child = node + 1; child < this.after(node); child = this.after(child))
      if (!this.isComment(child) && kinds.includes(this.kind(child))) return child
    return none
  }

  /** The nearest ancestor of one of these kinds, at most 200 levels up; or none. */
  ancestor(node: number, ...kinds: readonly string[]): number {
    let up = this.parent(node)
    for (let level = 0; up >= 0 && level < 200; level++, up = this.parent(up))
      if (this.is(up, ...kinds)) return up
    return none
  }

  /** The node just before this one under the same parent, comments included; or none. */
  previous(node: number): number {
    const parent = this.parent(node)
    let before = node - 1
    if (before === parent) return none
    while (before >= 0 && this.parent(before) !== parent) before = this.parent(before)
    return before < 0 ? none : before
  }

  /** 1-based line of an offset. */
  lineAt(offset: number): number {
    const { lineStarts, lastLine } = this
    if (offset >= (lineStarts[lastLine - 1] ?? 0)) {
      if (offset < (lineStarts[lastLine] ?? Number.POSITIVE_INFINITY)) return lastLine
      if (offset < (lineStarts[lastLine + 1] ?? Number.POSITIVE_INFINITY)) return ++this.lastLine
    }
    this.lastLine = upperBound(lineStarts, offset)
    return this.lastLine
  }

  columnAt(offset: number): number {
    return offset - (this.lineStarts[this.lineAt(offset) - 1] ?? 0)
  }

  startLine(node: number): number {
    return this.lineAt(this.start(node))
  }

  /** The line of the node's last character, even where the node ends with a line feed. */
  endLine(node: number): number {
    return this.lineAt(Math.max(this.start(node), this.end(node) - 1))
  }

  /** Lines as an editor counts them; an empty file has none. */
  get lineCount(): number {
    return this.source.length === 0 ? 0 : this.lineStarts.length - (this.source.endsWith('\n') ? 1 : 0)
  }
}

function lineStartsOf(text: string): Int32Array {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return Int32Array.from(starts)
}

const longestType = 300

/** A type as written, without the colon or arrow before it. */
export function typeText(syntax: Syntax, type: number): string {
  return fold(
    syntax.source.slice(syntax.start(type), Math.min(syntax.end(type), syntax.start(type) + longestType)),
  ).replace(/^(?::|->)\s*/, '')
}

/** White space folded to single spaces. */
export function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
