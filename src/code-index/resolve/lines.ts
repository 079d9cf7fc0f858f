/** A text by its lines, split once: questions ask for single lines of the same few files again and again. */
import { upperBound } from '../../base/upper-bound.ts'
import type { FileFacts } from '../contract.ts'

export type Fits = (text: string, start: number, end: number) => boolean

export type Lines = {
  readonly count: number
  /** The number of the line that an offset of the text is in. */
  readonly lineOf: (offset: number) => number
  /** The offset at which a line starts. */
  startOf(line: number): number
  /** 1-based, without its line feed; empty past either end. */
  at(line: number): string
  /** Lines from `from` up to, not including, `to`, joined as they are. */
  between(from: number, to: number): string
  /**
   * The numbers of the lines from `from` to `to`, both included, that hold `word` at a place that `fits`, ascending.
   * `fits` is given the whole text and where the word starts and ends in it.
   */
  holding(word: string, from: number, to: number, fits: Fits): number[]
  /** The numbers of the lines from `from` to `to` that have this name, ascending. */
  naming(name: string, from: number, to: number): number[]
  /** Where the text has the name, ascending. After a few names all of the text are found at once. */
  offsetsOf(name: string): readonly number[]
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
  private asked = 0

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

  startOf(line: number): number {
    return this.starts[line - 1] ?? 0
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
    const offsets = this.offsetsOf(name)
    const found: number[] = []
    const first = upperBound(offsets, (this.starts[Math.max(0, from - 1)] ?? 0) - 1)
    for (let at = first; at < offsets.length; at++) {
      const line = this.lineOf(offsets[at] ?? 0)
      if (line > to) break
      if (found.at(-1) !== line) found.push(line)
    }
    return found
  }

  offsetsOf(name: string): readonly number[] {
    const { text } = this
    if (!isName.test(name)) return offsetsIn(text, name)
    if (!this.names && this.asked++ < fewNames)
      return offsetsIn(text, name).filter(
        (at) => !inNames.test(text[at - 1] ?? '') && !inNames.test(text[at + name.length] ?? ''),
      )
    this.names ??= this.readNames()
    return this.names.get(name) ?? []
  }

  private readNames(): Map<string, number[]> {
    const names = new Map<string, number[]>()
    for (const { 0: name, index } of this.text.matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)) {
      const offsets = names.get(name)
      if (offsets) offsets.push(index)
      else names.set(name, [index])
    }
    return names
  }
}

const isName = /^[\p{L}_][\p{L}\p{N}_]*$/u
const inNames = /[\p{L}\p{N}_]/u

/** So many names are looked for by themselves, which is less work than to find all. */
const fewNames = 8

function offsetsIn(text: string, word: string): number[] {
  const found: number[] = []
  if (word === '') return found
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) found.push(at)
  return found
}

const split = new WeakMap<FileFacts, SplitText>()
