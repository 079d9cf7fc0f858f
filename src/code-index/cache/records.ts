/** Records by key: in the pack on disk, or in memory while there is no pack or it cannot be written. */
import type { FileFacts } from '../contract.ts'
import { Pack } from './pack.ts'
import { decodeFacts } from './record.ts'

/** Bytes of the records whose facts are kept decoded; decoded they take some twenty times as much. */
const decodedAtHand = 2_500_000

/** Bytes of records that wait to be written in one go. */
const writtenTogether = 1 << 18

type Decoded = { facts: FileFacts; bytes: number }

export class Records {
  private readonly place: { folder: string; name: string } | null
  private pack: Pack | null = null
  private readonly inMemory = new Map<string, Uint8Array>()
  /** Keys of the pack whose records were found whole. */
  private readonly whole = new Set<string>()
  private readonly decoded = new Map<string, Decoded>()
  private decodedBytes = 0
  private unwrittenBytes = 0
  private why: string | null = null

  /** `place`: where the pack is; null keeps everything in memory. */
  constructor(place: { folder: string; name: string } | null) {
    this.place = place
  }

  /** Null while records are kept between runs, or need not be; else why they are not. */
  get notKept(): string | null {
    return this.why
  }

  /** Takes note of what other processes have written. */
  refresh(): void {
    this.opened()?.refresh()
  }

  has(key: string): boolean {
    if (this.inMemory.has(key) || this.whole.has(key)) return true
    if (!this.opened()?.get(key)) return false
    this.whole.add(key)
    return true
  }

  /** A record is written with those that follow; it counts at once. */
  add(key: string, record: Uint8Array): void {
    this.inMemory.set(key, record)
    this.unwrittenBytes += record.length
    if (this.unwrittenBytes > writtenTogether) this.write()
  }

  /** Writes what is not written yet, where there is a pack. */
  write(): void {
    // Once it could not be written it is only read: a disk that is full stays full for a while.
    const pack = this.why === null ? this.opened() : null
    this.unwrittenBytes = 0
    if (!pack || this.inMemory.size === 0) return
    this.why = pack.add([...this.inMemory])
    for (const key of this.inMemory.keys()) {
      if (!pack.has(key)) continue
      this.inMemory.delete(key)
      this.whole.add(key)
    }
  }

  /** Null when there is no such record, or it cannot be read any more. */
  facts(key: string): FileFacts | null {
    const known = this.decoded.get(key)
    if (known) {
      // The one used last goes last.
      this.decoded.delete(key)
      this.decoded.set(key, known)
      return known.facts
    }
    const record = this.inMemory.get(key) ?? this.opened()?.get(key)
    if (!record) return null
    try {
      return this.keepDecoded(key, { facts: decodeFacts(record), bytes: record.length })
    } catch {
      return null
    }
  }

  /** What is asked for afterwards opens the pack again. */
  close(): void {
    this.write()
    this.pack?.close()
    this.pack = null
  }

  private opened(): Pack | null {
    if (this.pack || this.place === null || this.why !== null) return this.pack
    const pack = Pack.open(this.place.folder, this.place.name)
    if (typeof pack === 'string') {
      this.why = pack
      return null
    }
    pack.refresh()
    this.pack = pack
    return pack
  }

  private keepDecoded(key: string, decoded: Decoded): FileFacts {
    this.decoded.set(key, decoded)
    this.decodedBytes += decoded.bytes
    for (const [oldest, { bytes }] of this.decoded) {
      if (this.decodedBytes <= decodedAtHand || oldest === key) break
      this.decoded.delete(oldest)
      this.decodedBytes -= bytes
    }
    return decoded.facts
  }
}

// Facts by path that are read when they are asked for, so that those of a whole repository need not be held at once.

export class FactMap implements ReadonlyMap<string, FileFacts> {
  private readonly keyOf: ReadonlyMap<string, string>
  private readonly read: (key: string) => FileFacts | null

  /** `keyOf`: the key by path. `read` answers null only when a record was removed meanwhile. */
  constructor(keyOf: ReadonlyMap<string, string>, read: (key: string) => FileFacts | null) {
    this.keyOf = keyOf
    this.read = read
  }

  get size(): number {
    return this.keyOf.size
  }

  has(path: string): boolean {
    return this.keyOf.has(path)
  }

  get(path: string): FileFacts | undefined {
    const key = this.keyOf.get(path)
    return key === undefined ? undefined : (this.read(key) ?? undefined)
  }

  keys(): MapIterator<string> {
    return this.keyOf.keys()
  }

  *values(): Generator<FileFacts, undefined> {
    for (const [, facts] of this) yield facts
  }

  *entries(): Generator<[string, FileFacts], undefined> {
    for (const path of this.keyOf.keys()) {
      const facts = this.get(path)
      if (facts) yield [path, facts]
    }
  }

  [Symbol.iterator](): Generator<[string, FileFacts], undefined> {
    return this.entries()
  }

  forEach(each: (facts: FileFacts, path: string, map: ReadonlyMap<string, FileFacts>) => void): void {
    for (const [path, facts] of this) each(facts, path, this)
  }
}
