/** Pieces of wording that the parts of a conclusion share. */
import { visibleLine } from '../../base/visible-text.ts'

export { count } from '../../base/count.ts'

const longestCode = 100

/** Foreign text as code between backticks: visible, on one line, without backticks of its own, not too long. */
export function code(text: string): string {
  const clean = visibleLine(text).replaceAll('`', "'")
  return `\`${clean.length > longestCode ? `${clean.slice(0, longestCode - 1)}…` : clean}\``
}

/** `a`, `a and b`, `a, b and c`. */
export function list(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

const mostListed = 3

/** The first three, and how many more. */
export function few(all: readonly string[]): string {
  const more = all.length - mostListed
  return list([...all.slice(0, mostListed), ...(more > 0 ? [`${more} more`] : [])])
}
