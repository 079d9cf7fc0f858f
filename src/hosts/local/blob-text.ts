/** The text of blobs: whether they are text at all, decoding, and which blobs contain which identifiers. */

import { isUtf8 } from 'node:buffer'
import type { Shadow } from '../../base/git/shadow.ts'
import { hashOfWord, holdsWord, type WordHashes, WordReader } from '../../base/word-hashes.ts'

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

/** Which words blobs hold, of those that were read. Their ids name their contents, so it holds for any change of the repository. */
export type KnownWords = Map<string, WordHashes>

/**
 * One pass over the bytes of a blob, whatever the number of questions: what is kept of it tells every later word. Both
 * sides of a change share a scanner, so a blob of both is read once.
 */
export class WordScanner {
  private readonly shadow: Shadow
  private readonly maxBytes: number
  private readonly reader = new WordReader()
  private readonly known: KnownWords
  /** Too large, or not here: the next scanner may find them. */
  private readonly unread = new Set<string>()
  private queue: Promise<unknown> = Promise.resolve()

  /** Blobs larger than `maxBytes` are not read. `known`: is added to. */
  constructor(shadow: Shadow, maxBytes: number, known: KnownWords = new Map()) {
    this.shadow = shadow
    this.maxBytes = maxBytes
    this.known = known
  }

  /** For each word, those of the blobs that contain it. `maxBytes`: another limit, for this question alone. */
  async find(
    words: readonly string[],
    blobs: readonly string[],
    maxBytes = this.maxBytes,
  ): Promise<Map<string, ReadonlySet<string>>> {
    const isNew = (blob: string) =>
      !this.known.has(blob) && (maxBytes > this.maxBytes || !this.unread.has(blob))
    const reading = this.queue.then(() => this.read(blobs.filter(isNew), maxBytes))
    this.queue = reading.catch(() => {})
    await reading
    return new Map([...new Set(words)].map((word) => [word, this.holders(word, blobs)]))
  }

  private holders(word: string, blobs: readonly string[]): Set<string> {
    const hash = hashOfWord(word)
    return new Set(blobs.filter((blob) => holdsWord(this.known.get(blob) ?? none, hash)))
  }

  private async read(blobs: readonly string[], maxBytes: number): Promise<void> {
    await this.shadow.objects.readEach(blobs, maxBytes, (content, index) => {
      const blob = blobs[index] ?? ''
      if (!content?.bytes) return void this.unread.add(blob)
      const bytes = scannable(content.bytes)
      this.known.set(blob, bytes ? this.reader.hashesOf(bytes) : none)
    })
  }
}

const none: WordHashes = new Float64Array()

/** UTF-8 bytes of a text file, or null when it is binary. */
function scannable(bytes: Buffer): Buffer | null {
  if (!isBinary(bytes)) return bytes
  const wide = decodeText(bytes)
  return wide && Buffer.from(wide.text)
}
