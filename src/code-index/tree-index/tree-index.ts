/** One tree of which every word is filed: where it is, and in which of those files it is defined or used as code. */
import type { TreeEntry } from '../../domain/snapshot.ts'
import type { Unit } from '../segments/name-segment.ts'
import { filedWord, isFiled, isOneWord, type NameSegment } from '../segments/name-segment.ts'
import { type Manifest, noPlace } from './manifest.ts'

/** A file that holds a word; `flags` are those of `blob-words.ts`. */
export type WordHit = { path: string; flags: number }

export type NamedSegment = { name: string; segment: NameSegment }

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
  /** Entries by unit: those of unit u are from `starts[u]` to `starts[u + 1]`. */
  private starts = new Uint32Array()
  private byUnit: Uint32Array | null = null
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
  }

  /** In path order; null for a word too long to be filed. */
  find(word: string): readonly WordHit[] | null {
    const known = this.answers.get(word)
    if (known) return known
    const { bytes, hash } = filedWord(word)
    if (!isFiled(bytes)) return isOneWord(bytes) ? null : []
    const hits: number[] = []
    this.byUnit ??= this.groupByUnit()
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

  /** Sets `starts`, and returns the entries in the order of their units. */
  private groupByUnit(): Uint32Array {
    const { places } = this
    const units = this.segments.reduce((sum, { segment }) => sum + segment.unitCount, 0)
    const starts = new Uint32Array(units + 1)
    for (const place of places) if (place < units) starts[place + 1] = (starts[place + 1] ?? 0) + 1
    for (let unit = 0; unit < units; unit++) starts[unit + 1] = (starts[unit + 1] ?? 0) + (starts[unit] ?? 0)
    const entries = new Uint32Array(starts[units] ?? 0)
    const next = starts.slice()
    for (let entry = 0; entry < places.length; entry++) {
      const place = places[entry] ?? noPlace
      if (place >= units) continue
      const slot = next[place] ?? 0
      entries[slot] = entry
      next[place] = slot + 1
    }
    this.starts = starts
    return entries
  }

  /** The unit of an entry, or null when it has none. */
  unitOf(entry: number): Unit | null {
    const place = this.places[entry] ?? noPlace
    if (place === noPlace) return null
    const which = this.firsts.findLastIndex((first) => first <= place)
    return this.segments[which]?.segment.unit(place - (this.firsts[which] ?? 0)) ?? null
  }
}

/** The place of a unit among segments in this order, or `noPlace`. The newest segments come last and are asked first. */
export function placeAmong(segments: readonly NamedSegment[], unit: Pick<Unit, 'blob' | 'language'>): number {
  let first = segments.reduce((sum, { segment }) => sum + segment.unitCount, 0)
  for (const { segment } of segments.toReversed()) {
    first -= segment.unitCount
    const at = segment.find(unit)
    if (at >= 0) return first + at
  }
  return noPlace
}
