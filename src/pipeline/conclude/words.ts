/** Pieces of wording that the parts of a conclusion share. */
import { list } from '../../base/count.ts'
import { visibleLine } from '../../base/visible-text.ts'

export { count, list } from '../../base/count.ts'

const longestCode = 100

/** Foreign text as code between backticks: visible, on one line, without backticks of its own, not too long. */
export function code(text: string): string {
  const clean = visibleLine(text).replaceAll('`', "'")
  return `\`${clean.length > longestCode ? `${clean.slice(0, longestCode - 1)}…` : clean}\``
}

const mostListed = 3

/** The first three, and how many more. */
export function few(all: readonly string[]): string {
  const more = all.length - mostListed
  return list([...all.slice(0, mostListed), ...(more > 0 ? [`${more} more`] : [])])
}
