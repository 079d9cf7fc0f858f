/**
 * The text of a file without comments and white space, so that hashes of its parts do not change with layout.
 * White space inside names, strings and other leaves stays; a comma before a closing bracket goes.
 */
import { hash } from 'node:crypto'
import type { Syntax } from './syntax.ts'
import type { LanguageTable } from './table.ts'

/** Stands after each leaf, so that neighbours do not run together. */
const separator = 0x1f
/** Stand around nodes whose borders have no text: indented blocks. */
const [opening, closing] = [0x02, 0x03]
const comma = 0x2c

export type NormalText = {
  /** Per node, offsets into the normal text. */
  starts: Int32Array
  ends: Int32Array
  /** The first 16 hexadecimal digits of the SHA-256 of a part. */
  hashOf(from: number, to: number): string
}

export function normalText(syntax: Syntax, silent: LanguageTable['silent'] = {}): NormalText {
  return new Writer(syntax, silent).write()
}

class Writer {
  private readonly syntax: Syntax
  private readonly silent: NonNullable<LanguageTable['silent']>
  private readonly starts: Int32Array
  private readonly ends: Int32Array
  /** Code units. Every leaf adds a separator, and every node may add two borders. */
  private readonly units: Uint16Array
  private length = 0
  /** How much of the source is written or passed over. */
  private read = 0
  /** From and to: bare tokens read before something that does not count. */
  private held: number[] = []

  constructor(syntax: Syntax, silent: NonNullable<LanguageTable['silent']>) {
    const { size } = syntax.tree
    this.syntax = syntax
    this.silent = silent
    this.starts = new Int32Array(size)
    this.ends = new Int32Array(size)
    this.units = new Uint16Array(syntax.source.length + 3 * size)
  }

  write(): NormalText {
    const { syntax, starts, ends } = this
    const { starts: from, ends: to, afters, size } = syntax.tree
    const { borders } = syntax.words
    const open: number[] = []
    let top = -1
    for (let node = 0; node < size; node++) {
      while (top >= 0 && node >= (afters[top] ?? 0)) {
        this.close(top)
        open.pop()
        top = open.at(-1) ?? -1
      }
      const start = from[node] ?? 0
      const after = afters[node] ?? 0
      if (this.isPassedOver(node)) {
        if (start > this.read) this.held.push(this.read, start)
        this.read = Math.max(this.read, to[node] ?? 0)
        starts[node] = this.length
        ends[node] = this.length
        node = after - 1
        continue
      }
      this.writeGap(start)
      starts[node] = this.length
      const hasBorders = syntax.isMarked(node, borders)
      if (hasBorders) this.put(opening)
      if (after > node + 1) {
        open.push(node)
        top = node
        continue
      }
      this.writeLeaf(start, to[node] ?? 0)
      if (hasBorders) this.put(closing)
      ends[node] = this.length
    }
    for (let node = open.pop(); node !== undefined; node = open.pop()) this.close(node)
    return { starts, ends, hashOf: hasherOf(this.units.subarray(0, this.length)) }
  }

  private isPassedOver(node: number): boolean {
    const { syntax } = this
    if (syntax.isComment(node)) return true
    return (
      syntax.isMarked(node, syntax.words.silent) && this.silent[syntax.kind(node)]?.(syntax, node) === true
    )
  }

  private close(node: number): void {
    this.writeGap(this.syntax.end(node))
    if (this.syntax.isMarked(node, this.syntax.words.borders)) this.put(closing)
    this.ends[node] = this.length
  }

  /** White space counts in strings and the like; in `( )` it is only layout. */
  private writeLeaf(from: number, to: number): void {
    const { source } = this.syntax
    const first = source.charCodeAt(from)
    if (to > from && (first === 0x28 || first === 0x5b || first === 0x7b)) this.squeeze(from, to, this.length)
    else for (let at = from; at < to; at++) this.put(source.charCodeAt(at))
    this.read = Math.max(this.read, to)
    this.put(separator)
  }

  private writeGap(to: number): void {
    if (to <= this.read && this.held.length === 0) return
    const begun = this.length
    for (let at = 0; at < this.held.length; at += 2)
      this.squeeze(this.held[at] ?? 0, this.held[at + 1] ?? 0, begun)
    if (this.held.length > 0) this.held = []
    if (to <= this.read) return
    this.squeeze(this.read, to, begun)
    this.read = to
  }

  /** Copies all but white space; `begun` is where the run of bare tokens begins that a comma may belong to. */
  private squeeze(from: number, to: number, begun: number): void {
    const { source } = this.syntax
    for (let at = from; at < to; at++) {
      const unit = source.charCodeAt(at)
      if (unit === 0x20 || isSpace(unit)) continue
      const isLast = isClosing(unit) && this.length > begun && this.units[this.length - 1] === comma
      if (isLast) this.length--
      this.put(unit)
    }
  }

  private put(unit: number): void {
    this.units[this.length++] = unit
  }
}

function isClosing(unit: number): boolean {
  return unit === 0x29 || unit === 0x5d || unit === 0x7d || unit === 0x3e
}

function isSpace(unit: number): boolean {
  return unit < 0x80 ? unit >= 0x09 && unit <= 0x0d : /\s/.test(String.fromCharCode(unit))
}

/** Hashes are of UTF-8, which for ASCII is one byte for each unit. */
function hasherOf(units: Uint16Array): NormalText['hashOf'] {
  const bytes = new Uint8Array(units.length)
  let isAscii = true
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] ?? 0
    bytes[at] = unit
    if (unit > 0x7f) isAscii = false
  }
  const text = isAscii
    ? ''
    : Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le')
  return (from, to) =>
    hash('sha256', isAscii ? bytes.subarray(from, to) : text.slice(from, to), 'hex').slice(0, 16)
}
