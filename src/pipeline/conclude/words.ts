/** Pieces of wording that the parts of a conclusion share. */
import { list } from '../../base/count.ts'
import { visibleLine } from '../../base/visible-text.ts'

export { count, list } from '../../base/count.ts'

const longestCode = 100
/** Longer than a path of code is: one that was cut would lead nowhere. */
const longestPlace = 500

/** Foreign text as code between backticks: visible, on one line, without backticks of its own, not too long. */
export function code(text: string, longest = longestCode): string {
  const clean = visibleLine(text).replaceAll('`', "'")
  return `\`${clean.length > longest ? `${clean.slice(0, longest - 1)}…` : clean}\``
}

/** A path, or a place in a file. */
export function place(text: string): string {
  return code(text, longestPlace)
}

const mostListed = 3

/** The first three, and how many more. */
export function few(all: readonly string[]): string {
  const more = all.length - mostListed
  return list([...all.slice(0, mostListed), ...(more > 0 ? [`${more} more`] : [])])
}
