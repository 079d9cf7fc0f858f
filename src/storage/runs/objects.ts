/** Content by its SHA-256, compressed, written once and shared by all runs. */
import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { sha256 } from '../../base/canonical-json.ts'
import { writeWhole } from './durable.ts'

/** More than this is no object of ours: a bomb, or a fault. */
const largestObject = 512 * 1024 * 1024

export class Objects {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** The name of the content. Resolves when it is on disk; the same content costs a look only. */
  put(content: string): string {
    const name = sha256(content)
    const path = this.pathOf(name)
    if (existsSync(path)) {
      // So that nobody who sweeps takes it for old.
      touch(path)
      return name
    }
    writeWhole(path, zstdCompressSync(Buffer.from(content, 'utf8')), { replace: false })
    return name
  }

  /** Null when it is not there, or not what its name says. */
  get(name: string): string | null {
    try {
      const bytes = zstdDecompressSync(readFileSync(this.pathOf(name)), { maxOutputLength: largestObject })
      const content = bytes.toString('utf8')
      return sha256(content) === name ? content : null
    } catch {
      return null
    }
  }

  /** Bytes on disk; 0 when it is not there. */
  sizeOf(name: string): number {
    return statSync(this.pathOf(name), { throwIfNoEntry: false })?.size ?? 0
  }

  pathOf(name: string): string {
    return join(this.folder, name.slice(0, 2), `${name.slice(2)}.zst`)
  }
}

function touch(path: string): void {
  try {
    const now = new Date()
    utimesSync(path, now, now)
  } catch {
    // Somebody swept it this moment: then it is written again when it is asked for and missing.
  }
}
