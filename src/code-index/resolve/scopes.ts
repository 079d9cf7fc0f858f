/** Lexical scopes that languages share: definitions inside the functions around a place. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { oncePer, remembered } from '../../base/remembered.ts'
import type { CodeSymbol } from '../../domain/code-symbol.ts'
import type { FileFacts } from '../contract.ts'
import type { Definition, Language, UseSite, World } from './contract.ts'
import { initialiserAt } from './initialiser.ts'
import { linesOf } from './lines.ts'
import { namedType } from './receiver.ts'
import { around, basesOf, fullName, referencesAt, symbolOf, symbolsIn } from './symbols.ts'

/** Definitions of the name in the functions around, innermost first; members of types and of objects need a receiver. */
export function nestedDefinitions(facts: FileFacts | null, place: UseSite, word: string): Definition[] {
  if (!facts) return []
  for (const index of around(place)) {
    const symbol = place.facts.symbols[index]
    if (symbol?.kind !== 'function' && symbol?.kind !== 'method') continue
    const inner = namesWithin(symbol, facts, place.path, word)
    if (inner.length > 0) return inner
  }
  return []
}

/** A method right inside a function is of an object that is written there. */
function namesWithin(around: CodeSymbol, facts: FileFacts, path: string, word: string): Definition[] {
  return symbolsIn(path, facts, fullName(around), word).filter((one) => symbolOf(one).kind !== 'method')
}

/**
 * What a name that is local on this line was defined as: a function or type inside one of the functions around. None
 * when something nearer has the name: a parameter of a function in between, or what is assigned in it.
 */
export function localDefinitions(
  facts: FileFacts | null,
  place: UseSite,
  word: string,
  line: number,
): Definition[] {
  if (!facts || place.text === null) return []
  for (const index of around(place)) {
    const symbol = place.facts.symbols[index]
    if (symbol?.kind !== 'function' && symbol?.kind !== 'method') continue
    if (symbol.signature.parameters?.some((parameter) => parameter.name === word)) return []
    const inner = namesWithin(symbol, facts, place.path, word)
    const own = new Set(inner.map((one) => symbolOf(one).nameLine))
    const given = linesGiving(place.facts, place.text, index, word)
    if (given.some((at) => at <= line && !own.has(at))) return []
    if (inner.length > 0) return inner
  }
  return []
}

/** The lines of a function that give this name something, ascending. Each use in it asks for the same. */
function linesGiving(facts: FileFacts, text: string, index: number, word: string): readonly number[] {
  return remembered(giving(facts), `${index} ${word}`, () => {
    const lines = linesOf(facts, text)
    const { startLine = 1, endLine = 0 } = facts.symbols[index] ?? {}
    return lines
      .naming(word, startLine, endLine)
      .filter((at) => initialiserAt(lines, facts.language, word, at) !== null)
  })
}

const giving = oncePer((_: FileFacts) => new Map<string, readonly number[]>())

/** The types whose bases are being looked up by the question at hand. */
const asking = new AsyncLocalStorage<ReadonlySet<string>>()

/**
 * The base types as written at the type, and whether one of them is not from here. The name of a base may have to be looked
 * for among the members of the type itself, as with `using static` of it: what leads back to it is left open.
 */
export async function writtenBases(
  language: Language,
  world: World,
  type: Definition,
  known: ReadonlySet<string>,
): Promise<{ types: Definition[]; open: boolean }> {
  const key = `${type.path}\n${type.index}`
  const around = asking.getStore()
  if (around?.has(key)) return { types: [], open: true }
  return asking.run(new Set(around).add(key), () => namedBases(language, world, type, known))
}

async function namedBases(
  language: Language,
  world: World,
  { facts, path, index }: Definition,
  known: ReadonlySet<string>,
): Promise<{ types: Definition[]; open: boolean }> {
  let open = false
  const types: Definition[] = []
  const place = { facts, path, enclosing: facts.parents[index] ?? null, text: null }
  for (const { name, line } of basesOf({ facts, path, index })) {
    if (known.has(name)) continue
    const written = referencesAt(facts, line).find(
      (reference) => reference.role === 'extends' && reference.name === name,
    )
    const found = await namedType(
      language,
      world,
      place,
      written?.receiver ? `${written.receiver}.${name}` : name,
    )
    types.push(...found)
    open ||= found.length === 0
  }
  return { types, open }
}
