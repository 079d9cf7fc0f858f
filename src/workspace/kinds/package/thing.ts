/** A definition as its users see it: how it is called, and its public members, inherited ones among them. */

import type { Definition, Language, Meaning, World } from '../../../code-index/resolve/contract.ts'
import { callables, looseLanguages, parameterStyle } from '../../../code-index/resolve/fit-call.ts'
import {
  basesOf,
  fullName,
  isType,
  symbolOf,
  symbolsIn,
  symbolsWithin,
} from '../../../code-index/resolve/symbols.ts'
import type { CodeSymbol, Parameter } from '../../../domain/code-symbol.ts'
import type { Thing } from './contract.ts'

type Defined = Extract<Meaning, { kind: 'defined' }>

/** Base types beyond this many are not read; the type then counts as open. */
const mostBases = 30
const mostMembers = 500

export async function thingOf(language: Language, world: World, meaning: Defined): Promise<Thing | null> {
  const [first] = meaning.definitions
  if (!first) return null
  const symbol = symbolOf(first)
  const base = plainThing(first.path, symbol)
  if (symbol.kind === 'function' || symbol.kind === 'method')
    return { ...base, parameters: await parametersOf(world, meaning.definitions) }
  if (!isType(symbol, first.facts)) return { ...base, isOpen: symbol.kind !== 'module' }
  const made = await callables(world, meaning)
  const { members, isOpen } = await membersOf(language, world, meaning.definitions)
  return {
    ...base,
    parameters: made === 'nothing to pass' ? [] : made === null ? null : await parametersOf(world, made),
    members,
    isOpen,
  }
}

/** Without its members. `parameters`: null where a call cannot be compared with them. */
export function plainThing(path: string, symbol: CodeSymbol, parameters: Thing['parameters'] = null): Thing {
  const { signature, kind, name, nameLine, endLine, bodyHash } = symbol
  return {
    path,
    line: nameLine,
    endLine,
    name,
    kind,
    parameters,
    returns: signature.returnType,
    isAsync: /^(?:\w+\s+){0,4}async\b|=\s*async\b/.test(signature.text),
    body: isTellingBody(symbol) ? `${kind} ${bodyHash}` : null,
    members: [],
    isOpen: false,
  }
}

const emptyBodies: ReadonlySet<string> = new Set(['e3b0c44298fc1c14', 'b54d15939ca26098'])

/** One line is alike by chance, unless it is all of a function. */
function isTellingBody({ nameLine, endLine, kind, bodyHash }: CodeSymbol): boolean {
  if (emptyBodies.has(bodyHash)) return false
  return endLine > nameLine || kind === 'function' || kind === 'method'
}

/** Null unless there is one way to call it, and the language counts what is passed. */
async function parametersOf(
  world: World,
  definitions: readonly Definition[],
): Promise<readonly Parameter[] | null> {
  const [only, ...others] = definitions
  if (!only || others.length > 0 || looseLanguages.has(only.facts.language)) return null
  const style = await parameterStyle(world, only)
  return style === 'unknown' ? null : symbolOf(only).signature.parameters
}

async function membersOf(
  language: Language,
  world: World,
  types: readonly Definition[],
): Promise<Pick<Thing, 'members' | 'isOpen'>> {
  const found = new Map<string, Definition[]>()
  const seen = new Set<string>()
  let isOpen = false
  for (let level = types; level.length > 0; ) {
    const next: Definition[] = []
    const here = new Map<string, Definition[]>()
    // A field that is declared private and written in a method is private.
    const hidden = new Set<string>()
    for (const type of level) {
      const key = `${type.path}\n${type.index}`
      if (seen.has(key)) continue
      seen.add(key)
      for (const index of symbolsWithin(type.facts, type.index)) {
        const member = { path: type.path, facts: type.facts, index }
        const { name } = symbolOf(member)
        if (!isPublic(symbolOf(member))) hidden.add(name)
        else if (!found.has(name)) here.set(name, [...(here.get(name) ?? []), member])
      }
      const bases = await language.baseTypes(world, type)
      isOpen ||= bases.open && !hasPlainBases(type)
      next.push(...bases.types)
    }
    for (const [name, members] of here) if (!hidden.has(name)) found.set(name, members)
    level = next
    isOpen ||= seen.size > mostBases || found.size > mostMembers
    if (seen.size > mostBases || found.size > mostMembers) break
  }
  const members: Thing[] = []
  for (const definitions of found.values()) {
    const [first] = definitions
    if (!first) continue
    const isCalled = symbolOf(first).kind === 'method' || symbolOf(first).kind === 'function'
    const parameters = isCalled ? await parametersOf(world, definitions) : null
    members.push(plainThing(first.path, symbolOf(first), parameters))
  }
  return { members, isOpen }
}

/** Base classes of Python whose own members are called otherwise than those that people add. */
const plainBases =
  /^(?:ABC|Generic|Protocol|object|(?:Int|Str)?Enum|(?:Int)?Flag|NamedTuple|TypedDict|BaseModel|BaseSettings|\w*Error|\w*Exception)$/

function hasPlainBases(type: Definition): boolean {
  if (type.facts.language !== 'python') return false
  const { path, facts } = type
  if (symbolsIn(path, facts, fullName(symbolOf(type)), '__getattr__').length > 0) return false
  return basesOf(type).every(({ name }) => plainBases.test(name.replace(/^.*\./, '')))
}

function isPublic({ name, visibility, isTest }: CodeSymbol): boolean {
  return visibility === 'exported' && !isTest && !/^[_#]/.test(name) && name !== 'constructor'
}
