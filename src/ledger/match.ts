/**
 * Which findings of a review are those that were known before. Each pairs with at most one, the surest pairs first. In
 * doubt they are two: a repeated comment is a nuisance, a lost finding is a loss.
 *
 * A pair must be of one kind: the same rule, or models that say the same of it. What decides is its code and the code
 * around it, together: the same words somewhere else are another finding, and other words at the same place are the same
 * one, edited.
 */
import { compareTerms, namesIn, type Terms, termsOf } from '../domain/wording.ts'
import { emptyLine, type FindingRecord } from './record.ts'
import { partsOf, shortHash } from './tokens.ts'

export type MatchInput = {
  /** In the order in which they were said. */
  earlier: readonly FindingRecord[]
  now: readonly FindingRecord[]
  /** Where the lines of an earlier one are now; null when its words are gone. */
  lineNow: (record: FindingRecord) => number | null
  /** The path that a file has now. */
  pathNow: (path: string) => string
  /** Whether the lines that were above and below an earlier one are side by side now: it was taken out from between them. */
  isTakenOut?: (record: FindingRecord) => boolean
  /** Whether people decided on it, so that the same code again is the same finding, although it was gone in between. */
  isSettled?: (record: FindingRecord) => boolean
  /** Whether people have left it open. */
  isOpen?: (record: FindingRecord) => boolean
}

const nearby = 3
/** Lines by which other edits of a push may have moved an edited line whose neighbours changed, too. */
const aroundEdit = 20
/** Share of the words of the shorter title that the other one has. */
const alike = 0.6

type Pair = { old: FindingRecord; one: FindingRecord; score: number; distance: number; shift: number }

/** Ids of `earlier` to ids of `now`. */
export function matchRecords(input: MatchInput): Map<string, string> {
  const { earlier, now, pathNow, isSettled = () => false, isOpen = () => false } = input
  const matched = new Map<string, string>()
  const taken = new Set<string>()
  const pairs = pairsOf(input)
  pairs.sort((a, b) => b.score - a.score || a.shift - b.shift || a.distance - b.distance)
  // The same code comes before what may be an edit of it.
  take(pairs.filter(({ old, one }) => alikeCode(old, one) === 1))
  // What people decided stays decided, wherever the same code is now: first of all in its file. Where they left open
  // what was said of it later, they cleared away what was outdated, and what is found in a third file is new.
  for (const old of left().gone.filter(isSettled)) {
    const same = left().come.filter((one) => isSameCode(old, one))
    const here = same.find(({ path }) => path === pathNow(old.path))
    const later = earlier.slice(earlier.indexOf(old) + 1)
    const isOutdated = later.some((other) => isOpen(other) && isSameCode(old, other))
    const one = here ?? (isOutdated ? undefined : same[0])
    if (one) take([{ old, one }])
  }
  take(pairs)
  for (const old of left().gone) {
    const { gone, come } = left()
    const here = come.filter((one) => isSameCode(old, one) && one.path === pathNow(old.path))
    // The same words, gone from one place and come in at another, were moved by themselves.
    const isMove = here.length === 1 && gone.filter((other) => isSameCode(old, other)).length === 1
    const one = isMove ? here[0] : isSettled(old) ? come.find((other) => isEditedHere(old, other)) : undefined
    if (one) take([{ old, one }])
  }
  return matched

  function take(sorted: readonly Pick<Pair, 'old' | 'one'>[]): void {
    for (const { old, one } of sorted) {
      if (matched.has(old.id) || taken.has(one.id)) continue
      matched.set(old.id, one.id)
      taken.add(one.id)
    }
  }

  function left() {
    return {
      gone: earlier.filter(({ id }) => !matched.has(id)),
      come: now.filter(({ id }) => !taken.has(id)),
    }
  }

  /** It says the same where the other was. */
  function isEditedHere(old: FindingRecord, one: FindingRecord): boolean {
    const line = input.lineNow(old)
    const isSame = one.rule === old.rule && one.title === old.title && one.path === pathNow(old.path)
    return isSame && (line === null ? isClose(old, one) : Math.abs(line - one.line) <= nearby)
  }

  /** It alone says so in its file, before and after. */
  function isOnly(old: FindingRecord, one: FindingRecord): boolean {
    const says = (all: readonly FindingRecord[], { path, rule, title }: FindingRecord) =>
      all.filter((other) => other.path === path && other.rule === rule && other.title === title).length
    return old.title === one.title && says(earlier, old) === 1 && says(now, one) === 1
  }

  function pairsOf({ lineNow, isTakenOut = () => false }: MatchInput): Pair[] {
    const order = new Map([...ranks(earlier), ...ranks(now)])
    return earlier.flatMap((old) => {
      const line = lineNow(old)
      const takenOut = isTakenOut(old)
      return now.flatMap((one): Pair[] => {
        const isSamePath = pathNow(old.path) === one.path
        const isNamed = isSamePath && line === null && isOnly(old, one)
        const score = scoreOf(old, one, { line, takenOut, isSamePath, isNamed })
        const distance = Math.abs((line ?? old.line) - one.line)
        const shift = Math.abs((order.get(old) ?? 0) - (order.get(one) ?? 0))
        return score === null ? [] : [{ old, one, score, distance, shift }]
      })
    })
  }
}

/** The same rule on the same words in the same symbol of the same file. */
function isSamePrint(old: FindingRecord, one: FindingRecord): boolean {
  return old.id.slice(0, 16) === one.id.slice(0, 16)
}

function isSameCode(old: FindingRecord, one: FindingRecord): boolean {
  const isSame = old.rule === one.rule && old.side === one.side && isSaidAlike(old, one)
  return isSame && old.lines.length > 0 && alikeCode(old, one) === 1
}

/** Of several in a file that are alike, which one it is from the top. */
function ranks(records: readonly FindingRecord[]): Map<FindingRecord, number> {
  const sorted = [...records].sort((a, b) => a.line - b.line)
  const groups = Map.groupBy(sorted, ({ rule, path, code }) => `${rule}\0${path}\0${code?.substance}`)
  return new Map([...groups.values()].flatMap((group) => group.map((one, at) => [one, at] as const)))
}

type Place = {
  line: number | null
  takenOut: boolean
  isSamePath: boolean
  /** Its old words are gone, and nothing else in the file is called the same. */
  isNamed: boolean
}

/** How surely they are one; null when they are two. */
function scoreOf(
  old: FindingRecord,
  one: FindingRecord,
  { line, takenOut, isSamePath, isNamed }: Place,
): number | null {
  if (old.side !== one.side) return null
  const isSameRule = old.rule === one.rule
  const isByModels = old.byModel && one.byModel
  const saysAlike = isSaidAlike(old, one)
  // A model calls it by another rule next time, but then it must say the same.
  if (!isSameRule && !(isByModels && old.category === one.category && saysAlike)) return null
  if (old.lines.length === 0 || one.lines.length === 0)
    return isSamePath && old.lines.length === one.lines.length && saysAlike ? 4 : null
  const code = alikeCode(old, one)
  const known = alikeAround(old, one)
  const around = known ?? 0
  const isNear = line !== null && Math.abs(line - one.line) <= nearby
  const isOne =
    known === null
      ? isOneByLines(old, one, { code, line, isNear, saysAlike, isSamePath })
      : isSamePath
        ? code === 1
          ? around >= 0.5 || (isNear && around > 0.2)
          : isEdited({ code, around, isNear, saysAlike }) || (isNamed && isClose(old, one))
        : (code === 1 && around >= 0.5) || (code >= 0.6 && around >= 0.8)
  // It is gone from where it was: what is found elsewhere must have come from there with the code around it.
  if (!isOne || (takenOut && around < 0.8)) return null
  return (
    code +
    2 * around +
    (saysAlike ? 0.5 : 0) +
    (isSamePath ? 0.5 : 0) +
    (isNear ? 0.1 : 0) +
    (isSamePrint(old, one) ? 0.1 : 0)
  )
}

type Likeness = { code: number; around: number; isNear: boolean; saysAlike: boolean }

/** Its own lines were edited: the place is the same, or it says the same of much the same code. */
function isEdited({ code, around, isNear, saysAlike }: Likeness): boolean {
  if (isNear) return saysAlike
  return saysAlike ? around >= 0.7 || (code >= 0.4 && around >= 0.5) : code >= 0.75 && around >= 0.8
}

type Lines = Omit<Likeness, 'around'> & Pick<Place, 'line' | 'isSamePath'>

/** Where nothing is known of the code around one of them, as in records of earlier versions. */
function isOneByLines(old: FindingRecord, one: FindingRecord, likeness: Lines): boolean {
  const { code, line, isNear, saysAlike, isSamePath } = likeness
  if (!saysAlike) return false
  if (code === 1 || !isSamePath) return code === 1 && (isNear || old.title === one.title)
  if (line !== null) return isNear
  return isClose(old, one) && old.rule === one.rule && old.title === one.title
}

function isClose(old: FindingRecord, one: FindingRecord): boolean {
  return haveNeighbour(old, one) || Math.abs(old.line - one.line) <= aroundEdit
}

/** From 0 to 1; 1 only for the same code, however it is formatted. */
function alikeCode(old: FindingRecord, one: FindingRecord): number {
  if (!old.code || !one.code) return sameLines(old, one) ? 1 : 0
  if (old.code.substance === one.code.substance) return 1
  const [a, b] = [partsOf(old.code.tokens), partsOf(one.code.tokens)]
  return Math.min(0.99, (2 * longestCommon(a, b)) / Math.max(1, a.length + b.length))
}

/** From 0 to 1. Lines that came in on one side, or were removed there, leave the other side as it was. Null: not known. */
function alikeAround(old: FindingRecord, one: FindingRecord): number | null {
  const [a, b] = [old.code, one.code]
  if (!a || !b || a.above + a.below === '' || b.above + b.below === '') return null
  const sides = [shareOf(a.above, b.above), shareOf(a.below, b.below)]
  const isBetween = sideBySide(a.above, b.above) && sideBySide(a.below, b.below)
  return Math.max(isBetween ? 0.85 : 0, 0.7 * Math.max(...sides) + 0.3 * Math.min(...sides))
}

/** The nearest lines are the same. */
function sideBySide(old: string, one: string): boolean {
  return old !== '' && partsOf(old)[0] === partsOf(one)[0]
}

/** Of the lines around, the nearest first: what is right beside it counts most. */
const weights = [3, 2, 1.5, 1, 1, 1]

/** Common lines of both, in order. */
function shareOf(old: string, one: string): number {
  const [a, b] = [partsOf(old), partsOf(one)]
  if (a.length === 0 || b.length === 0) return 0
  const weightAt = (at: number) => weights[at] ?? 1
  const whole = weights.slice(0, Math.max(a.length, b.length)).reduce((sum, weight) => sum + weight, 0)
  return longestCommon(a, b, (x, y) => Math.min(weightAt(x), weightAt(y))) / whole
}

/** The length of the longest common part in order, or its weight. */
function longestCommon(
  a: readonly string[],
  b: readonly string[],
  weightOf: (x: number, y: number) => number = () => 1,
): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const [x, left] of a.entries()) {
    const next = [0]
    for (const [y, right] of b.entries()) {
      const both = left === right ? (row[y] ?? 0) + weightOf(x, y) : 0
      next.push(Math.max(both, row[y + 1] ?? 0, next[y] ?? 0))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** The line above or below is the same, and says where it is. */
function haveNeighbour(old: FindingRecord, one: FindingRecord): boolean {
  const isSame = (hash: string | null, other: string | null) =>
    hash !== null && hash !== emptyLine && hash === other
  return isSame(old.before, one.before) || isSame(old.after, one.after)
}

/**
 * Titles that name different things of the code are about different things, however alike they are; unless the edit of its
 * own code is what changed the name.
 */
function isSaidAlike(old: FindingRecord, one: FindingRecord): boolean {
  if (old.title === one.title) return true
  const [names, others] = [namesIn(old.title), namesIn(one.title)]
  const lost = new Set([...names].filter((name) => !others.has(name)))
  const gained = new Set([...others].filter((name) => !names.has(name)))
  const isShared =
    lost.size === 0 || gained.size === 0 || (isOfCode(lost, old, one) && isOfCode(gained, one, old))
  return (
    isShared &&
    compareTerms(termsWithout(old.title, lost), termsWithout(one.title, gained)).ofShorter >= alike
  )
}

/** The names are in the code of the one and not of the other. */
function isOfCode(names: ReadonlySet<string>, { code }: FindingRecord, other: FindingRecord): boolean {
  const [own, others] = [partsOf(code?.tokens ?? ''), partsOf(other.code?.tokens ?? '')]
  return [...names].map(shortHash).every((part) => own.includes(part) && !others.includes(part))
}

function termsWithout(title: string, names: ReadonlySet<string>): Terms {
  return new Map([...termsOf(title)].filter(([term]) => !names.has(term)))
}

function sameLines(old: FindingRecord, one: FindingRecord): boolean {
  return old.lines.length === one.lines.length && old.lines.every((hash, at) => hash === one.lines[at])
}
