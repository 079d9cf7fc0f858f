/** New uses of names that the file binds nowhere, while other files import them. */
import { importersOf, unboundUse } from '../../../code-index/query/unbound-names.ts'
import type { World } from '../../../code-index/resolve/contract.ts'
import { referencesNamed } from '../../../code-index/resolve/symbols.ts'
import { pathOn } from '../../../domain/change-set.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { isBuiltIn } from '../contract/built-in-names.ts'
import type { Misuse } from './misuse.ts'
import type { NewUses } from './new-uses.ts'

/** Python only: what builds, test runners and pages give to scripts is not in the tree. */
export async function unboundNames(
  { file, place, references }: NewUses,
  { base, head, tree }: { base: World; head: World; tree: RepoSnapshot },
): Promise<Misuse[]> {
  if (place.facts.language !== 'python') return []
  const before = file.oldBlob === null ? null : await base.facts(pathOn('old', file))
  const names = new Set(
    references.flatMap(({ name, receiver, role, shadowed }) =>
      receiver === null && role !== 'property' && !shadowed ? [name] : [],
    ),
  )
  const unbound = [...names].flatMap((name) => {
    // What was used before is nothing new, and what was imported before is reported by the contract plane.
    if (isBuiltIn('python', name) || (before && referencesNamed(before, name).length > 0)) return []
    const line = unboundUse(place.facts, place.text, name)
    return line === null ? [] : [{ name, line }]
  })
  if (unbound.length === 0) return []
  const holders = await tree.filesWithWords(unbound.map(({ name }) => name))
  const found: Misuse[] = []
  for (const { name, line } of unbound)
    if (((await importersOf(head, file.path, name, holders.get(name) ?? [])) ?? 0) > 0)
      found.push({
        rule: 'new-code/unbound-name',
        certain: true,
        title: `\`${name}\` is used, but nothing in the file imports or defines it`,
        explanation: `The new code uses \`${name}\`, which other files of the repository import and this one does not. It raises a NameError when it runs.`,
        remedy: `Import \`${name}\`, or define it.`,
        file,
        line,
        endLine: line,
        claims: [{ kind: 'undefined', name, path: file.path, line }],
        shown: [],
      })
  return found
}
