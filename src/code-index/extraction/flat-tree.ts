/**
 * A syntax tree as parallel arrays, named nodes only, in source order (a parent before its children).
 * Producers fill it; everything after reads it, and so does not care which parser it came from.
 */
export interface FlatTree {
  readonly size: number
  /** What the node is: an index into `Grammar.kinds`. */
  readonly kinds: Uint16Array
  /** What it is to its parent: an index into `Grammar.fields`; 0 for nothing named. */
  readonly fields: Uint16Array
  /** Offsets into the text in UTF-16 units. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** The parent's index; -1 for the root. */
  readonly parents: Int32Array
  /** The first node behind this one's subtree. */
  readonly afters: Int32Array
  /** Offsets where the parser had to invent a token to go on, ascending. */
  readonly missing: readonly number[]
}

/** The words of a grammar. The last kind is always `ERROR`. */
export type Grammar = {
  readonly kinds: readonly string[]
  readonly fields: readonly string[]
}

/** The arrays of a `FlatTree`, used again and again: a tree in them is valid until the next one. */
export class TreeBuffers {
  kinds = new Uint16Array(1 << 15)
  fields = new Uint16Array(1 << 15)
  starts = new Int32Array(1 << 15)
  ends = new Int32Array(1 << 15)
  parents = new Int32Array(1 << 15)
  afters = new Int32Array(1 << 15)

  grow(): this {
    const size = this.kinds.length * 2
    this.kinds = copyInto(new Uint16Array(size), this.kinds)
    this.fields = copyInto(new Uint16Array(size), this.fields)
    this.starts = copyInto(new Int32Array(size), this.starts)
    this.ends = copyInto(new Int32Array(size), this.ends)
    this.parents = copyInto(new Int32Array(size), this.parents)
    this.afters = copyInto(new Int32Array(size), this.afters)
    return this
  }
}

function copyInto<T extends Uint16Array | Int32Array>(target: T, source: T): T {
  target.set(source)
  return target
}
