/**
 * Which findings of a review are those that were published before. Each pairs with at most one, the surest pairs first.
 * In doubt they are two: a repeated comment is a nuisance, a lost finding is a loss.
 */
import { compareTerms, namesIn, termsOf } from '../domain/wording.ts'
import { emptyLine, type FindingRecord } from './record.ts'

export type MatchInput = {
  earlier: readonly FindingRecord[]
  now: readonly FindingRecord[]
  /** Where the lines of an earlier one are now; null when its words are gone. */
  lineNow: (record: FindingRecord) => number | null
  /** The path that a file has now. */
  pathNow: (path: string) => string
}

const nearby = 3
/** Lines by which other edits of a push may have moved an edited line whose neighbours changed, too. */
const aroundEdit = 20
/** Share of the words of the shorter title that the other one has. */
const alike = 0.6

/** Ids of `earlier` to ids of `now`. */
export function matchRecords({ earlier, now, lineNow, pathNow }: MatchInput): Map<string, string> {
  const matched = new Map<string, string>()
  const taken = new Set<string>()
  const distance = (old: FindingRecord, one: FindingRecord) => Math.abs((lineNow(old) ?? old.line) - one.line)
  for (const isPair of steps({ lineNow, pathNow })) {
    const pairs = earlier
      .filter(({ id }) => !matched.has(id))
      .flatMap((old) =>
        now.filter((one) => !taken.has(one.id) && isPair(old, one)).map((one) => ({ old, one })),
      )
      .sort((a, b) => distance(a.old, a.one) - distance(b.old, b.one))
    for (const { old, one } of pairs) {
      if (matched.has(old.id) || taken.has(one.id)) continue
      matched.set(old.id, one.id)
      taken.add(one.id)
    }
  }
  return matched
}

type IsPair = (old: FindingRecord, one: FindingRecord) => boolean

function steps({ lineNow, pathNow }: Pick<MatchInput, 'lineNow' | 'pathNow'>): IsPair[] {
  const inSameFile: IsPair = (old, one) => pathNow(old.path) === one.path && old.side === one.side
  const isNear: IsPair = (old, one) => {
    const line = lineNow(old)
    return line !== null && Math.abs(line - one.line) <= nearby
  }
  const saysAlike: IsPair = (old, one) => old.title === one.title || areAlike(old.title, one.title)
  return [
    // The same rule on the same words in the same symbol.
    (old, one) => printOf(old) === printOf(one) && inSameFile(old, one),
    // The same words, in a file or symbol that has another name now.
    (old, one) =>
      old.rule === one.rule && old.lines.length > 0 && sameLines(old, one) && old.title === one.title,
    (old, one) => old.rule === one.rule && inSameFile(old, one) && isNear(old, one) && saysAlike(old, one),
    // A model says the same in other words, or calls it by another rule.
    (old, one) =>
      old.byModel &&
      one.byModel &&
      old.category === one.category &&
      inSameFile(old, one) &&
      isNear(old, one) &&
      saysAlike(old, one),
    // The line itself was edited, and the rule says the same of it. Elsewhere in the file it is another fault of the kind.
    (old, one) =>
      old.rule === one.rule &&
      lineNow(old) === null &&
      inSameFile(old, one) &&
      old.title === one.title &&
      (haveNeighbour(old, one) || Math.abs(old.line - one.line) <= aroundEdit),
  ]
}

/** The line above or below is the same, and says where it is. */
function haveNeighbour(old: FindingRecord, one: FindingRecord): boolean {
  const isSame = (hash: string | null, other: string | null) =>
    hash !== null && hash !== emptyLine && hash === other
  return isSame(old.before, one.before) || isSame(old.after, one.after)
}

/** Titles that name different things of the code are about different things, however alike they are. */
function areAlike(old: string, one: string): boolean {
  const [names, others] = [namesIn(old), namesIn(one)]
  const isShared =
    [...names].every((name) => others.has(name)) || [...others].every((name) => names.has(name))
  return isShared && compareTerms(termsOf(old), termsOf(one)).ofShorter >= alike
}

function printOf({ id }: FindingRecord): string {
  return id.slice(0, 16)
}

function sameLines(old: FindingRecord, one: FindingRecord): boolean {
  return old.lines.length === one.lines.length && old.lines.every((hash, at) => hash === one.lines[at])
}
