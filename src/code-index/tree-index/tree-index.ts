/** One tree of which every word is filed: where it stands, and in which of those files it is defined or used as code. */
import type { TreeEntry } from '../../domain/snapshot.ts'
import type { Unit } from './contract.ts'
import { type Manifest, noPlace } from './manifest.ts'
import { filedWord, type Segment } from './segment.ts'
import { isFiled, isOneWord } from './word-hash.ts'

/** A file that holds a word; `flags` are those of `word-collector.ts`. */
export type WordHit = { path: string; flags: number }

export type NamedSegment = { name: string; segment: Segment }

/** Answers that are kept at hand. */
const mostRemembered = 10_000

export class TreeIndex {
  readonly tree: string
  readonly entries: readonly TreeEntry[]
  readonly segments: readonly NamedSegment[]
  /** By entry: the number of its unit, counted through all segments, or `noPlace`. */
  readonly places: Uint32Array
  /** By segment: the number of its first unit. */
  private readonly firsts: readonly number[]
  /** Entries by unit: those of unit u stand from `starts[u]` to `starts[u + 1]`. */
  private readonly starts: Uint32Array
  private readonly byUnit: Uint32Array
  private readonly answers = new Map<string, readonly WordHit[]>()

  constructor({ tree, entries, places }: Omit<Manifest, 'segments'>, segments: readonly NamedSegment[]) {
    this.tree = tree
    this.entries = entries
    this.places = places
    this.segments = segments
    let units = 0
    this.firsts = segments.map(({ segment }) => {
      units += segment.unitCount
      return units - segment.unitCount
    })
    this.starts = new Uint32Array(units + 1)
    for (const place of places) if (place < units) this.starts[place + 1] = (this.starts[place + 1] ?? 0) + 1
    for (let unit = 0; unit < units; unit++)
      this.starts[unit + 1] = (this.starts[unit + 1] ?? 0) + (this.starts[unit] ?? 0)
    this.byUnit = new Uint32Array(this.starts[units] ?? 0)
    const next = this.starts.slice()
    for (const [entry, place] of places.entries()) {
      if (place >= units) continue
      const slot = next[place] ?? 0
      this.byUnit[slot] = entry
      next[place] = slot + 1
    }
  }

  /** In path order; null for a word too long to be filed. */
  find(word: string): readonly WordHit[] | null {
    const known = this.answers.get(word)
    if (known) return known
    const { bytes, hash } = filedWord(word)
    if (!isFiled(bytes)) return isOneWord(bytes) ? null : []
    const hits: number[] = []
    for (const [which, { segment }] of this.segments.entries()) {
      const first = this.firsts[which] ?? 0
      for (const posting of segment.postingsOf(bytes, hash) ?? []) {
        const unit = first + (posting >>> 2)
        const end = this.starts[unit + 1] ?? 0
        for (let at = this.starts[unit] ?? 0; at < end; at++)
          hits.push((this.byUnit[at] ?? 0) * 4 + (posting & 3))
      }
    }
    const found = hits
      .sort((a, b) => a - b)
      .map((hit) => ({ path: this.entries[hit >>> 2]?.path ?? '', flags: hit & 3 }))
    if (this.answers.size >= mostRemembered) this.answers.clear()
    this.answers.set(word, found)
    return found
  }

  /** The unit of an entry, or null when it has none. */
  unitOf(entry: number): Unit | null {
    const place = this.places[entry] ?? noPlace
    if (place === noPlace) return null
    const which = this.firsts.findLastIndex((first) => first <= place)
    return this.segments[which]?.segment.unit(place - (this.firsts[which] ?? 0)) ?? null
  }
}

/** The place of a unit among segments in this order. The newest segments come last and are asked first. */
export function placeAmong(segments: readonly NamedSegment[], key: string): number {
  let first = segments.reduce((sum, { segment }) => sum + segment.unitCount, 0)
  for (const { segment } of segments.toReversed()) {
    first -= segment.unitCount
    const at = segment.find(key)
    if (at >= 0) return first + at
  }
  return noPlace
}
