/** What planes that compare uses with definitions leave out of the files of a change, because it would be too much work. */
import { deepestDefinition } from '../../code-index/extraction/symbols.ts'
import type { World } from '../../code-index/resolve/contract.ts'
import { lostNames, mostLookUps } from '../../code-index/resolve/look-ups.ts'
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
    if (names.length > 0)
      limits.push(`uses of ${listed(names)}, defined ${mostAlike} times or more in ${path}, were not judged`)
  }
  return limits
}

/** Names that modules pass on in more ways than were walked so far: to be asked when all questions were. */
export function lookUpLimits(...worlds: readonly World[]): string[] {
  const byModule = Map.groupBy(worlds.flatMap(lostNames), ({ path }) => path)
  return [...byModule].map(
    ([path, hops]) =>
      `${listed([...new Set(hops.map(({ name }) => name))])} of ${path} may come from more places than the ${mostLookUps} that were looked up, so uses were not judged`,
  )
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostShown).map((name) => `\`${name}\``)
  const more = names.length > mostShown ? ` and ${names.length - mostShown} more` : ''
  return `${shown.join(', ')}${more}`
}
