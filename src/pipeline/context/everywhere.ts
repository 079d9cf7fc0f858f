/** Names that are everywhere are no query: what `data` or `version` leads to in hundreds of files was not meant by the change. */

/** Measured on what changed lines need: up to here, a name led to a definition that was. */
const mostHolders = 40

/** Of the files that hold the name as a word. */
export function isEverywhere(holders: readonly string[]): boolean {
  return holders.length > mostHolders
}
