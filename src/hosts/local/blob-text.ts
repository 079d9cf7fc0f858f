/** The text of blobs: whether they are text at all, decoding, and which blobs contain which identifiers. */

import { isUtf8 } from 'node:buffer'
import type { Shadow } from '../../base/git/shadow.ts'

/** Git looks for a zero byte among the first 8000 (`buffer_is_binary` in xdiff-interface.c). */
const probeBytes = 8000
/** Text with a stray zero byte has few control characters; compressed data has one in ten bytes. */
const mostControls = 0.05

/**
 * UTF-8 (with replacement characters when it is not valid, and for zero bytes), or UTF-16 when it begins with a byte
 * order mark. A UTF-8 mark stays in the text, as it does in a diff. Null for binary content.
 */
export function decodeText(bytes: Buffer): { text: string; lossy: boolean } | null {
  const wide = utf16Of(bytes)
  if (wide) {
    const text = new TextDecoder(wide).decode(bytes)
    return { text, lossy: text.includes('\ufffd') }
  }
  if (isBinary(bytes)) return null
  const text = bytes.toString('utf8')
  if (bytes.includes(0)) return { text: text.replaceAll('\0', '\ufffd'), lossy: true }
  return { text, lossy: !isUtf8(bytes) }
}

/**
 * True for what no program reads as text. A zero byte alone makes git say so, and would let anybody hide a file from
 * review with one character in a comment.
 */
export function isBinary(bytes: Uint8Array): boolean {
  const probe = bytes.subarray(0, probeBytes)
  if (!probe.includes(0)) return false
  let controls = 0
  for (const byte of probe) if (byte < 0x20 && (byte < 0x09 || byte > 0x0d)) controls++
  return controls > probe.length * mostControls
}

function utf16Of(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  const [first, second, third, fourth] = bytes
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // FF FE 00 00 is UTF-32, which is not read as text.
  if (first === 0xff && second === 0xfe && !(third === 0 && fourth === 0)) return 'utf-16le'
  return null
}

/** 1 for bytes of an identifier: ASCII letters, digits, `_`, `$`, and every byte beyond ASCII. */
const wordByte = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++)
  wordByte[byte] = byte >= 0x80 || /[A-Za-z0-9_$]/.test(String.fromCharCode(byte)) ? 1 : 0

/**
 * One pass over the bytes of a blob, remembered per word and blob. Both sides of a change share a scanner, so a blob of
 * both is read once.
 */
export class WordScanner {
  private readonly shadow: Shadow
  private readonly maxBytes: number
  private readonly hits = new Map<string, Set<string>>()
  /** Per word, the sets of blobs it has been looked for in. */
  private readonly looked = new Map<string, Set<string>[]>()
  private queue: Promise<unknown> = Promise.resolve()

  /** Blobs larger than `maxBytes` are not read. */
  constructor(shadow: Shadow, maxBytes: number) {
    this.shadow = shadow
    this.maxBytes = maxBytes
  }

  /** For each word, the blobs that contain it: at least all of those in `blobs`, and maybe others seen before. */
  find(words: readonly string[], blobs: readonly string[]): Promise<Map<string, ReadonlySet<string>>> {
    const answer = this.queue.then(() => this.look(words, blobs))
    this.queue = answer.catch(() => {})
    return answer
  }

  private async look(words: readonly string[], blobs: readonly string[]) {
    const wanted = [...new Set(words)]
    const unseen = new Map(wanted.map((word) => [word, this.unseen(word, blobs)]))
    const asking = wanted.filter((word) => unseen.get(word)?.length)
    const reading = [...new Set(asking.flatMap((word) => unseen.get(word) ?? []))]
    if (reading.length > 0) await this.pass(asking, reading)
    return new Map(wanted.map((word) => [word, this.hits.get(word) ?? new Set<string>()]))
  }

  private unseen(word: string, blobs: readonly string[]): readonly string[] {
    const looked = this.looked.get(word)
    return looked ? blobs.filter((blob) => !looked.some((set) => set.has(blob))) : blobs
  }

  private async pass(words: readonly string[], blobs: readonly string[]): Promise<void> {
    const table = new WordTable(words)
    await this.shadow.objects.readEach(blobs, this.maxBytes, (content, index) => {
      const bytes = content?.bytes && scannable(content.bytes)
      if (!bytes) return
      for (const word of table.wordsIn(bytes)) {
        const set = this.hits.get(word)
        if (set) set.add(blobs[index] ?? '')
        else this.hits.set(word, new Set([blobs[index] ?? '']))
      }
    })
    const seen = new Set(blobs)
    for (const word of words) this.looked.set(word, [...(this.looked.get(word) ?? []), seen])
  }
}

/** Finds whole identifiers in bytes. The hash rules out nearly every token without making a string of it. */
export class WordTable {
  private readonly words = new Map<string, string>()
  private readonly bits = new Uint8Array(1 << 16)

  constructor(words: readonly string[]) {
    for (const word of words) {
      const bytes = Buffer.from(word)
      this.words.set(bytes.toString('latin1'), word)
      let hash = 0
      for (const byte of bytes) hash = (Math.imul(hash, 31) + byte) | 0
      this.bits[hash & 0xffff] = 1
    }
  }

  wordsIn(bytes: Buffer): Set<string> {
    const found = new Set<string>()
    const { bits } = this
    const end = bytes.length
    for (let at = 0; at < end; at++) {
      if (wordByte[bytes[at] ?? 0] === 0) continue
      const start = at
      let hash = 0
      for (let byte = bytes[at] ?? 0; at < end && wordByte[byte] === 1; byte = bytes[++at] ?? 0)
        hash = (Math.imul(hash, 31) + byte) | 0
      if (bits[hash & 0xffff] === 0) continue
      const word = this.words.get(bytes.toString('latin1', start, at))
      if (word !== undefined) found.add(word)
    }
    return found
  }
}

/** UTF-8 bytes of a text file, or null when it is binary. */
function scannable(bytes: Buffer): Buffer | null {
  if (!isBinary(bytes)) return bytes
  const wide = decodeText(bytes)
  return wide && Buffer.from(wide.text)
}
