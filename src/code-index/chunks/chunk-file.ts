/** Cuts one file into chunks: at the bounds of functions and classes where facts tell them, else at blank lines. */
import { remembered } from '../../base/remembered.ts'
import { type FileFacts, fullName } from '../contract.ts'
import { type Chunk, type ChunkLimits, defaultChunkLimits } from './contract.ts'

/** In order of lines. `facts` is null for a file that is text only; no chunks for an empty file. */
export function chunkFile(
  path: string,
  text: string,
  facts: FileFacts | null,
  limits: Partial<ChunkLimits> = {},
): Chunk[] {
  const caps = { ...defaultChunkLimits, ...limits }
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  if (lines.length === 0) return []
  const units = facts ? unitsOf(facts, caps.whole) : []
  const names = namesByLine(facts)
  return cutUnits(lines, units).flatMap((piece) =>
    splitLong(lines, piece, caps).map((part) => chunkOf(path, lines, facts, { ...part, names }, caps)),
  )
}

/** Names of the definitions whose name is on a line, in order. */
function namesByLine(facts: FileFacts | null): ReadonlyMap<number, readonly string[]> {
  const names = new Map<number, string[]>()
  for (const { name, nameLine } of facts?.symbols ?? []) {
    remembered(names, nameLine, (): string[] => []).push(name)
  }
  return names
}

function splitLong(lines: readonly string[], piece: Piece, caps: ChunkLimits): Piece[] {
  const length = piece.to - piece.from + 1
  if (piece.isWhole && length <= caps.whole) return [piece]
  // Parts of a long function may be longer than blocks of text: they belong together.
  const sizes = piece.isWhole ? { ...caps, block: caps.whole / 2, longestBlock: caps.whole } : caps
  return cutBlocks(lines, piece, sizes).map((range) => ({ ...piece, ...range }))
}

function chunkOf(
  path: string,
  lines: readonly string[],
  facts: FileFacts | null,
  { from, to, symbol: index, names }: Piece & { names: ReadonlyMap<number, readonly string[]> },
  { characters }: ChunkLimits,
): Chunk {
  const symbol = index === null ? undefined : facts?.symbols[index]
  const language = facts?.language ?? null
  const within = symbol ? ` ${symbol.kind} ${fullName(symbol)}` : ''
  return {
    path,
    language,
    startLine: from,
    endLine: to,
    symbol: symbol ? { name: symbol.name, scope: symbol.scope, kind: symbol.kind } : null,
    defines: Array.from({ length: to - from + 1 }, (_, at) => names.get(from + at) ?? []).flat(),
    prefix: `${path} (${language ?? 'text'})${within}`,
    text: lines
      .slice(from - 1, to)
      .join('\n')
      .slice(0, characters),
  }
}

// Lays definitions over the lines of a file, so that each line belongs to one piece.

/** `symbol`: whose definition, or head, this is; null between definitions. `isWhole`: all of a definition. */
type Piece = Range & { symbol: number | null; isWhole: boolean }

/** Lines between two definitions that go along with the one after them. */
const fewLines = 10

/** Lines above the first class that go along with its head: imports, a licence. */
const headLines = 40

function cutUnits(lines: readonly string[], units: readonly Unit[]): Piece[] {
  return cutInside(lines, { from: 1, to: lines.length }, units, null)
}

function cutInside(
  lines: readonly string[],
  { from, to }: Range,
  units: readonly Unit[],
  holder: number | null,
): Piece[] {
  const pieces: Piece[] = []
  let at = from
  const between = (last: number): void => {
    if (last < at) return
    pieces.push({ from: at, to: last, symbol: holder, isWhole: false })
    at = last + 1
  }
  for (const unit of units) {
    const lead = commentAbove(lines, unit.from, at)
    const gap = lead - at
    const above = pieces.at(-1)
    const says = hasWords(lines, { from: at, to: lead - 1 })
    // The class takes what is above it into its head.
    const joinsHead = !above && unit.inner.length > 0 && gap <= headLines
    if (above && !says) {
      above.to = lead - 1
      at = lead
    } else if (says && !joinsHead && (!above || gap > fewLines)) between(lead - 1)
    const range = { from: at, to: unit.to }
    if (unit.inner.length > 0) pieces.push(...cutInside(lines, range, unit.inner, unit.index))
    else pieces.push({ ...range, symbol: unit.index, isWhole: true })
    at = unit.to + 1
  }
  const last = pieces.at(-1)
  const isRest = to - at + 1 <= fewLines || !hasWords(lines, { from: at, to })
  if (last && isRest) last.to = to
  else between(to)
  return pieces
}

/** The first line of the comment or decorators right above a line. */
function commentAbove(lines: readonly string[], line: number, first: number): number {
  let at = line
  while (at > first && /^\s*(?:\/\/|\/?\*|#|@|--)/.test(lines[at - 2] ?? '')) at--
  return at
}

function hasWords(lines: readonly string[], { from, to }: Range): boolean {
  return lines.slice(from - 1, Math.max(from - 1, to)).some((line) => /[\p{L}\p{N}]/u.test(line))
}

// Which definitions become chunks of their own, and which are only split into those inside them.

type Unit = {
  /** Index of the symbol. */
  index: number
  from: number
  to: number
  /** Not empty: the unit is a container, and these and its head are the chunks. */
  inner: Unit[]
}

const callables: ReadonlySet<string> = new Set(['function', 'method', 'macro'])
const containers: ReadonlySet<string> = new Set(['class', 'interface', 'impl', 'module', 'enum', 'struct'])

/** Shorter types stay with what is around them. */
const leastTypeLines = 3

/** In source order, never overlapping. `whole`: a function longer than this is split if it holds others. */
function unitsOf(facts: FileFacts, whole: number): Unit[] {
  const members = Map.groupBy(facts.symbols.keys(), (index) => holderOf(facts, index))
  const inside = (holder: number | null, after: number, depth: number): Unit[] => {
    const found: Unit[] = []
    let end = after
    for (const index of members.get(holder) ?? []) {
      const symbol = facts.symbols[index]
      // Damaged files may nest without end, and several definitions may share a line.
      if (!symbol || index === holder || depth > 50 || symbol.startLine <= end) continue
      const { kind, startLine: from, endLine: to } = symbol
      const isCallable = callables.has(kind)
      const maySplit = containers.has(kind) || (isCallable && to - from >= whole)
      const inner = maySplit ? inside(index, from, depth + 1).filter((unit) => unit.to <= to) : []
      const isWorthIt = isCallable || (containers.has(kind) && to - from + 1 >= leastTypeLines)
      if (inner.length === 0 && !isWorthIt) continue
      found.push({ index, from, to, inner })
      end = to
    }
    return found
  }
  return inside(null, 0, 0)
}

/** The innermost symbol that holds it by lines; a method of Go belongs to its type and is outside of it. */
function holderOf({ symbols, parents }: FileFacts, index: number): number | null {
  const symbol = symbols[index]
  const seen = new Set([index])
  for (let at = parents[index] ?? null; at !== null && !seen.has(at); at = parents[at] ?? null) {
    const around = symbols[at]
    if (symbol && around && around.startLine <= symbol.startLine && symbol.endLine <= around.endLine)
      return at
    seen.add(at)
  }
  return null
}

// Cuts a range of lines where blank lines allow it.

/** First and last line, 1-based, inclusive. */
type Range = { from: number; to: number }

/** Ranges in order that cover the given one. Blank lines belong to what comes before them. */
function cutBlocks(
  lines: readonly string[],
  { from, to }: Range,
  { block, longestBlock }: ChunkLimits,
): Range[] {
  const ranges: Range[] = []
  let start = from
  for (let line = from; line < to; line++) {
    const length = line - start + 1
    const isBreak = isBlank(lines[line - 1]) && !isBlank(lines[line])
    if ((length < block || !isBreak) && length < longestBlock) continue
    ranges.push({ from: start, to: line })
    start = line + 1
  }
  const last = ranges.at(-1)
  // A few lines left over are no piece of their own.
  if (last && to - start + 1 < block / 8 && to - last.from + 1 <= longestBlock) last.to = to
  else ranges.push({ from: start, to })
  return ranges
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === ''
}
