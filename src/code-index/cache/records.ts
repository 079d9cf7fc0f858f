/** Records by key: in the pack on disk, or in memory while there is no pack or it cannot be written. */
import type { ReadState } from '../contract.ts'
import { Pack } from './pack.ts'
import { decodeRecord, stateOf } from './record.ts'

/** Bytes of the records whose facts are kept decoded; decoded they take some twenty times as much. */
const decodedAtHand = 2_500_000

/** Undoing a few keys finds what they were. */
const earlierDrafts = 8

/** Bytes of records that wait to be written in one go. */
const writtenTogether = 1 << 18

type Decoded = ReturnType<typeof decodeRecord>
type Remembered = { record: Decoded; bytes: number }

export class Records {
  private readonly place: { folder: string; name: string } | null
  private pack: Pack | null = null
  private readonly inMemory = new Map<string, Uint8Array>()
  /** Not to be found by the next run: another may do better, or the text was never saved. */
  private readonly passing = new Map<string, Uint8Array>()
  /** Keys of passing records of texts that somebody is writing, the one used last at the end. */
  private readonly drafts = new Set<string>()
  /** By keys of records that were found whole. */
  private readonly states = new Map<string, ReadState>()
  private readonly decoded = new Map<string, Remembered>()
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

  /** Null when there is no whole record of this key. */
  stateOf(key: string): ReadState | null {
    const known = this.states.get(key)
    if (known) return known
    const record = this.recordOf(key)
    const state = record && stateOf(record)
    if (state) this.states.set(key, state)
    return state
  }

  /** Quicker than `stateOf`: a damaged record counts too. */
  mayHave(key: string): boolean {
    return this.states.has(key) || this.opened()?.has(key) === true
  }

  /** As it is kept, packed; null when there is none. */
  recordOf(key: string): Uint8Array | null {
    return this.inMemory.get(key) ?? this.passing.get(key) ?? this.opened()?.get(key) ?? null
  }

  /** A record is written with those that follow; it counts at once. One that `isPassing` is never written. */
  add(key: string, record: Uint8Array, isPassing = false): void {
    const state = stateOf(record)
    if (!state) throw new Error('no record')
    this.states.set(key, state)
    if (isPassing) {
      this.passing.set(key, record)
      return
    }
    this.inMemory.set(key, record)
    this.unwrittenBytes += record.length
    if (this.unwrittenBytes > writtenTogether) this.write()
  }

  /** Texts that somebody is writing: their records are passing, and at most `earlierDrafts` others of that kind stay. */
  keepDrafts(keys: readonly string[]): void {
    for (const key of keys) {
      // It may be that of a file, too.
      if (!this.passing.has(key)) continue
      this.drafts.delete(key)
      this.drafts.add(key)
    }
    for (const oldest of this.drafts) {
      if (this.drafts.size <= keys.length + earlierDrafts) break
      this.drafts.delete(oldest)
      this.passing.delete(oldest)
      this.states.delete(oldest)
      this.forgetDecoded(oldest)
    }
  }

  /** Writes what is not written yet, where there is a pack. */
  write(): void {
    // Once it could not be written it is only read: a disk that is full stays full for a while.
    const pack = this.why === null ? this.opened() : null
    this.unwrittenBytes = 0
    if (!pack || this.inMemory.size === 0) return
    this.why = pack.add([...this.inMemory])
    for (const key of this.inMemory.keys()) if (pack.has(key)) this.inMemory.delete(key)
  }

  /** Null when there is no such record, or it cannot be read any more. */
  read(key: string): Decoded | null {
    const known = this.decoded.get(key)
    if (known) {
      // The one used last goes last.
      this.decoded.delete(key)
      this.decoded.set(key, known)
      return known.record
    }
    const record = this.recordOf(key)
    if (!record) return null
    try {
      return this.remember(key, { record: decodeRecord(record), bytes: record.length })
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

  private remember(key: string, remembered: Remembered): Decoded {
    this.decoded.set(key, remembered)
    this.decodedBytes += remembered.bytes
    for (const oldest of this.decoded.keys()) {
      if (this.decodedBytes <= decodedAtHand || oldest === key) break
      this.forgetDecoded(oldest)
    }
    return remembered.record
  }

  private forgetDecoded(key: string): void {
    this.decodedBytes -= this.decoded.get(key)?.bytes ?? 0
    this.decoded.delete(key)
  }
}

// Values by path that are made when they are asked for, so that those of a whole repository need not be held at once.

export class LazyMap<Value> implements ReadonlyMap<string, Value> {
  private readonly keyOf: ReadonlyMap<string, string>
  private readonly read: (key: string) => Value | null

  /** `keyOf`: the key by path. `read` answers null only when a record was removed meanwhile. */
  constructor(keyOf: ReadonlyMap<string, string>, read: (key: string) => Value | null) {
    this.keyOf = keyOf
    this.read = read
  }

  get size(): number {
    return this.keyOf.size
  }

  has(path: string): boolean {
    return this.keyOf.has(path)
  }

  get(path: string): Value | undefined {
    const key = this.keyOf.get(path)
    return key === undefined ? undefined : (this.read(key) ?? undefined)
  }

  keys(): MapIterator<string> {
    return this.keyOf.keys()
  }

  *values(): Generator<Value, undefined> {
    for (const [, value] of this) yield value
  }

  *entries(): Generator<[string, Value], undefined> {
    for (const path of this.keyOf.keys()) {
      const value = this.get(path)
      if (value !== undefined) yield [path, value]
    }
  }

  [Symbol.iterator](): Generator<[string, Value], undefined> {
    return this.entries()
  }

  forEach(each: (value: Value, path: string, map: ReadonlyMap<string, Value>) => void): void {
    for (const [path, value] of this) each(value, path, this)
  }
}
