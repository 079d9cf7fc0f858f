/** Cuts one `git diff-tree -p` stream into the parts of its files, in git's order, each up to a cap. */

export type PatchPart = {
  /** Null when the part, or all parts together, grew past the cap. */
  bytes: Buffer | null
  /** The ids on its `index` line, to check that it belongs where it is put; null when it has none. */
  ids: { old: string; new: string } | null
}

const mark = Buffer.from('diff --git ')

/** Every line of content begins with a space, `+`, `-` or `\`, so `diff --git ` at a line start is a header. */
export class PatchSplitter {
  readonly parts: PatchPart[] = []
  private readonly maxPart: number
  private readonly maxAll: number
  private total = 0
  private part: { chunks: Buffer[]; size: number } | null = null
  /** Bytes not yet looked at: they may hold the beginning of a mark. */
  private rest: Buffer = Buffer.alloc(0)
  private atLineStart = true

  constructor(maxPart: number, maxAll: number) {
    this.maxPart = maxPart
    this.maxAll = maxAll
  }

  push(chunk: Buffer): void {
    const data = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk
    let start = 0
    for (let at = this.nextMark(data, 0); at >= 0; at = this.nextMark(data, at + mark.length)) {
      this.add(data.subarray(start, at))
      this.endPart()
      this.part = { chunks: [], size: 0 }
      start = at + mark.length
      this.add(mark)
    }
    const keep = Math.max(start, data.length - mark.length)
    this.add(data.subarray(start, keep))
    if (keep > 0) this.atLineStart = data[keep - 1] === 0x0a
    this.rest = Buffer.from(data.subarray(keep))
  }

  finish(): PatchPart[] {
    this.add(this.rest)
    this.rest = Buffer.alloc(0)
    this.endPart()
    return this.parts
  }

  private nextMark(data: Buffer, from: number): number {
    for (let at = data.indexOf(mark, from); at >= 0; at = data.indexOf(mark, at + 1))
      if (at === 0 ? this.atLineStart : data[at - 1] === 0x0a) return at
    return -1
  }

  /** Past the cap only the first bytes are kept, for the header. */
  private add(bytes: Buffer): void {
    if (!this.part || bytes.length === 0) return
    this.part.size += bytes.length
    this.total += bytes.length
    const isHeader = this.part.chunks.length === 0
    if (isHeader || (this.part.size <= this.maxPart && this.total <= this.maxAll))
      this.part.chunks.push(Buffer.from(bytes))
  }

  private endPart(): void {
    if (!this.part) return
    const bytes = Buffer.concat(this.part.chunks)
    const header = bytes.toString('latin1', 0, 16_384)
    const index = /^index ([0-9a-f]{40,64})\.\.([0-9a-f]{40,64})/m.exec(header)
    this.parts.push({
      bytes: bytes.length === this.part.size && bytes.length <= this.maxPart ? bytes : null,
      ids: index ? { old: index[1] ?? '', new: index[2] ?? '' } : null,
    })
    this.part = null
  }
}
