/**
 * Reads the output of git's diff commands as it streams: the list of `--raw --numstat -z` (which files changed, how, and by
 * how many lines), and the patch of each file.
 */
import type { RawFileDiff } from '../contract.ts'

export type RawChange = Omit<RawFileDiff, 'patch' | 'omitted' | 'secrets'>

/** Feed it the output as it comes; `changes` has every file whose words are complete. With `-p` too, a patch follows. */
export class RawListParser {
  readonly changes: RawChange[] = []
  private readonly byPaths = new Map<string, RawChange>()
  private readonly splitter = new ZeroSplitter((item) => this.take(item.toString('utf8')))
  /** The words of the item being read, and how many it will have. */
  private words: string[] = []
  private expected = 0

  /** Once the lists are over, returns what follows them in the chunk; else null. */
  push(chunk: Buffer): Buffer | null {
    return this.splitter.push(chunk)
  }

  /** An empty word where an item should begin stands between the lists and the patch. */
  private take(word: string): boolean {
    if (this.words.length === 0 && word === '') return false
    if (this.words.length === 0) this.expected = wordsOf(word)
    this.words.push(word)
    if (this.words.length === this.expected) this.endItem()
    return true
  }

  private endItem(): void {
    const [first = '', ...paths] = this.words
    this.words = []
    if (first.startsWith(':')) this.addRaw(first, paths)
    else this.addCounts(first, paths)
  }

  /** `:100644 100755 OLD NEW R095`, then one path, or two for a rename or copy. */
  private addRaw(head: string, paths: string[]): void {
    const [oldMode = '', newMode = '', oldBlob = '', newBlob = '', letter = ''] = head.slice(1).split(' ')
    const [first = '', second] = paths
    const change: RawChange = {
      path: second ?? first,
      oldPath: second === undefined ? null : first,
      status: letter.slice(0, 1),
      similarity: second === undefined ? null : Number(letter.slice(1)),
      oldMode: oldMode === '000000' ? null : oldMode,
      newMode: newMode === '000000' ? null : newMode,
      oldBlob: /^0+$/.test(oldBlob) ? null : oldBlob,
      newBlob: /^0+$/.test(newBlob) ? null : newBlob,
      added: null,
      removed: null,
    }
    this.changes.push(change)
    this.byPaths.set(keyOf(change.oldPath, change.path), change)
  }

  /** `12<TAB>3<TAB>path`, or with an empty path and then the old and the new one. `-` stands for binary. */
  private addCounts(head: string, paths: string[]): void {
    const [added = '', removed = '', path = ''] = splitCounts(head)
    const [from, to] = paths
    const change = this.byPaths.get(to === undefined ? keyOf(null, path) : keyOf(from ?? null, to))
    if (!change || added === '-') return
    change.added = Number(added)
    change.removed = Number(removed)
  }
}

function wordsOf(first: string): number {
  if (first.startsWith(':')) return /[RC]\d*$/.test(first) ? 3 : 2
  return splitCounts(first)[2] === '' ? 3 : 1
}

/** Two counts and the rest: a path may hold tabs of its own. */
function splitCounts(head: string): string[] {
  const first = head.indexOf('\t')
  const second = head.indexOf('\t', first + 1)
  return [head.slice(0, first), head.slice(first + 1, second), head.slice(second + 1)]
}

function keyOf(oldPath: string | null, path: string): string {
  return oldPath === null ? path : `${oldPath}\0${path}`
}

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
