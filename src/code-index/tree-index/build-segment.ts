/** Fills a segment: the text of each unit for its words, and its facts for what it does with them. */
import type { FileFacts, ParseFailure } from '../contract.ts'
import type { Unit } from './contract.ts'
import { encodeSegment } from './segment.ts'
import { flags, WordCollector } from './word-collector.ts'

/** What became of a unit: its facts, why it has none, or that it is text only to the index. */
export type Reading = { facts: FileFacts } | { failed: ParseFailure['reason'] } | 'text' | 'not text'

/** A segment is closed when it has so many words; the collector can number twice as many. */
const mostWords = 1_000_000

export class SegmentBuilder {
  private readonly words = new WordCollector()
  private readonly units: Unit[] = []

  get isFull(): boolean {
    return this.words.wordCount >= mostWords
  }

  get isEmpty(): boolean {
    return this.units.length === 0
  }

  /** Returns the number of the unit. `text` is null when it is not text. */
  add(unit: Pick<Unit, 'blob' | 'language' | 'bytes'>, text: string | null, reading: Reading): number {
    const number = this.units.length
    const facts = typeof reading === 'object' && 'facts' in reading ? reading.facts : null
    this.units.push({
      ...unit,
      state: typeof reading === 'string' ? reading : 'failed' in reading ? reading.failed : 'indexed',
      symbols: facts?.symbols.length ?? 0,
      references: facts?.references.length ?? 0,
    })
    if (text !== null) this.words.addText(number, Buffer.from(text))
    if (facts) this.mark(number, facts)
    // The parser may do better next time, so a question must look into it.
    else if (typeof reading === 'object') this.words.markAll(number, flags.both)
    return number
  }

  finish(): Buffer {
    return encodeSegment(this.units, this.words.finish())
  }

  private mark(number: number, { symbols, references, imports }: FileFacts): void {
    for (const name of new Set(symbols.map((symbol) => symbol.name)))
      this.words.mark(number, name, flags.defined)
    const used = new Set<string>()
    for (const { name } of references) used.add(name)
    for (const { imported, local } of imports) {
      used.add(imported)
      if (local !== null) used.add(local)
    }
    for (const name of used) this.words.mark(number, name, flags.used)
  }
}
