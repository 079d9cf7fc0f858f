/** Methods that override a member that was removed, or that takes other parameters now. */
import type { Definition } from '../../../code-index/resolve/contract.ts'
import { completeResolverOf } from '../../../code-index/resolve/languages/registry.ts'
import { isType, symbolOf, symbolsIn, typeMember } from '../../../code-index/resolve/symbols.ts'
import type { SymbolChange } from '../../../domain/code-symbol.ts'
import type { BrokenUse, DutySubject } from './breakage.ts'
import type { RepoSearch } from './repo-search.ts'
import { type Subtype, saysOverride, subtypesOf } from './subtypes.ts'

export async function orphanedOverrides(
  search: RepoSearch,
  changes: readonly SymbolChange[],
): Promise<BrokenUse[]> {
  const found: BrokenUse[] = []
  for (const change of changes) {
    search.signal.throwIfAborted()
    const { before, kind } = change
    if (before?.symbol.kind !== 'method' || kind === 'body-changed') continue
    const container = await containerOf(search, before)
    if (!container) continue
    const duty: DutySubject = { kind: 'duty', duty: 'override', ...before, change }
    for (const subtype of await subtypesOf(search.head, search.headSnapshot, container, search.kinds))
      for (const member of membersNamed(subtype, before.symbol.name))
        if (await overridesNothing(search, subtype, member, before.symbol)) {
          const { nameLine, name } = symbolOf(member)
          const place = { path: member.path, line: nameLine, endLine: nameLine, name }
          found.push({
            subject: duty,
            failure: 'override',
            words: 'it overrides nothing now',
            certain: true,
            ...place,
          })
        }
  }
  return found
}

/** The type at the head that had the member at the base. */
async function containerOf(
  { head, change }: RepoSearch,
  { path, symbol }: NonNullable<SymbolChange['before']>,
): Promise<Definition | null> {
  const names = symbol.scope.split('.')
  const name = names.pop() ?? ''
  const file = change.files.find((candidate) => candidate.oldPath === path || candidate.path === path)
  const now = file?.path ?? path
  const facts = await head.facts(now)
  return (
    (facts && symbolsIn(now, facts, names.join('.'), name).find((type) => isType(symbolOf(type)))) ?? null
  )
}

function membersNamed({ definition: { path, facts, index } }: Subtype, name: string): Definition[] {
  return facts.symbols.flatMap((symbol, at) =>
    facts.parents[at] === index && symbol.name === name && symbol.kind === 'method'
      ? [{ path, facts, index: at }]
      : [],
  )
}

async function overridesNothing(
  { head }: RepoSearch,
  { definition }: Subtype,
  member: Definition,
  old: { signature: { parameters: readonly unknown[] | null } },
): Promise<boolean> {
  const language = completeResolverOf(definition.facts.language)
  if (!language) return false
  const { name, signature } = symbolOf(member)
  const isRust = definition.facts.language === 'rust'
  if (!isRust && !(await saysOverride(head, member))) return false
  if (signature.parameters?.length !== old.signature.parameters?.length) return false
  const bases = await language.baseTypes(head, definition)
  if (bases.open) return false
  const meaning = await typeMember(language, head, bases.types, name, true)
  if (meaning.kind === 'missing') return true
  if (meaning.kind !== 'defined' || definition.facts.language !== 'java') return false
  return meaning.definitions.every(
    (found) => symbolOf(found).signature.parameters?.length !== signature.parameters?.length,
  )
}
