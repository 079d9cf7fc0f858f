/**
 * Open change requests that touch the same code. Whoever is merged second has a conflict to solve, or does not see that the
 * other one changed what a function does. Pure functions of the patches and of the files at one base.
 */
import type { OpenChange, Overlap } from '../domain/open-change.ts'
import type { LineRange } from '../domain/team-history.ts'

/** A patch of another change request, as its host gives it: made against a base of its own. */
export type OtherPatch = Pick<OpenChange, 'name' | 'title' | 'author' | 'isDraft'> & {
  /** `patch`: from the first `@@` on; null where the host left it out. */
  files: readonly { path: string; oldPath: string; patch: string | null }[]
}

const longestTitle = 200

/** What it changes in these files, by lines of their texts; null when it changes none of them. */
export function placePatch(
  { name, title, author, isDraft, files }: OtherPatch,
  texts: ReadonlyMap<string, string | null>,
): OpenChange | null {
  const shared = files.filter(({ oldPath }) => texts.has(oldPath))
  if (shared.length === 0) return null
  return {
    name,
    title: title.slice(0, longestTitle),
    author: author?.slice(0, longestTitle) ?? null,
    isDraft,
    files: shared.map(({ oldPath, patch }) => {
      const text = texts.get(oldPath) ?? null
      return { path: oldPath, places: patch === null || text === null ? null : placesOf(patch, text) }
    }),
  }
}

/** As `git apply` does, without the outermost lines of context when the rest fits. */
const mostFuzz = 3
/** Lines that a hunk may have moved since its base. */
const farthest = 2_000

/** Null when a hunk is nowhere in the text. */
function placesOf(patch: string, text: string): LineRange[] | null {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  const places: LineRange[] = []
  let moved = 0
  for (const { start, old } of hunksOf(patch)) {
    const found = find(old, lines, start + moved)
    if (found === null) return null
    moved = found - start
    places.push(...changedIn(old, found))
  }
  return places
}

type OldLine = { text: string; isChanged: boolean }
/** `old`: its lines before the change; a line after which something is added counts as changed, with the next one. */
type Hunk = { start: number; old: OldLine[] }

function hunksOf(patch: string): Hunk[] {
  const hunks: Hunk[] = []
  let isAdding = false
  for (const line of patch.split('\n')) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/.exec(line)
    if (header) {
      const start = Number(header[1])
      // A hunk without old lines names the line before it.
      hunks.push({ start: header[2] === '0' ? start + 1 : start, old: [] })
      isAdding = false
      continue
    }
    const old = hunks.at(-1)?.old
    if (!old || line.startsWith('\\')) continue
    if (line.startsWith('+')) {
      const before = old.at(-1)
      // What comes in place of a line says nothing of the next one.
      isAdding = isAdding || !before?.isChanged
      if (before) before.isChanged = true
    } else if (line !== '') {
      old.push({ text: line.slice(1).replace(/\r$/, ''), isChanged: line.startsWith('-') || isAdding })
      isAdding = false
    }
  }
  return hunks
}

/** Where the old lines of a hunk are, as near to `expected` as they occur; 1-based. */
function find(old: readonly OldLine[], lines: readonly string[], expected: number): number | null {
  const first = old.findIndex(({ isChanged }) => isChanged)
  const last = old.findLastIndex(({ isChanged }) => isChanged)
  if (first === -1) return Math.max(1, expected)
  for (let fuzz = 0; fuzz <= mostFuzz; fuzz++) {
    const [from, to] = [Math.min(fuzz, first), Math.max(old.length - fuzz, last + 1)]
    const wanted = old.slice(from, to)
    if (wanted.every(({ text }) => text.trim() === '')) return null
    for (let away = 0; away <= farthest; away++)
      for (const at of away === 0 ? [expected] : [expected - away, expected + away]) {
        const begin = at + from - 1
        if (begin >= 0 && wanted.every(({ text }, index) => lines[begin + index] === text)) return at
      }
  }
  return null
}

function changedIn(old: readonly OldLine[], at: number): LineRange[] {
  const ranges: LineRange[] = []
  for (const [index, { isChanged }] of old.entries()) {
    if (!isChanged) continue
    const line = at + index
    const last = ranges.at(-1)
    if (last?.end === line - 1) last.end = line
    else ranges.push({ start: line, end: line })
  }
  return ranges
}

/** Code that is changed, at the base. */
export type ChangedCode = {
  path: string
  places: readonly LineRange[]
  /** Definitions that the change touches, with all their lines. */
  symbols: readonly { name: string; start: number; end: number }[]
}

/** Merging looks at three lines around a change, and refuses when changes touch each other. */
const nextTo = 1

/** The most in common first: lines, then definitions, then files; a file that few change says more than one that all do. */
export function rankOverlaps(own: readonly ChangedCode[], others: readonly OpenChange[]): Overlap[] {
  const byPath = new Map(own.map((code) => [code.path, code]))
  const often = new Map<string, number>()
  for (const { files } of others) for (const { path } of files) often.set(path, (often.get(path) ?? 0) + 1)
  const scored = others.flatMap((other) => {
    const overlap = overlapOf(other, byPath)
    if (overlap === null) return []
    const rarity = other.files.reduce((sum, { path }) => sum + 1 / (often.get(path) ?? 1), 0)
    const { lines, symbols } = overlap
    // What cannot be placed may well be in the way.
    const isUnknown = other.files.some(({ path, places }) => places === null && byPath.has(path))
    const score = 4 * Number(lines.length > 0) + 2 * Number(isUnknown) + Number(symbols.length > 0)
    return [{ overlap, score, rarity: rarity + lines.length }]
  })
  return scored.sort((a, b) => b.score - a.score || b.rarity - a.rarity).map(({ overlap }) => overlap)
}

function overlapOf(other: OpenChange, byPath: ReadonlyMap<string, ChangedCode>): Overlap | null {
  const overlap: Overlap = { other, lines: [], symbols: [], files: [] }
  for (const { path, places } of other.files) {
    const code = byPath.get(path)
    if (!code) continue
    const theirs = places ?? []
    const lines = theirs.filter((place) => code.places.some((one) => touches(place, one, nextTo)))
    const symbols = code.symbols.filter((symbol) => theirs.some((place) => touches(place, symbol, 0)))
    overlap.lines.push(...lines.map((place) => ({ path, ...place })))
    overlap.symbols.push(...symbols.map(({ name }) => name))
    if (lines.length + symbols.length === 0) overlap.files.push(path)
  }
  const { lines, symbols, files } = overlap
  return lines.length + symbols.length + files.length === 0 ? null : overlap
}

function touches(a: LineRange, b: LineRange, margin: number): boolean {
  return a.start <= b.end + margin && b.start <= a.end + margin
}
