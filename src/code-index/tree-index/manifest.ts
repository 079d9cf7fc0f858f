/**
 * Which paths a tree has, and which unit of which segment each is. A manifest is whole, or it says how a tree differs
 * from that of a whole one; both name the segments that their units are in.
 */
import type { TreeEntry } from '../../domain/snapshot.ts'
import {
  bufferOf,
  bytesOf,
  decodeFile,
  encodeFile,
  type FileKind,
  numbersOf,
  type Sections,
} from '../index-files/section-file.ts'

const kind: FileKind = { magic: 'SLmf', version: 2, packed: false }

/** The place of an entry that has no unit: a link, a submodule, a blob that is not here. */
export const noPlace = 0xffffffff

/** Segments in order; a place is a number of a unit, counted through all of them. */
export type SegmentName = { name: string; units: number }

export type Manifest = {
  tree: string
  segments: readonly SegmentName[]
  /** In path order. */
  entries: readonly TreeEntry[]
  /** By entry. */
  places: Uint32Array
}

/** `place` counts through the segments of the manifest this is in. */
export type PlacedEntry = TreeEntry & { place: number }

/** What differs from the tree of a whole manifest: entries that are new or changed, and paths that were removed. */
export type Difference = { base: string; changed: readonly PlacedEntry[]; gone: readonly string[] }

export type DecodedManifest = { manifest: Manifest; difference: Difference | null }

type About = { tree: string; segments: readonly SegmentName[]; modes: string[]; idBytes: number }
type AboutDifference = Pick<Manifest, 'tree' | 'segments'> & Difference

export function encodeWhole({ tree, segments, entries, places }: Manifest): Buffer {
  const modes = [...new Set(entries.map(({ mode }) => mode))]
  const about: About = { tree, segments, modes, idBytes: (entries[0]?.blob.length ?? 0) / 2 }
  const numbers = new Map(modes.map((mode, number) => [mode, number]))
  const sizes = Float64Array.from(entries, ({ size }) => size ?? -1)
  return encodeFile(kind, about, {
    paths: Buffer.from(entries.map(({ path }) => path).join('\0')),
    modes: Uint8Array.from(entries, ({ mode }) => numbers.get(mode) ?? 0),
    ids: Buffer.from(entries.map(({ blob }) => blob).join(''), 'hex'),
    sizes: new Uint8Array(sizes.buffer),
    places: bytesOf(places),
  })
}

export function encodeDifference(
  tree: string,
  segments: readonly SegmentName[],
  difference: Difference,
): Buffer {
  return encodeFile(kind, { tree, segments, ...difference }, {})
}

/** `wholeOf` reads the manifest that a difference refers to. Null when the bytes, or those of it, are none. */
export function decodeManifest(
  bytes: Buffer,
  wholeOf: (tree: string) => Manifest | null,
): DecodedManifest | null {
  const file = decodeFile<About | AboutDifference>(kind, bytes)
  const sections = file?.readAll()
  if (!file || !sections) return null
  const { about } = file
  if (!('base' in about)) return { manifest: decodeWhole(about, sections), difference: null }
  const whole = wholeOf(about.base)
  if (!whole) return null
  const { tree, segments, base, changed, gone } = about
  const manifest = { tree, segments, ...applyDifference(whole, about) }
  return { manifest, difference: { base, changed, gone } }
}

export function applyDifference(
  whole: Pick<Manifest, 'entries' | 'places'>,
  { changed, gone }: Pick<Difference, 'changed' | 'gone'>,
): Pick<Manifest, 'entries' | 'places'> {
  const edits: { path: string; entry: PlacedEntry | null }[] = [
    ...changed.map((entry) => ({ path: entry.path, entry })),
    ...gone.map((path) => ({ path, entry: null })),
  ]
  edits.sort((a, b) => comparePaths(a.path, b.path))
  const entries: TreeEntry[] = []
  const places: number[] = []
  let next = 0
  const makeEdit = (): void => {
    const entry = edits[next++]?.entry
    if (!entry) return
    const { place, ...plain } = entry
    entries.push(plain)
    places.push(place)
  }
  /** Where the next edit is: before this path (negative), at it, or behind. */
  const orderTo = (path: string): number => {
    const edit = edits[next]
    return edit ? comparePaths(edit.path, path) : 1
  }
  for (const [at, entry] of whole.entries.entries()) {
    let order = orderTo(entry.path)
    for (; order < 0; order = orderTo(entry.path)) makeEdit()
    if (order === 0) makeEdit()
    else {
      entries.push(entry)
      places.push(whole.places[at] ?? noPlace)
    }
  }
  while (next < edits.length) makeEdit()
  return { entries, places: Uint32Array.from(places) }
}

/** The trees and segments that a manifest needs, without reading its entries; null when it is not whole. */
export function readNeeds(bytes: Buffer): { base: string | null; segments: readonly SegmentName[] } | null {
  const file = decodeFile<About | AboutDifference>(kind, bytes)
  if (!file?.readAll()) return null
  const { about } = file
  return { base: 'base' in about ? about.base : null, segments: about.segments }
}

function decodeWhole({ tree, segments, modes, idBytes }: About, sections: Sections): Manifest {
  const bytes = (name: string): Buffer => bufferOf(sections[name] ?? new Uint8Array())
  const [ids, sizes, modeNumbers] = [bytes('ids').toString('hex'), bytes('sizes'), bytes('modes')]
  const paths = modeNumbers.length === 0 ? [] : bytes('paths').toString('utf8').split('\0')
  const entries = paths.map((path, at) => {
    const size = sizes.readDoubleLE(at * 8)
    const blob = ids.slice(at * idBytes * 2, (at + 1) * idBytes * 2)
    return { path, mode: modes[modeNumbers[at] ?? 0] ?? '', blob, size: size < 0 ? null : size }
  })
  return { tree, segments, entries, places: numbersOf(sections.places).slice() }
}

/** The order git has paths in: by their UTF-8 bytes, which is not the order of UTF-16 units beyond the basic plane. */

export function comparePaths(one: string, two: string): number {
  const end = Math.min(one.length, two.length)
  for (let at = 0; at < end; at++) {
    const a = one.charCodeAt(at)
    const b = two.charCodeAt(at)
    if (a !== b) return byteRank(a) - byteRank(b)
  }
  return one.length - two.length
}

/** Surrogates stand for what comes behind all other units. */
function byteRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
