/** A text by its lines, split once: questions ask for single lines of the same few files again and again. */
import { upperBound } from '../../base/upper-bound.ts'
import type { FileFacts } from '../contract.ts'

export type Fits = (text: string, start: number, end: number) => boolean

export type Lines = {
  readonly count: number
  /** The number of the line that an offset of the text is in. */
  readonly lineOf: (offset: number) => number
  /** 1-based, without its line feed; empty past either end. */
  at(line: number): string
  /** Lines from `from` up to, not including, `to`, joined as they are. */
  between(from: number, to: number): string
  /**
   * The numbers of the lines from `from` to `to`, both included, that hold `word` at a place that `fits`, ascending.
   * `fits` is given the whole text and where the word starts and ends in it.
   */
  holding(word: string, from: number, to: number, fits: Fits): number[]
  /** The numbers of the lines from `from` to `to` that have this name, ascending; of a file's names all are found at once. */
  naming(name: string, from: number, to: number): number[]
}

/** The lines of the text that the facts are of. */
export function linesOf(facts: FileFacts, text: string): Lines {
  const known = split.get(facts)
  if (known?.text === text) return known
  const fresh = new SplitText(text)
  split.set(facts, fresh)
  return fresh
}

/** As above, of a text without facts. */
export function splitLines(text: string): Lines {
  return new SplitText(text)
}

class SplitText implements Lines {
  readonly text: string
  /** Where each line starts, and one past the end of the last. */
  private readonly starts: Uint32Array
  private names: ReadonlyMap<string, number[]> | null = null

  constructor(text: string) {
    this.text = text
    const starts = [0]
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    this.starts = Uint32Array.from([...starts, text.length + 1])
  }

  readonly lineOf = (offset: number): number => Math.min(this.count, upperBound(this.starts, offset))

  get count(): number {
    return this.starts.length - 1
  }

  at(line: number): string {
    if (line < 1 || line > this.count) return ''
    return this.text.slice(this.starts[line - 1], (this.starts[line] ?? 0) - 1)
  }

  between(from: number, to: number): string {
    const end = Math.min(to, this.count + 1)
    return from >= end ? '' : this.text.slice(this.starts[from - 1], (this.starts[end - 1] ?? 0) - 1)
  }

  holding(word: string, from: number, to: number, fits: Fits): number[] {
    const found: number[] = []
    const { text, starts } = this
    let line = Math.max(1, from)
    const last = Math.min(to, this.count)
    const end = line > last ? 0 : (starts[last] ?? 0)
    let at = text.indexOf(word, starts[line - 1] ?? 0)
    while (at >= 0 && at < end) {
      let next = at + 1
      if (fits(text, at, at + word.length)) {
        while ((starts[line] ?? end) <= at) line++
        found.push(line)
        next = starts[line] ?? end
      }
      at = text.indexOf(word, next)
    }
    return found
  }

  naming(name: string, from: number, to: number): number[] {
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) return this.holding(name, from, to, () => true)
    this.names ??= this.readNames()
    return (this.names.get(name) ?? []).filter((line) => line >= from && line <= to)
  }

  private readNames(): Map<string, number[]> {
    const names = new Map<string, number[]>()
    for (let line = 1; line <= this.count; line++)
      for (const [name] of this.at(line).matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)) {
        const lines = names.get(name)
        if (!lines) names.set(name, [line])
        else if (lines.at(-1) !== line) lines.push(line)
      }
    return names
  }
}

const split = new WeakMap<FileFacts, SplitText>()
