/**
 * The processes that the product starts for itself (parsers, roles, the index that follows a review) begin in half the time from
 * the packed product, which `npm test` makes and users install. It lies among the packages of this checkout, so the walls around
 * them are the same.
 */
import childProcess, { type SpawnOptions } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '../..')
const sources = join(root, 'src')
const command = join(root, 'bin/sightline.js')

/** The words of a command with the packed script in the place of the source. */
export function asPacked(words: readonly string[]): readonly string[] {
  const { SIGHTLINE_TEST_PRODUCT: product } = process.env
  if (product === undefined) return words
  return words.map((word) => {
    if (word === command) return join(product, 'bin/sightline.js')
    return word.startsWith(sources) && word.endsWith('/worker.ts')
      ? join(product, 'dist', relative(sources, word).replace(/ts$/, 'js'))
      : word
  })
}

/** For a process of a test that is no worker of Vitest: what it starts from now on. */
export function startPackedChildren(): void {
  const start = childProcess.spawn
  childProcess.spawn = ((file: string, words: readonly string[], options: SpawnOptions) =>
    start(file, asPacked(words), options)) as typeof childProcess.spawn
  syncBuiltinESMExports()
}
