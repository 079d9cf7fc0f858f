/**
 * Definitions found by their name anywhere in a tree, for languages whose imports name a package or nothing at all
 * instead of a file.
 */

import type { CodeSymbol } from '../../domain/code-symbol.ts'
import type { FileFacts } from '../contract.ts'
import type { Definition, Language, World } from './contract.ts'
import { basesOf, mostAlike, symbolOf, symbolsNamed } from './symbols.ts'
import { sharedFolders } from './world.ts'

/** A name that more files define says nothing; they are not read. */
const mostFiles = 400

type Wanted = {
  /** Endings of the files of the language, with the dot. */
  endings: readonly string[]
  /** Where the name should be by convention, when the tree cannot be asked. */
  usual: readonly string[]
  accepts(symbol: CodeSymbol, facts: FileFacts): boolean
}

/** In path order. */
export async function definitionsByName(
  world: World,
  name: string,
  { endings, usual, accepts }: Wanted,
): Promise<Definition[]> {
  const named = await world.definers(name)
  const files = (named ?? usual).filter((path) => endings.some((ending) => path.endsWith(ending)))
  if (files.length === 0 || files.length > mostFiles) return []
  const found: Definition[] = []
  for (const [path, facts] of await world.factsOf(files))
    for (const index of symbolsNamed(facts, name).slice(0, mostAlike)) {
      const symbol = facts.symbols[index]
      if (symbol && accepts(symbol, facts)) found.push({ path, facts, index })
    }
  return found
}

/** Of files that may define parts of one thing, those that define both names. Null when that cannot be asked. */
export async function definersOfBoth(
  world: World,
  one: string,
  other: string,
): Promise<readonly string[] | null> {
  const [first, second] = [await world.definers(one), await world.definers(other)]
  if (!first || !second) return null
  const both = new Set(second)
  return first.filter((path) => both.has(path)).slice(0, mostFiles)
}

const asideFolder =
  /(?:^|\/)(?:tests?|specs?|features|fixtures|testing|stubs|samples?|examples?|guides?|docs?|bench(?:marks?)?|[\w.]*\.(?:Tests?|Specs?|Benchmarks?)|\w*[tT]est)\//
const testFile = /(?:_test|_spec|Test|Tests|Spec)\.\w+$|\/test_\w+\.\w+$/

/** Code of tests, samples and benchmarks is not seen from what is shipped. */
export function isAside(path: string): boolean {
  return asideFolder.test(path) || testFile.test(path)
}

/** What a file of tests defines beside them is for itself. */
export function isTestFile(path: string): boolean {
  return testFile.test(path)
}

/**
 * Several definitions of one full name: those in the own file; else those that the asking file can see, the nearest by
 * folders. More than one when equally near.
 */
export function nearestOf(found: readonly Definition[], from: string): Definition[] {
  const here = found.filter(({ path }) => path === from)
  if (here.length > 0) return here
  const aside = isAside(from)
  const seen = aside ? [...found] : found.filter(({ path }) => !isAside(path))
  if (seen.length < 2) return seen
  const shared = seen.map(({ path }) => sharedFolders(path, from))
  const most = Math.max(...shared)
  return seen.filter((_, at) => shared[at] === most)
}

/** Names of base types that are followed from one type. */
const mostNames = 60

/** The names of types and of all they inherit from, as they are written. */
export async function inheritedNames(
  language: Pick<Language, 'baseTypes'>,
  world: World,
  types: readonly Definition[],
): Promise<Set<string>> {
  const names = new Set<string>()
  const waiting = [...types]
  for (let type = waiting.pop(); type && names.size < mostNames; type = waiting.pop()) {
    const { name: own } = symbolOf(type)
    if (names.has(own)) continue
    names.add(own)
    for (const { name: base } of basesOf(type)) names.add(base)
    waiting.push(...(await language.baseTypes(world, type)).types)
  }
  return names
}
