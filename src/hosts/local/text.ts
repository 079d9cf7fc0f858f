/** Decodes the bytes of a file to text, or says that they are none. */
import { isUtf8 } from 'node:buffer'

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
  // FF FE 00 00 is UTF-32, which nobody reads as text.
  if (first === 0xff && second === 0xfe && !(third === 0 && fourth === 0)) return 'utf-16le'
  return null
}
