/** The strings of a record, each once: numbers stand for them everywhere else. */
import { type ByteReader, type ByteWriter, damaged } from './bytes.ts'

export class WordList {
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

/** By what the text needs: one byte for each character, UTF-8, or as it is when halves of characters stand alone. */
const encodings = ['latin1', 'utf8', 'utf16le'] as const

function encodingOf(text: string): (typeof encodings)[number] {
  if (!/[\u0100-\uffff]/.test(text)) return 'latin1'
  return text.isWellFormed() ? 'utf8' : 'utf16le'
}
