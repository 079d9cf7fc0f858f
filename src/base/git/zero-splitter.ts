/** Cuts a stream of bytes at its zero bytes, as every `-z` output of git wants. */
export class ZeroSplitter {
  private readonly visit: (item: Buffer) => boolean | undefined
  private rest: Buffer[] = []

  /**
   * `visit` gets each item without its zero, and may return `false` to have no more. What follows the last
   * zero is kept back: git ends items with one.
   */
  constructor(visit: (item: Buffer) => boolean | undefined) {
    this.visit = visit
  }

  /** Returns the bytes behind the item at which `visit` returned `false`, else null. */
  push(chunk: Buffer): Buffer | null {
    let start = 0
    for (let zero = chunk.indexOf(0); zero >= 0; zero = chunk.indexOf(0, start)) {
      const tail = chunk.subarray(start, zero)
      start = zero + 1
      const item = this.rest.length === 0 ? tail : Buffer.concat([...this.rest, tail])
      this.rest = []
      if (this.visit(item) === false) return chunk.subarray(start)
    }
    if (start < chunk.length) this.rest.push(chunk.subarray(start))
    return null
  }
}
