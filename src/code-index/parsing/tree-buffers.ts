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
