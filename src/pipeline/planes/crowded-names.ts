/** What planes that compare uses with definitions leave out of the files of a change, because it would be too much work. */
import { deepestDefinition } from '../../code-index/extraction/symbols.ts'
import type { World } from '../../code-index/resolve/contract.ts'
import { crowdedNames, depthOf, mostAlike, mostStars, starImports } from '../../code-index/resolve/symbols.ts'

/** Names that are shown of a file. */
const mostShown = 3

/** The limits that names, imports and nesting of each file reach, in words for the coverage. */
export async function crowdedLimits(world: World, paths: readonly string[]): Promise<string[]> {
  const limits: string[] = []
  for (const [path, facts] of await world.factsOf(paths)) {
    if (starImports(facts).length > mostStars)
      limits.push(
        `names that may come through the wildcards of ${path}, more than ${mostStars}, were not looked up`,
      )
    if (depthOf(facts) >= deepestDefinition)
      limits.push(`definitions in ${path} that are nested deeper than ${deepestDefinition} were not read`)
    const names = crowdedNames(facts)
    if (names.length === 0) continue
    const shown = names.slice(0, mostShown).map((name) => `\`${name}\``)
    const more = names.length > mostShown ? ` and ${names.length - mostShown} more` : ''
    limits.push(
      `uses of ${shown.join(', ')}${more}, defined ${mostAlike} times or more in ${path}, were not judged`,
    )
  }
  return limits
}
