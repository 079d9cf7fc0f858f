/**
 * Records on disk: one append-only file that several processes may write and read at once.
 * A record is a header and a payload, written in one go; whatever is torn or damaged is passed over, never trusted.
 */
import { hash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../base/durable.ts'
import { isOlderVersion, unusedForMs } from '../index-files/index-folder.ts'

/** Header: magic, payload length (32 bits), 16 bytes of the key's hash, 16 bytes of the payload's hash. */
const magic = Buffer.from([0x53, 0x49, 0x66, 0x31])
const headerBytes = 40
const largestPayload = 64 * 2 ** 20
/** How much is read at a time in search of headers. */
const windowBytes = 1 << 18

type Slot = { offset: number; length: number; checksum: string }

export class Pack {
  private readonly file: number
  private readonly slots = new Map<string, Slot>()
  private scanned = 0

  private constructor(file: number) {
    this.file = file
  }

  /** Opens or makes the file; why not, when the folder cannot be used: the caller goes on without a cache. */
  static open(folder: string, name: string): Pack | string {
    try {
      makeFolder(folder)
      tidyPacks(folder, name)
      return new Pack(openSync(join(folder, name), 'a+', 0o600))
    } catch (error) {
      return reasonOf(error)
    }
  }

  /** Takes note of what has been appended since, by whomever, as far as it can be read. */
  refresh(): void {
    const size = sizeOf(this.file)
    const window = new Window(this.file, size)
    while (this.scanned + headerBytes <= size) {
      const header = window.at(this.scanned, headerBytes)
      if (!header) return
      const length = header.readUInt32LE(4)
      if (!startsRecord(header) || length > largestPayload) {
        this.scanned = window.find(magic, this.scanned + 1)
        continue
      }
      const offset = this.scanned + headerBytes
      const end = offset + length
      if (end > size) {
        // Another process is writing it right now, or the length is damaged: then whole records follow.
        const next = this.nextWhole(window, size)
        if (next === null) return
        this.scanned = next
        continue
      }
      const slot = { offset, length, checksum: header.toString('hex', 24, 40) }
      const key = header.toString('hex', 8, 24)
      // What follows is no record: this one may have been torn, and swallowed the beginning of the next.
      if (end + headerBytes <= size && !startsRecord(window.at(end, headerBytes)) && !this.payload(slot)) {
        this.scanned = window.find(magic, this.scanned + 1)
        continue
      }
      this.slots.set(key, slot)
      this.scanned = end
    }
  }

  /** The payload stored last under this key, or null. */
  get(key: string): Buffer | null {
    const slot = this.slots.get(hashOf(key))
    return slot ? this.payload(slot) : null
  }

  /** A record of this key was seen; `get` tells whether it is whole. */
  has(key: string): boolean {
    return this.slots.has(hashOf(key))
  }

  /** Appends records; null, or why not all of them will be there next time: the disk is full, or the like. */
  add(entries: readonly (readonly [key: string, payload: Uint8Array])[]): string | null {
    const bytes = Buffer.concat(entries.flatMap(([key, payload]) => [headerOf(key, payload), payload]))
    try {
      // In one go, so that those of two processes do not mix; where they do, it is damage like any other.
      for (let at = 0; at < bytes.length; ) at += writeSync(this.file, bytes, at)
      return null
    } catch (error) {
      return reasonOf(error)
    } finally {
      this.refresh()
    }
  }

  close(): void {
    closeSync(this.file)
  }

  private nextWhole(window: Window, size: number): number | null {
    for (let at = window.find(magic, this.scanned + 1); at < size; at = window.find(magic, at + 1)) {
      const header = window.at(at, headerBytes)
      const length = header?.readUInt32LE(4) ?? size
      const offset = at + headerBytes
      if (!header || offset + length > size) continue
      if (this.payload({ offset, length, checksum: header.toString('hex', 24, 40) })) return at
    }
    return null
  }

  private payload({ offset, length, checksum }: Slot): Buffer | null {
    const payload = Buffer.alloc(length)
    return readInto(this.file, payload, offset) && hashOf(payload) === checksum ? payload : null
  }
}

/** Parts of a file, read a window at a time; a part is valid until the next is asked for. */
class Window {
  private readonly file: number
  private readonly size: number
  /** One for all windows: the system clears fresh memory of this size page by page, which costs more than reading. */
  private memory: Buffer | null = null
  private bytes: Buffer = Buffer.alloc(0)
  private start = 0

  constructor(file: number, size: number) {
    this.file = file
    this.size = size
  }

  /** Null when they cannot be read. */
  at(position: number, length: number): Buffer | null {
    if (position < this.start || position + length > this.start + this.bytes.length) {
      this.memory ??= Buffer.allocUnsafe(Math.min(windowBytes, this.size))
      const bytes = this.memory.subarray(0, Math.max(0, this.size - position))
      // A window that was read in part is not to be taken for one before it.
      this.bytes = bytes.subarray(0, 0)
      if (!readInto(this.file, bytes, position)) return null
      this.bytes = bytes
      this.start = position
    }
    const from = position - this.start
    return from + length > this.bytes.length ? null : this.bytes.subarray(from, from + length)
  }

  /** Where these bytes occur next, at or behind `from`; the end of the file when they do not. */
  find(wanted: Buffer, from: number): number {
    for (let at = from; at < this.size; at += windowBytes - wanted.length) {
      const part = this.at(at, Math.min(windowBytes, this.size - at))
      if (!part) break
      const found = part.indexOf(wanted)
      if (found >= 0) return at + found
    }
    return this.size
  }
}

function startsRecord(header: Buffer | null): boolean {
  return header?.subarray(0, magic.length).equals(magic) === true
}

/** 0 when the system does not say. */
function sizeOf(file: number): number {
  try {
    return fstatSync(file).size
  } catch {
    return 0
  }
}

function readInto(file: number, target: Buffer, position: number): boolean {
  try {
    return readSync(file, target, 0, target.length, position) === target.length
  } catch {
    return false
  }
}

function headerOf(key: string, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(headerBytes)
  magic.copy(header)
  header.writeUInt32LE(payload.length, 4)
  header.write(hashOf(key), 8, 'hex')
  header.write(hashOf(payload), 24, 'hex')
  return header
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function hashOf(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex').slice(0, 32)
}

// Removing packs: those of older versions that were unused for a month, and one that has grown too large.

const largestFile = 2 ** 30

/** Packs of newer versions are left alone, however old: whoever wrote them knows better. Throws when it cannot list. */
function tidyPacks(folder: string, current: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.pack')) continue
    const path = join(folder, name)
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found) continue
    const isUnused = isOlderVersion(name, current) && Date.now() - found.mtimeMs > unusedForMs
    // Processes that have the file open go on with what they have.
    if (isUnused || (name === current && found.size > largestFile)) rmSync(path, { force: true })
  }
}
