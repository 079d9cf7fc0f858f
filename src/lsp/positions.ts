/** Positions in a text, counted as the editor counts them: lines from 0, characters in UTF-8, UTF-16 or UTF-32 units. */
import { type Position, PositionEncodingKind, type Range } from 'vscode-languageserver'

const encodings: readonly PositionEncodingKind[] = [
  PositionEncodingKind.UTF8,
  PositionEncodingKind.UTF16,
  PositionEncodingKind.UTF32,
]

/** The first that both know; UTF-16 for editors that name none, as the protocol says. */
export function chooseEncoding(offered: readonly PositionEncodingKind[] | undefined): PositionEncodingKind {
  return offered?.find((one) => encodings.includes(one)) ?? PositionEncodingKind.UTF16
}

/** How long a text is. */
export function unitsIn(text: string, encoding: PositionEncodingKind): number {
  if (encoding === PositionEncodingKind.UTF8) return Buffer.byteLength(text)
  return encoding === PositionEncodingKind.UTF32 ? [...text].length : text.length
}

/** Lines as the protocol divides a text. */
export class Lines {
  private readonly text: string
  private readonly starts: readonly number[]

  constructor(text: string) {
    this.text = text
    this.starts = [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map((end) => end.index + end[0].length)]
  }

  get count(): number {
    return this.starts.length
  }

  /** From 0, without its line end; empty behind the last one. */
  at(line: number): string {
    const [start, next] = [this.starts[line], this.starts[line + 1]]
    return start === undefined ? '' : this.text.slice(start, next).replace(/\r\n$|[\r\n]$/, '')
  }

  /** The index into the text. What lies behind the end of a line is its end, and behind the last line that of the text. */
  offsetAt({ line, character }: Position, encoding: PositionEncodingKind): number {
    const start = this.starts[line]
    if (start === undefined) return this.text.length
    return start + unitsBefore(this.at(line), character, encoding)
  }

  /** Whole lines, from 1, both included: from where the first one is indented to, up to the end of the last one. */
  rangeOf(startLine: number, endLine: number, encoding: PositionEncodingKind): Range {
    const [first, last] = [Math.min(startLine, this.count) - 1, Math.min(endLine, this.count) - 1]
    const words = this.at(first)
    const indent = words.length - words.trimStart().length
    const start = words.trim() === '' ? 0 : unitsIn(words.slice(0, indent), encoding)
    return {
      start: { line: first, character: start },
      end: { line: last, character: unitsIn(this.at(last), encoding) },
    }
  }
}

/** UTF-16 units of a line before so many units of another encoding; a position inside of a character is before it. */
function unitsBefore(line: string, character: number, encoding: PositionEncodingKind): number {
  if (encoding === PositionEncodingKind.UTF16) return Math.min(character, line.length)
  let [units, counted] = [0, 0]
  for (const one of line) {
    counted += encoding === PositionEncodingKind.UTF32 ? 1 : Buffer.byteLength(one)
    if (counted > character) break
    units += one.length
  }
  return units
}
