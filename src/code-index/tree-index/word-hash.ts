/** Words as bytes: which bytes make one, and the number it is filed under. */

/** 1 for bytes of an identifier: ASCII letters, digits, `_`, `$`, and every byte beyond ASCII; as in `filesWithWords`. */
export const wordByte = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++)
  wordByte[byte] = byte >= 0x80 || /[A-Za-z0-9_$]/.test(String.fromCharCode(byte)) ? 1 : 0

/** Longer ones are data (a hash, an encoded image) and nobody asks for them. */
export const longestWordBytes = 200

/** FNV-1a over the bytes, as an unsigned number of 32 bits. */
export function hashOfWord(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return hash >>> 0
}

/** True when all of `word` is one identifier. */
export function isOneWord(word: Uint8Array): boolean {
  return word.length > 0 && word.every((byte) => wordByte[byte] === 1)
}

export function isFiled(word: Uint8Array): boolean {
  return word.length <= longestWordBytes && isOneWord(word)
}
