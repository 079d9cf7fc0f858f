/** Bytes that grow as they are written, and whole numbers of variable length. */

export class ByteWriter {
  private bytes = new Uint8Array(1024)
  length = 0

  /** A whole number from 0 to 2³² − 1: seven bits a byte, the lowest first. */
  writeNumber(value: number): void {
    if (this.length + 5 > this.bytes.length) this.grow(5)
    let rest = value
    while (rest > 0x7f) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80
      rest = Math.floor(rest / 128)
    }
    this.bytes[this.length++] = rest
  }

  writeBytes(more: Uint8Array): void {
    this.grow(more.length)
    this.bytes.set(more, this.length)
    this.length += more.length
  }

  finish(): Uint8Array {
    return this.bytes.slice(0, this.length)
  }

  private grow(by: number): void {
    if (this.length + by <= this.bytes.length) return
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + by))
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
  }
}

/** All numbers that stand in these bytes, in order. A number cut off at the end is left out. */
export function readNumbers(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let value = 0
  let scale = 1
  for (const byte of bytes) {
    value += (byte & 0x7f) * scale
    scale *= 128
    if (byte >= 0x80) continue
    numbers.push(value)
    value = 0
    scale = 1
  }
  return numbers
}

export function bytesOfWords(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength)
}

/** The words in a section; its memory begins at a whole word. */
export function wordsOfBytes(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
}
