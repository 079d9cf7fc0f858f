/** Uses that a definition no longer lets in. */
import type { Definition, Place } from '../../../code-index/resolve/contract.ts'
import { folderOf } from '../../../code-index/resolve/path-index.ts'
import { around, symbolOf } from '../../../code-index/resolve/symbols.ts'

/** In words, how the use is shut out at the head though it was let in at the base; null when it is not. */
export function isHidden(
  place: Place,
  before: readonly Definition[],
  after: readonly Definition[],
): string | null {
  if (!before.some((definition) => letsIn(definition, place))) return null
  if (after.some((definition) => letsIn(definition, place))) return null
  const [first] = after
  return first ? `it is ${symbolOf(first).visibility} now` : null
}

function letsIn(definition: Definition, place: Place): boolean {
  const symbol = symbolOf(definition)
  if (symbol.visibility === 'exported' || definition.path === place.path) return true
  switch (definition.facts.language) {
    case 'java':
      // Protected members count as internal; a subclass elsewhere may use them.
      return (
        symbol.visibility === 'internal' &&
        (sameFolderName(definition.path, place.path) || extendsSomething(place))
      )
    case 'typescript':
    case 'tsx':
      // At top level the exports decide; a private member is private to its class, which has one file.
      return symbol.scope === '' || symbol.visibility === 'internal'
    default:
      // Go: the name itself says it. Rust: modules nest, which paths alone do not tell. Python: a convention.
      return true
  }
}

function sameFolderName(one: string, two: string): boolean {
  const packagePath = (path: string): string => folderOf(path).replace(/^.*\/(?:java|kotlin)\//, '')
  return packagePath(one) === packagePath(two)
}

function extendsSomething(place: Place): boolean {
  return around(place).some((index) => place.facts.supertypes.some(({ symbol }) => symbol === index))
}
