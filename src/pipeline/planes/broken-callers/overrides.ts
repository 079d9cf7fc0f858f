/** Methods that override what is gone, or what takes other parameters now. */
import type { Definition } from '../../../code-index/resolve/contract.ts'
import { languageOf } from '../../../code-index/resolve/languages/registry.ts'
import { isType, symbolOf, symbolsIn, typeMember } from '../../../code-index/resolve/symbols.ts'
import type { SymbolChange } from '../../../domain/code-symbol.ts'
import { saysOverride } from './duties.ts'
import type { Scene } from './scene.ts'
import type { LeftBehind } from './sides.ts'
import type { DutySubject } from './subject.ts'
import { type Subtype, subtypesOf } from './subtypes.ts'

export async function leftOverrides(scene: Scene, changes: readonly SymbolChange[]): Promise<LeftBehind[]> {
  const found: LeftBehind[] = []
  for (const change of changes) {
    scene.signal.throwIfAborted()
    const { before, kind } = change
    if (before?.symbol.kind !== 'method' || kind === 'body-changed') continue
    const container = await containerOf(scene, before)
    if (!container) continue
    const duty: DutySubject = { kind: 'duty', duty: 'override', ...before, change }
    for (const subtype of await subtypesOf(scene.head, scene.headSnapshot, container, scene.kinds))
      for (const member of membersNamed(subtype, before.symbol.name))
        if (await overridesNothing(scene, subtype, member, before.symbol)) {
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
  { head, change }: Scene,
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
  { head }: Scene,
  { definition }: Subtype,
  member: Definition,
  old: { signature: { parameters: readonly unknown[] | null } },
): Promise<boolean> {
  const language = languageOf(definition.facts.language)
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
