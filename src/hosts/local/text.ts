/** Decodes the bytes of a file to text, or says that they are none. */
import { isUtf8 } from 'node:buffer'

/** Git's own measure of a binary file: a zero byte among the first 8000 (`buffer_is_binary` in xdiff-interface.c). */
const probeBytes = 8000

/**
 * UTF-8 (with replacement characters when it is not valid), or UTF-16 when it begins with a byte order mark.
 * A UTF-8 mark stays in the text, as it does in a diff. Null for binary content.
 */
export function decodeText(bytes: Buffer): { text: string; lossy: boolean } | null {
  const wide = utf16Of(bytes)
  if (wide) {
    const text = new TextDecoder(wide).decode(bytes)
    return { text, lossy: text.includes('\ufffd') }
  }
  if (isBinary(bytes)) return null
  return { text: bytes.toString('utf8'), lossy: !isUtf8(bytes) }
}

/** True when git would call it binary. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, probeBytes).includes(0)
}

function utf16Of(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  const [first, second, third, fourth] = bytes
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // FF FE 00 00 is UTF-32, which nobody reads as text.
  if (first === 0xff && second === 0xfe && !(third === 0 && fourth === 0)) return 'utf-16le'
  return null
}
