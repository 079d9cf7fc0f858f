/**
 * The processes that the product starts for itself, parsers and roles, begin in half the time from the packed product, which
 * `npm test` makes and users install. It lies among the packages of this checkout, so the walls around them are the same.
 */
import { join, relative } from 'node:path'

const sources = join(import.meta.dirname, '../../src')

/** The words of a command with the packed script in the place of the source. */
export function asPacked(words: readonly string[]): readonly string[] {
  const { SIGHTLINE_TEST_PRODUCT: product } = process.env
  if (product === undefined) return words
  return words.map((word) =>
    word.startsWith(sources) && word.endsWith('/worker.ts')
      ? join(product, 'dist', relative(sources, word).replace(/ts$/, 'js'))
      : word,
  )
}
