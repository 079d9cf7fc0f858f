/** How alike two titles are in the words that name a cause. */

const empty: ReadonlySet<string> = new Set(
  `a an and any are as at be because been being by can could do does for from get gets has have here if in into is it
  its just may might now of on one or so some still than that the their then there these this those to was were when
  where which while will with would`.split(/\s+/),
)

/** Two titles that differ in such a pair say the opposite of each other, or speak of the other end. */
const opposites: readonly (readonly [string, string])[] = [
  ['first', 'last'],
  ['early', 'late'],
  ['before', 'after'],
  ['min', 'max'],
  ['minimum', 'maximum'],
  ['lower', 'upper'],
  ['low', 'high'],
  ['start', 'end'],
  ['open', 'close'],
  ['read', 'write'],
  ['add', 'remove'],
  ['added', 'removed'],
  ['more', 'less'],
  ['left', 'right'],
  ['request', 'response'],
  ['key', 'value'],
  ['old', 'new'],
  ['positive', 'negative'],
]

const word = /[\p{L}_$][\p{L}\p{N}_$]*|\p{N}+/gu

/** In lower case, without words that say nothing, without the ending of a plural. */
export function causeWords(title: string): Set<string> {
  const words = (title.match(word) ?? []).map((one) => one.toLowerCase())
  return new Set(words.filter((one) => !empty.has(one)).map(singular))
}

/** From 0 to 1: the share of all words that stand in both. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const all = new Set([...a, ...b])
  return all.size === 0 ? 0 : [...a].filter((one) => b.has(one)).length / all.size
}

/**
 * Each says something that the other does not, and it makes them two: another name that stands in the code, another
 * number, the opposite word.
 */
export function differInSubject(a: ReadonlySet<string>, b: ReadonlySet<string>, code: string): boolean {
  const [onlyA, onlyB] = [[...a].filter((one) => !b.has(one)), [...b].filter((one) => !a.has(one))]
  const names = causeWords(code)
  const isSubject = (one: string) => names.has(one) || /^\p{N}+$/u.test(one)
  if (onlyA.some(isSubject) && onlyB.some(isSubject)) return true
  return opposites.some(
    ([left, right]) =>
      (onlyA.includes(left) && onlyB.includes(right)) || (onlyA.includes(right) && onlyB.includes(left)),
  )
}

function singular(one: string): string {
  return one.length > 3 && one.endsWith('s') && !one.endsWith('ss') ? one.slice(0, -1) : one
}
