/**
 * What was looked up once in a world need not be looked up again. An answer is kept when it has come, never while it
 * is on its way, so a lookup that leads back to itself does not wait for itself.
 */
import type { Language, World } from './contract.ts'
import { folderOf } from './path-index.ts'

/** Answers kept for one owner in one world; past this all of them are let go. */
const mostKept = 200_000

type Kept = Map<string, Promise<unknown>>

/** `kind` names the type of the answer and `key` everything, besides `owner` and the world, that it depends on. */
export function remembered<T>(
  world: World,
  owner: object,
  kind: string,
  key: string,
  make: () => Promise<T>,
): Promise<T> {
  const kept = keptFor(world, owner)
  const full = `${kind} ${key}`
  const known = kept.get(full)
  // Every caller of one kind makes the same type of value.
  if (known) return known as Promise<T>
  const made = make()
  return made.then((value) => {
    if (kept.size >= mostKept) kept.clear()
    kept.set(full, made)
    return value
  })
}

/** The same language, with the answers to its five questions remembered. */
export function rememberingLanguage(language: Language): Language {
  return {
    ...language,
    name: (world, place, name) =>
      remembered(world, place.facts, 'name', `${place.enclosing} ${name} ${place.path}`, () =>
        language.name(world, place, name),
      ),
    imported: (world, place, fact) =>
      remembered(world, fact, 'import', place.path, () => language.imported(world, place, fact)),
    moduleMember: (world, module, name, from) =>
      // Where several files may be meant, the nearest one is.
      remembered(
        world,
        world,
        'member',
        `${name}\n${module.name}\n${module.path}\n${folderOf(from.path)}`,
        () => language.moduleMember(world, module, name, from),
      ),
    ownMembers: (world, type, name) =>
      remembered(world, type.facts, 'own', `${type.index} ${name} ${type.path}`, () =>
        language.ownMembers(world, type, name),
      ),
    baseTypes: (world, type) =>
      remembered(world, type.facts, 'bases', `${type.index} ${type.path}`, () =>
        language.baseTypes(world, type),
      ),
  }
}

const worlds = new WeakMap<World, WeakMap<object, Kept>>()

function keptFor(world: World, owner: object): Kept {
  let owners = worlds.get(world)
  if (!owners) {
    owners = new WeakMap()
    worlds.set(world, owners)
  }
  let kept = owners.get(owner)
  if (!kept) {
    kept = new Map()
    owners.set(owner, kept)
  }
  return kept
}
