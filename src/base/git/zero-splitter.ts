/** Cuts a stream of bytes at its zero bytes, as every `-z` output of git wants. */
export class ZeroSplitter {
  private readonly visit: (item: Buffer) => void
  private rest: Buffer[] = []

  /** `visit` gets each item without its zero. What follows the last zero is kept back: git ends items with one. */
  constructor(visit: (item: Buffer) => void) {
    this.visit = visit
  }

  push(chunk: Buffer): void {
    let start = 0
    for (let zero = chunk.indexOf(0); zero >= 0; zero = chunk.indexOf(0, start)) {
      const tail = chunk.subarray(start, zero)
      if (this.rest.length === 0) this.visit(tail)
      else {
        this.visit(Buffer.concat([...this.rest, tail]))
        this.rest = []
      }
      start = zero + 1
    }
    if (start < chunk.length) this.rest.push(chunk.subarray(start))
  }
}
