/** Types of the head that extend or implement a given one, and where they say so. */
import type { Definition, World } from '../../../code-index/resolve/contract.ts'
import { languageOf } from '../../../code-index/resolve/languages/registry.ts'
import { namedType } from '../../../code-index/resolve/receiver.ts'
import { keyOf, symbolOf } from '../../../code-index/resolve/symbols.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import type { FileKinds } from './file-kinds.ts'

/** Direct subtypes only. `line`: where the base type is named. A Rust impl block is a subtype of its trait. */
export type Subtype = { definition: Definition; line: number }

const mostFiles = 400

export async function subtypesOf(
  world: World,
  snapshot: RepoSnapshot,
  base: Definition,
  kinds: FileKinds,
): Promise<Subtype[]> {
  const language = languageOf(base.facts.language)
  const { name } = symbolOf(base)
  if (!language) return []
  const files = (await snapshot.filesWithWords([name])).get(name) ?? []
  const facts = await world.factsOf(files.filter((path) => !kinds.isForeign(path)).slice(0, mostFiles))
  const found: Subtype[] = []
  for (const [path, own] of facts)
    for (const { symbol, name: written, line } of own.supertypes) {
      if (written !== name) continue
      const place = { path, facts: own, enclosing: own.parents[symbol] ?? null, text: null }
      const reference = own.references.find(
        (candidate) => candidate.role === 'extends' && candidate.name === written && candidate.line === line,
      )
      const text = reference?.receiver ? `${reference.receiver}.${written}` : written
      const types = await namedType(language, world, place, text)
      if (types.some((type) => keyOf(type) === keyOf(base)))
        found.push({ definition: { path, facts: own, index: symbol }, line })
    }
  return found
}
