/** Types that lack a member which an interface, trait or abstract class has come to require. */
import type { Definition } from '../../../code-index/resolve/contract.ts'
import { languageOf } from '../../../code-index/resolve/languages/registry.ts'
import { isType, keyOf, symbolOf, symbolsIn, typeMember } from '../../../code-index/resolve/symbols.ts'
import type { SymbolChange } from '../../../domain/code-symbol.ts'
import { isRequired, mustFulfil } from './duties.ts'
import { goImplementers } from './go-implementers.ts'
import type { Scene } from './scene.ts'
import type { LeftBehind } from './sides.ts'
import type { DutySubject } from './subject.ts'
import { type Subtype, subtypesOf } from './subtypes.ts'

export async function lackingImplementers(
  scene: Scene,
  changes: readonly SymbolChange[],
): Promise<LeftBehind[]> {
  const found: LeftBehind[] = []
  for (const change of changes) {
    scene.signal.throwIfAborted()
    const { after, before } = change
    if (
      !after ||
      before?.symbol.scope === after.symbol.scope ||
      !['method', 'field'].includes(after.symbol.kind)
    )
      continue
    const ends = await requiredBy(scene, after)
    if (!ends) continue
    const duty: DutySubject = { kind: 'duty', duty: 'implement', ...after, change }
    const words = `it has no \`${after.symbol.name}\``
    if (after.symbol.scope !== '' && change.language === 'go') {
      for (const { path, line, name, certain } of await goImplementers(
        scene,
        ends.container,
        after.symbol.name,
      ))
        found.push({ subject: duty, failure: 'implement', words, certain, path, line, endLine: line, name })
      continue
    }
    if (!(await isRequired(scene.head, ends.member, ends.container))) continue
    for (const subtype of await subtypesOf(scene.head, scene.headSnapshot, ends.container, scene.kinds)) {
      if (!(await lacks(scene, subtype, ends.member))) continue
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
  { base, head, change }: Scene,
  { path, symbol }: NonNullable<SymbolChange['after']>,
): Promise<{ member: Definition; container: Definition } | null> {
  const names = symbol.scope.split('.')
  const name = names.pop() ?? ''
  const facts = await head.facts(path)
  const container =
    facts && symbolsIn(path, facts, names.join('.'), name).find((type) => isType(symbolOf(type)))
  const member = facts && symbolsIn(path, facts, symbol.scope, symbol.name)[0]
  if (!container || !member) return null
  const file = change.files.find((candidate) => candidate.path === path)
  const oldPath = file?.oldPath ?? path
  const before = await base.facts(oldPath)
  return before && symbolsIn(oldPath, before, names.join('.'), name).length > 0 ? { member, container } : null
}

async function lacks({ head }: Scene, { definition }: Subtype, member: Definition): Promise<boolean> {
  const { facts, index } = definition
  const { name } = symbolOf(member)
  if (symbolOf(definition).kind === 'impl')
    return !facts.parents.some((parent, at) => parent === index && facts.symbols[at]?.name === name)
  if (!(await mustFulfil(head, definition))) return false
  const language = languageOf(facts.language)
  if (!language) return false
  const meaning = await typeMember(language, head, [definition], name, true)
  return meaning.kind === 'defined' && meaning.definitions.every((found) => keyOf(found) === keyOf(member))
}
