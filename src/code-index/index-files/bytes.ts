/**
 * Numbers and strings as bytes. Numbers take seven bits a byte, the lowest first, so most of a record fit in one; strings
 * are kept once each and referred to by number.
 */

export class ByteWriter {
  private bytes = Buffer.alloc(1 << 10)
  private written = 0

  /** Bytes written since the last `take`. */
  get length(): number {
    return this.written
  }

  /** `value`: a whole number of at most 53 bits, not negative. */
  number(value: number): void {
    if (this.written + 8 > this.bytes.length) this.grow(8)
    let rest = value
    while (rest > 0x7fffffff) {
      this.bytes[this.written++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    while (rest > 127) {
      this.bytes[this.written++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.bytes[this.written++] = rest
  }

  /** Small numbers of either sign stay small. */
  signed(value: number): void {
    this.number(value < 0 ? -2 * value - 1 : 2 * value)
  }

  /** 0 for null, else one more. */
  optional(value: number | null): void {
    this.number(value === null ? 0 : value + 1)
  }

  raw(data: Uint8Array): void {
    if (this.written + data.length > this.bytes.length) this.grow(data.length)
    this.bytes.set(data, this.written)
    this.written += data.length
  }

  text(text: string, encoding: BufferEncoding): void {
    const most = text.length * 3
    if (this.written + most > this.bytes.length) this.grow(most)
    this.written += this.bytes.write(text, this.written, encoding)
  }

  /** What was written since the last time; valid until the next write. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.written)
    this.written = 0
    return taken
  }

  private grow(by: number): void {
    const larger = Buffer.alloc(Math.max(this.bytes.length * 2, this.written + by))
    larger.set(this.bytes)
    this.bytes = larger
  }
}

/** Throws when there is nothing left to read. */
export class ByteReader {
  private readonly bytes: Buffer
  private at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  number(): number {
    const { bytes } = this
    let byte = bytes[this.at++]
    if (byte === undefined) throw damaged()
    if (byte < 128) return byte
    let value = byte & 127
    for (let factor = 128; byte > 127; factor *= 128) {
      byte = bytes[this.at++]
      if (byte === undefined || factor > 2 ** 49) throw damaged()
      value += (byte & 127) * factor
    }
    return value
  }

  signed(): number {
    const value = this.number()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  optional(): number | null {
    const value = this.number()
    return value === 0 ? null : value - 1
  }

  raw(length: number): Buffer {
    const end = this.at + length
    if (end > this.bytes.length) throw damaged()
    const part = this.bytes.subarray(this.at, end)
    this.at = end
    return part
  }

  rest(): Buffer {
    return this.raw(this.bytes.length - this.at)
  }
}

export function damaged(): Error {
  return new Error('a damaged record')
}

// The strings of a record, each once; everywhere else they are numbers.

export class StringTable {
  private readonly numbers = new Map<string, number>()

  /** The word's number; the same for the same word. */
  of(word: string): number {
    const known = this.numbers.get(word)
    if (known !== undefined) return known
    const fresh = this.numbers.size
    this.numbers.set(word, fresh)
    return fresh
  }

  orNull(word: string | null): number | null {
    return word === null ? null : this.of(word)
  }

  write(writer: ByteWriter): void {
    const words = [...this.numbers.keys()]
    const text = words.join('')
    const encoding = encodingOf(text)
    writer.number(words.length)
    for (const word of words) writer.number(word.length)
    writer.number(encodings.indexOf(encoding))
    writer.text(text, encoding)
  }
}

/** The words by number. */
export function readWords(reader: ByteReader, size: number): string[] {
  const count = reader.number()
  if (count > size) throw damaged()
  const lengths: number[] = new Array(count)
  for (let at = 0; at < count; at++) lengths[at] = reader.number()
  const encoding = encodings[reader.number()]
  if (encoding === undefined) throw damaged()
  const text = reader.rest().toString(encoding)
  let end = 0
  return lengths.map((length) => {
    const start = end
    end += length
    if (end > text.length) throw damaged()
    return text.slice(start, end)
  })
}

/** By what the text needs: one byte for each character, UTF-8, or as it is when halves of characters are alone. */
const encodings = ['latin1', 'utf8', 'utf16le'] as const

function encodingOf(text: string): (typeof encodings)[number] {
  if (!/[\u0100-\uffff]/.test(text)) return 'latin1'
  return text.isWellFormed() ? 'utf8' : 'utf16le'
}
