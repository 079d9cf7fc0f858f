/** Methods that override a member that was removed, or that takes other parameters now. */
import { itemsBy } from '../../../base/grouped.ts'
import type { Definition, World } from '../../../code-index/resolve/contract.ts'
import { completeResolverOf } from '../../../code-index/resolve/languages/registry.ts'
import { isType, membersNamed, symbolOf, symbolsIn, typeMember } from '../../../code-index/resolve/symbols.ts'
import type { FileChange } from '../../../domain/change-set.ts'
import type { SymbolChange } from '../../../domain/code-symbol.ts'
import { type BrokenUse, type DutySubject, isConstructor } from './breakage.ts'
import { whyMisfit } from './override-fit.ts'
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
      for (const member of methodsNamed(subtype, before.symbol.name)) {
        const isOrphaned = await overridesNothing(search, subtype, member, before.symbol)
        const keeps = !isOrphaned && kind === 'renamed'
        if (!isOrphaned && !(keeps && (await keepsOldName(search, subtype, before.symbol.name, change))))
          continue
        const { nameLine, name } = symbolOf(member)
        found.push({
          subject: duty,
          failure: 'override',
          words: 'it overrides nothing now',
          // Where nothing marks an override, it may be a member of its own.
          certain: isOrphaned,
          path: member.path,
          line: nameLine,
          endLine: nameLine,
          name,
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
  const file = itemsBy(change.files, oldPathOf, path)[0] ?? itemsBy(change.files, pathOf, path)[0]
  const now = file?.path ?? path
  const facts = await head.facts(now)
  return (
    (facts && symbolsIn(now, facts, names.join('.'), name).find((type) => isType(symbolOf(type)))) ?? null
  )
}

const oldPathOf = ({ oldPath }: FileChange) => oldPath
const pathOf = ({ path }: FileChange) => path

function methodsNamed({ definition }: Subtype, name: string): Definition[] {
  return membersNamed(definition, name).filter((member) => symbolOf(member).kind === 'method')
}

/** The base calls it by its new name, and a language that marks no overrides does not notice. */
async function keepsOldName(
  { head }: RepoSearch,
  { definition }: Subtype,
  name: string,
  { before, after }: SymbolChange,
): Promise<boolean> {
  const { facts } = definition
  const language = completeResolverOf(facts.language)
  const isUnmarked = ['python', 'typescript', 'tsx'].includes(facts.language)
  if (!language || !isUnmarked || !after || after.symbol.scope !== before?.symbol.scope) return false
  const hasNew = membersNamed(definition, after.symbol.name).length > 0
  const bases = await language.baseTypes(head, definition)
  if (hasNew || bases.open) return false
  return (await typeMember(language, head, bases.types, name, true)).kind === 'missing'
}

/** Overrides that fitted the base before the change and no longer do. */
export async function misfittingOverrides(
  search: RepoSearch,
  changes: readonly SymbolChange[],
): Promise<BrokenUse[]> {
  const { base, head } = search
  const found: BrokenUse[] = []
  for (const change of changes) {
    search.signal.throwIfAborted()
    const { before, after, kind, delta } = change
    const isReshaped = delta && delta.parametersAdded.length + delta.parametersRemoved.length > 0
    if (kind !== 'signature-changed' || after?.symbol.kind !== 'method' || !before || !isReshaped) continue
    const container = await containerOf(search, before)
    const [old, now] = [await only(base, before), await only(head, after)]
    if (!container || !old || !now || isConstructor(after.symbol.name)) continue
    const duty: DutySubject = { kind: 'duty', duty: 'parameters', ...after, change }
    for (const subtype of await subtypesOf(head, search.headSnapshot, container, search.kinds))
      for (const member of methodsNamed(subtype, after.symbol.name)) {
        const own = { world: head, definition: member }
        const why = await whyMisfit({ world: head, definition: now }, own)
        if (!why || (await whyMisfit({ world: base, definition: old }, own))) continue
        const { nameLine: line, name } = symbolOf(member)
        const place = { path: member.path, line, endLine: line, name }
        found.push({ subject: duty, failure: 'parameters', words: why, certain: true, ...place })
      }
  }
  return found
}

async function only(
  world: World,
  { path, symbol }: NonNullable<SymbolChange['before']>,
): Promise<Definition | null> {
  const facts = await world.facts(path)
  const [first, ...more] = facts ? symbolsIn(path, facts, symbol.scope, symbol.name) : []
  return first && more.length === 0 ? first : null
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
  // A trait that builds on another one requires members of its own; only what implements a trait overrides.
  if (isRust && symbolOf(definition).kind !== 'impl') return false
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
