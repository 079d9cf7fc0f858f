/**
 * Records on disk: one append-only file that several processes may write and read at once.
 * A record is a header and a payload, written in one go; whatever is torn or damaged is passed over, never trusted.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** Header: magic, payload length (32 bits), 16 bytes of the key's hash, 16 bytes of the payload's hash. */
const magic = Buffer.from([0x53, 0x49, 0x66, 0x31])
const headerBytes = 40
const largestPayload = 64 * 2 ** 20
/** A file that has grown past this is begun anew; one of another version that nobody writes any more goes. */
const largestFile = 2 ** 30
const forgottenAfterMs = 30 * 24 * 3600 * 1000
/** How much is searched at a time for the next header behind damage. */
const searchBytes = 1 << 16

type Slot = { offset: number; length: number; checksum: string }

export class Pack {
  private readonly file: number
  private readonly slots = new Map<string, Slot>()
  private scanned = 0

  private constructor(file: number) {
    this.file = file
  }

  /** Opens or makes the file; null when the folder cannot be used: the caller goes on without a cache. */
  static open(folder: string, name: string): Pack | null {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      tidy(folder, name)
      return new Pack(openSync(join(folder, name), 'a+', 0o600))
    } catch {
      return null
    }
  }

  /** Takes note of what has been appended since, by whomever. */
  refresh(): void {
    const { size } = fstatSync(this.file)
    const header = Buffer.alloc(headerBytes)
    while (this.scanned + headerBytes <= size) {
      if (!this.readInto(header, this.scanned)) return
      const length = header.readUInt32LE(4)
      if (!header.subarray(0, 4).equals(magic) || length > largestPayload) {
        this.scanned = this.nextHeader(this.scanned + 1, size)
        continue
      }
      const offset = this.scanned + headerBytes
      // A record that another process is writing right now: look again next time.
      if (offset + length > size) return
      const checksum = header.toString('hex', 24, 40)
      this.slots.set(header.toString('hex', 8, 24), { offset, length, checksum })
      this.scanned = offset + length
    }
  }

  /** The payload stored last under this key, or null. */
  get(key: string): Uint8Array | null {
    const slot = this.slots.get(hashOf(key))
    if (!slot) return null
    const payload = Buffer.alloc(slot.length)
    return this.readInto(payload, slot.offset) && hashOf(payload) === slot.checksum ? payload : null
  }

  /** Appends one record. A full disk or the like is no error: the record is just not there next time. */
  add(key: string, payload: Uint8Array): void {
    const header = Buffer.alloc(headerBytes)
    magic.copy(header)
    header.writeUInt32LE(payload.length, 4)
    header.write(hashOf(key), 8, 'hex')
    header.write(hashOf(payload), 24, 'hex')
    try {
      writeSync(this.file, Buffer.concat([header, payload]))
    } catch {
      // Left for the next process to parse again.
    }
  }

  close(): void {
    closeSync(this.file)
  }

  private readInto(target: Buffer, position: number): boolean {
    try {
      return readSync(this.file, target, 0, target.length, position) === target.length
    } catch {
      return false
    }
  }

  /** The offset of the next magic word at or behind `from`; the end of the file when there is none. */
  private nextHeader(from: number, size: number): number {
    const window = Buffer.alloc(searchBytes)
    for (let at = from; at < size; at += searchBytes - magic.length) {
      const part = window.subarray(0, Math.min(searchBytes, size - at))
      if (!this.readInto(part, at)) return size
      const found = part.indexOf(magic)
      if (found >= 0) return at + found
    }
    return size
  }
}

function tidy(folder: string, current: string): void {
  for (const name of readdirSync(folder)) {
    const { size, mtimeMs } = statSync(join(folder, name))
    const isOld = name !== current && name.endsWith('.pack') && Date.now() - mtimeMs > forgottenAfterMs
    // Processes that have the file open go on with what they have.
    if (isOld || (name === current && size > largestFile)) rmSync(join(folder, name), { force: true })
  }
}

function hashOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex').slice(0, 32)
}
