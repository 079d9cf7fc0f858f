/** Types that lack a member which an interface, trait or abstract class now requires. */
import { itemsBy } from '../../../base/grouped.ts'
import type { Definition } from '../../../code-index/resolve/contract.ts'
import { go } from '../../../code-index/resolve/languages/go.ts'
import { completeResolverOf } from '../../../code-index/resolve/languages/registry.ts'
import {
  isType,
  keyOf,
  membersNamed,
  symbolOf,
  symbolsIn,
  symbolsWithin,
  typeMember,
} from '../../../code-index/resolve/symbols.ts'
import type { FileChange } from '../../../domain/change-set.ts'
import type { SymbolChange } from '../../../domain/code-symbol.ts'
import type { BrokenUse, DutySubject } from './breakage.ts'
import type { RepoSearch } from './repo-search.ts'
import { isRequired, mustFulfil, type Subtype, subtypesOf } from './subtypes.ts'

export async function lackingImplementers(
  search: RepoSearch,
  changes: readonly SymbolChange[],
): Promise<BrokenUse[]> {
  const found: BrokenUse[] = []
  for (const change of changes) {
    search.signal.throwIfAborted()
    const { after, before } = change
    if (
      !after ||
      // An interface of a test lists what the test looks at.
      search.kinds.isTest(after.path) ||
      before?.symbol.scope === after.symbol.scope ||
      !['method', 'field'].includes(after.symbol.kind)
    )
      continue
    const ends = await requiredBy(search, after)
    if (!ends) continue
    const duty: DutySubject = { kind: 'duty', duty: 'implement', ...after, change }
    const words = `it has no \`${after.symbol.name}\``
    if (after.symbol.scope !== '' && change.language === 'go') {
      for (const { path, line, name, certain } of await goImplementers(
        search,
        ends.container,
        after.symbol.name,
      ))
        found.push({ subject: duty, failure: 'implement', words, certain, path, line, endLine: line, name })
      continue
    }
    if (!(await isRequired(search.head, ends.member, ends.container))) continue
    for (const subtype of await subtypesOf(search.head, search.headSnapshot, ends.container, search.kinds)) {
      if (!(await lacks(search, subtype, ends.member))) continue
      const { definition, line } = subtype
      const { name } = symbolOf(definition)
      found.push({
        subject: duty,
        failure: 'implement',
        words,
        certain: true,
        path: definition.path,
        line,
        endLine: line,
        name,
      })
    }
  }
  return found
}

/** The new member and the type that has it, when that type was there before; null otherwise. */
async function requiredBy(
  { base, head, change }: RepoSearch,
  { path, symbol }: NonNullable<SymbolChange['after']>,
): Promise<{ member: Definition; container: Definition } | null> {
  const names = symbol.scope.split('.')
  const name = names.pop() ?? ''
  const facts = await head.facts(path)
  const container =
    facts && symbolsIn(path, facts, names.join('.'), name).find((type) => isType(symbolOf(type)))
  const member = facts && symbolsIn(path, facts, symbol.scope, symbol.name)[0]
  if (!container || !member) return null
  const oldPath = itemsBy(change.files, pathOf, path)[0]?.oldPath ?? path
  const before = await base.facts(oldPath)
  return before && symbolsIn(oldPath, before, names.join('.'), name).length > 0 ? { member, container } : null
}

const pathOf = ({ path }: FileChange) => path

async function lacks({ head }: RepoSearch, { definition }: Subtype, member: Definition): Promise<boolean> {
  const { facts } = definition
  const { name } = symbolOf(member)
  if (symbolOf(definition).kind === 'impl') return membersNamed(definition, name).length === 0
  if (!(await mustFulfil(head, definition))) return false
  const language = completeResolverOf(facts.language)
  if (!language) return false
  const meaning = await typeMember(language, head, [definition], name, true)
  return meaning.kind === 'defined' && meaning.definitions.every((found) => keyOf(found) === keyOf(member))
}

type Lacking = { path: string; line: number; name: string; certain: boolean }

/** A type with all methods of an interface, and at least this many, counts as an implementer. */
const enoughMethods = 3
const mostFiles = 300

/** Go types do not name what they implement: their method sets tell, and `var _ I = T{}` proves it. */
async function goImplementers(search: RepoSearch, container: Definition, gained: string): Promise<Lacking[]> {
  const { name: wanted, kind } = symbolOf(container)
  if (kind !== 'interface') return []
  const { facts, index } = container
  const others = symbolsWithin(facts, index).flatMap((at) => {
    const symbol = facts.symbols[at]
    return symbol?.kind === 'method' && symbol.name !== gained ? [symbol] : []
  })
  const [first] = others.toSorted((a, b) => b.name.length - a.name.length)
  if (!first) return []
  const files = (await search.headSnapshot.filesWithWords([first.name])).get(first.name) ?? []
  const known = await search.head.factsOf(
    files.filter((path) => path.endsWith('.go') && !search.kinds.isForeign(path)).slice(0, mostFiles),
  )
  const found: Lacking[] = []
  for (const [path, own] of known) {
    const owners = new Set(
      own.symbols.flatMap(({ name, kind: what, scope }) =>
        name === first.name && what === 'method' ? [scope] : [],
      ),
    )
    for (const owner of owners) {
      const type = symbolsIn(path, own, '', owner)[0]
      if (!type || symbolOf(type).kind === 'interface') continue
      const has = async (name: string): Promise<boolean | null> => {
        const meaning = await typeMember(go, search.head, [type], name, true)
        return meaning.kind === 'unknown' ? null : meaning.kind === 'defined'
      }
      if ((await has(gained)) !== false) continue
      const all = await Promise.all(others.map(({ name }) => has(name)))
      if (!all.every((answer) => answer === true)) continue
      const line = await assertion(search, path, owner, wanted)
      if (line !== null) found.push({ path, line, name: owner, certain: true })
      else if (others.length >= enoughMethods)
        found.push({ path, line: symbolOf(type).nameLine, name: owner, certain: false })
    }
  }
  return found
}

/** The line of `var _ I = (*T)(nil)`, `var _ pkg.I = T{}` or `&T{}`. */
async function assertion(
  { head }: RepoSearch,
  path: string,
  type: string,
  wanted: string,
): Promise<number | null> {
  const lines = ((await head.text(path)) ?? '').split('\n')
  const pattern = new RegExp(`\\b_\\s+(?:\\w+\\.)?${wanted}\\s*=\\s*[(&*]*${type}\\b`)
  const at = lines.findIndex((line) => line.length < 300 && pattern.test(line))
  return at < 0 ? null : at + 1
}
