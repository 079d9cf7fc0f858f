/** The two questions others ask: what does this reference, or this import, mean in that tree? */
import type { ImportFact, Reference } from '../contract.ts'
import type { Language, Meaning, UseSite, World } from './contract.ts'
import { resolverOf } from './languages/registry.ts'
import { memberOf, resolveReceiver } from './receiver.ts'
import { localDefinitions } from './scopes.ts'
import { defined, unknown } from './symbols.ts'

/**
 * `place.facts` may come from another tree than `world`: the file is then read as if it stood in `world`, with its
 * own imports and scopes, and everything else taken from there.
 */
export async function resolveReference(world: World, place: UseSite, reference: Reference): Promise<Meaning> {
  const language = resolverOf(place.facts.language)
  if (!language) return unknown('no resolver for this language')
  return referenceIn(language, world, { ...place, enclosing: reference.enclosing }, reference)
}

/** The references to one name in one file: what is alike in one place is looked up once. In their order. */
export async function resolveAll(
  world: World,
  place: UseSite,
  references: readonly Reference[],
): Promise<readonly Meaning[]> {
  const language = resolverOf(place.facts.language)
  const bare = new Map<number | null, Meaning>()
  const meanings: Meaning[] = []
  for (const reference of references) {
    const isBare =
      reference.receiver === null && !reference.shadowed && reference.role !== 'property' && !language?.narrow
    const known = isBare ? bare.get(reference.enclosing) : undefined
    const meaning = known ?? (await resolveReference(world, place, reference))
    if (isBare) bare.set(reference.enclosing, meaning)
    meanings.push(meaning)
  }
  return meanings
}

export async function resolveImport(world: World, place: UseSite, fact: ImportFact): Promise<Meaning> {
  const language = resolverOf(place.facts.language)
  return language ? language.imported(world, place, fact) : unknown('no resolver for this language')
}

/** As `resolveImport`, of a name that the file calls or hands on, which may stand for a whole module. */
export async function resolveImportedValue(world: World, place: UseSite, fact: ImportFact): Promise<Meaning> {
  const language = resolverOf(place.facts.language)
  const meaning = await resolveImport(world, place, fact)
  return language ? wholeOf(language, world, meaning) : meaning
}

async function wholeOf(language: Language, world: World, meaning: Meaning): Promise<Meaning> {
  if (meaning.kind !== 'module') return meaning
  return (await language.wholeModule?.(world, meaning.module, meaning.hops)) ?? meaning
}

async function referenceIn(
  language: Language,
  world: World,
  place: UseSite,
  reference: Reference,
): Promise<Meaning> {
  const doubt = language.doubtOf?.(place, reference)
  if (doubt) return unknown(doubt)
  const meaning = await anyMeaning(language, world, place, reference)
  if (meaning.kind !== 'defined' || !language.narrow) return meaning
  const definitions = language.narrow(place, reference, meaning.definitions)
  return definitions.length > 0 ? { ...meaning, definitions } : unknown('used as something else')
}

async function anyMeaning(
  language: Language,
  world: World,
  place: UseSite,
  reference: Reference,
): Promise<Meaning> {
  const { name, receiver, shadowed, line, role } = reference
  if (receiver === null) {
    if (shadowed) {
      const local = localDefinitions(await world.facts(place.path), place, name, line)
      return local.length > 0 ? defined(local) : unknown('a local of the same name')
    }
    // A key of an object literal or a keyword: it belongs to whatever type is expected there.
    if (role === 'property') {
      const keyed = (await language.keyed?.(world, place, reference)) ?? []
      return keyed.length > 0
        ? defined(keyed, { how: 'receiver type', bound: true })
        : unknown('a property without a receiver')
    }
    return wholeOf(language, world, await language.name(world, place, name))
  }
  const value = await resolveReceiver({ language, world, place, line }, receiver)
  // The receiver itself is missing: that is reported where the receiver's own name is.
  if (value.kind === 'missing') return unknown('the expression before the dot was removed')
  return memberOf(language, world, place, value, name)
}
