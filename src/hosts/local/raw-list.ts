/** Reads `--raw --numstat -z` of git's diff commands: which files changed, how, and by how many lines. */

export type RawChange = {
  path: string
  oldPath: string | null
  /** A, D, M, R, C, T. */
  status: string
  similarity: number | null
  oldMode: string | null
  newMode: string | null
  oldBlob: string | null
  newBlob: string | null
  added: number | null
  removed: number | null
}

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
