/** What comes before the dot: an object of a known type, a type itself, or a module. */
import { itemsBy } from '../../base/grouped.ts'
import type { TypedName } from '../contract.ts'
import { baseType } from '../extraction/typed-names.ts'
import type { Definition, Language, Meaning, Module, UseSite, World } from './contract.ts'
import { firstResult, initialiserAt, isGivenAgain, localInitialiser } from './initialiser.ts'
import { linesOf } from './lines.ts'
import { isLocal, localType } from './local-types.ts'
import {
  around,
  defined,
  enclosingType,
  functionAt,
  isType,
  symbolOf,
  symbolsIn,
  symbolsWithin,
  typeMember,
} from './symbols.ts'

export type Value =
  | { kind: 'instance' | 'type'; types: readonly Definition[] }
  | { kind: 'module'; module: Module }
  | { kind: 'missing'; meaning: Extract<Meaning, { kind: 'missing' }> }
  /** `foreign`: the written name of a type that is not from here. */
  | { kind: 'unknown'; why: string; foreign?: string }

/** `line`: where the receiver is, to tell a local of the same name from the global one. */
type ResolveScope = { language: Language; world: World; place: UseSite; line: number; depth?: number }

/** A variable made of a variable made of a variable: past this it is not followed. */
const deepest = 4

export async function resolveReceiver(scope: ResolveScope, text: string, unwrapped = false): Promise<Value> {
  const steps = readReceiver(text)
  const [first, ...rest] = steps ?? []
  if (!first) return blank('the receiver is an expression')
  let value = await firstValue(scope, first, unwrapped)
  for (const step of rest) {
    if (value.kind === 'unknown' || value.kind === 'missing') return value
    if (step.name === scope.language.maker && value.kind === 'type') {
      value = { kind: 'instance', types: value.types }
      continue
    }
    const meaning = await memberOf(scope.language, scope.world, scope.place, value, step.name)
    value = await heldValue(scope, step, meaning, unwrapped, value)
  }
  return value
}

/** The type a written name stands for: `Foo`, `a.Foo`, `a::b::Foo`. */
export async function namedType(
  language: Language,
  world: World,
  place: UseSite,
  text: string,
): Promise<readonly Definition[]> {
  const [first, ...rest] = text.split(/\.|::/)
  if (first === undefined) return []
  const word = language.selfWords[first]
  const scope = { language, world, place, line: 0 }
  let value = word ? await ownValue(scope, word) : asValue(await language.name(world, place, first))
  for (const name of rest) {
    if (value.kind !== 'module' && value.kind !== 'type') return []
    value = asValue(await memberOf(language, world, place, value, name))
  }
  return value.kind === 'type' || value.kind === 'instance' ? value.types : []
}

/** A name behind a value: a member of its type, or of the module. */
export async function memberOf(
  language: Language,
  world: World,
  place: UseSite,
  value: Value,
  name: string,
): Promise<Meaning> {
  if (value.kind === 'missing') return value.meaning
  if (value.kind === 'module') return language.moduleMember(world, value.module, name, place)
  if (value.kind === 'unknown') {
    if (value.foreign === undefined || !language.extension) return value
    const extensions = await language.extension(world, place, value.foreign, name)
    return extensions.length > 0 ? defined(extensions, { how: 'receiver type', bound: true }) : value
  }
  const member = await typeMember(language, world, value.types, name, value.kind === 'instance')
  if (member.kind === 'defined' || value.kind === 'type' || !language.extension) return member
  const extensions = await language.extension(world, place, value.types, name)
  return extensions.length > 0 ? defined(extensions, { how: 'receiver type', bound: true }) : member
}

async function firstValue(scope: ResolveScope, step: Step, unwrapped: boolean): Promise<Value> {
  const { language, world, place, line } = scope
  const word = language.selfWords[step.name]
  if (word) {
    const own = await ownValue(scope, word)
    // `cls(…)` makes one.
    const makes = step.called && word === 'type' && language.callMakes && own.kind === 'type'
    return makes ? { kind: 'instance', types: own.types } : own
  }
  if (!step.called) {
    const written = localType(language, place, step.name, line)
    if (written === 'conflict') return blank('the name has several types here')
    if (written !== null && !isGivenAgain(place, step.name, written.line, line))
      return typedValue(language, world, place, written.type)
    if (written !== null) return localValue(scope, step.name)
    const hinted = language.hintedLocal?.(place, step.name, line)
    if (hinted) return typedValue(language, world, place, hinted)
    if (isLocal(place, step.name, line)) return localValue(scope, step.name)
  }
  return heldValue(scope, step, await language.name(world, place, step.name), unwrapped)
}

/** A local without a written type: of the type of what it was given. */
async function localValue(scope: ResolveScope, name: string): Promise<Value> {
  const { place, line, depth = 0 } = scope
  const [inner] = around(place).map((index) => place.facts.symbols[index])
  const from = inner?.startLine ?? 1
  const given =
    place.text && depth < deepest ? localInitialiser(place.text, place.facts, name, line, from) : null
  if (!given || given.expression === name) return blank('a local of unknown type')
  return resolveReceiver({ ...scope, line: given.line, depth: depth + 1 }, given.expression, given.unwrapped)
}

/** From a meaning to what it holds: a variable's or field's type, what a call returns, what `new` makes. */
async function heldValue(
  scope: ResolveScope,
  step: Step,
  meaning: Meaning,
  unwrapped: boolean,
  receiver: Value | null = null,
): Promise<Value> {
  const { language, world } = scope
  const value = asValue(meaning)
  if (value.kind === 'type') {
    if (step.made || (step.called && language.callMakes)) return { kind: 'instance', types: value.types }
    return step.called ? blank('the call of a type') : value
  }
  if (meaning.kind !== 'defined' || value.kind !== 'unknown') return value
  const { definitions } = meaning
  const definition = definitions.find((one) => isCallable(one) === step.called) ?? definitions[0]
  if (!definition) return value
  const symbol = symbolOf(definition)
  const { path, facts, index } = definition
  const there: UseSite = {
    path,
    facts,
    enclosing: facts.parents[index] ?? null,
    text: await world.text(path),
  }
  const returned = symbol.signature.returnType
  if (step.called) {
    const type =
      (returned && baseType(firstResult(returned, facts.language, unwrapped))) ||
      (await language.hintedType?.(world, definition))
    if (receiver?.kind === 'instance' && type && ownTypes.has(type)) return receiver
    return type ? typedValue(language, world, there, type) : blank('what it returns is not written')
  }
  if (symbol.kind === 'enumerator') {
    const holder = facts.parents[index] ?? null
    return holder === null
      ? blank('a bare value')
      : { kind: 'instance', types: [{ path, facts, index: holder }] }
  }
  const written = fieldType(definition) ?? (await language.hintedType?.(world, definition))
  if (written) return typedValue(language, world, there, written)
  if (symbolsWithin(facts, index).length > 0 && symbol.kind !== 'function' && symbol.kind !== 'method')
    return { kind: 'type', types: [definition] }
  return givenValue(scope, there, definition)
}

/** A function that says it returns one of these returns something of the type it is called on. */
const ownTypes: ReadonlySet<string> = new Set(['this', 'static'])

function isCallable(definition: Definition): boolean {
  const { kind } = symbolOf(definition)
  return kind === 'function' || kind === 'method'
}

/** A field or global without a written type: of the type of what comes after its `=`. */
async function givenValue(scope: ResolveScope, there: UseSite, { facts, index }: Definition): Promise<Value> {
  const { depth = 0 } = scope
  const symbol = facts.symbols[index]
  if (!symbol || !there.text || depth >= deepest) return blank('its type is not written')
  const given = initialiserAt(linesOf(facts, there.text), facts.language, symbol.name, symbol.nameLine)
  if (!given || given === 'unclear') return blank('its type is not written')
  const place = { ...there, enclosing: functionAt(facts, given.line) ?? there.enclosing }
  return resolveReceiver(
    { ...scope, place, line: given.line, depth: depth + 1 },
    given.expression,
    given.unwrapped,
  )
}

async function typedValue(language: Language, world: World, place: UseSite, written: string): Promise<Value> {
  const types = await namedType(language, world, place, written)
  return types.length > 0
    ? { kind: 'instance', types }
    : { ...blank(`the type ${written} is not from here`), foreign: written }
}

function asValue(meaning: Meaning): Value {
  if (meaning.kind === 'module') return { kind: 'module', module: meaning.module }
  if (meaning.kind === 'missing') return { kind: 'missing', meaning }
  if (meaning.kind === 'unknown') return meaning
  const types = meaning.definitions.filter((definition) => isType(symbolOf(definition), definition.facts))
  return types.length > 0 ? { kind: 'type', types } : blank('not a type')
}

async function ownValue(
  { language, world, place }: ResolveScope,
  written: 'instance' | 'type' | 'super',
): Promise<Value> {
  const word = written === 'instance' && language.selfAt ? await language.selfAt(world, place) : written
  if (word === null) return blank('a block that is run on another object')
  const index = enclosingType(place)
  const symbol = index === null ? undefined : place.facts.symbols[index]
  const facts = await world.facts(place.path)
  if (!symbol && word === 'instance') {
    const elsewhere = (await language.typesAround?.(world, place)) ?? []
    return elsewhere.length > 0 ? { kind: 'instance', types: elsewhere } : blank('no type around')
  }
  if (!symbol || !facts) return blank('no type around')
  // An impl block is named by its type, which may be in another file.
  const here = symbolsIn(place.path, facts, symbol.scope, symbol.name)
  const types =
    here.length > 0 || symbol.kind !== 'impl'
      ? here
      : await namedType(language, world, { ...place, enclosing: null }, symbol.name)
  if (types.length === 0) return blank('the type around is new')
  if (word !== 'super') return { kind: word, types }
  const bases = await Promise.all(types.map((type) => language.baseTypes(world, type)))
  const all = bases.flatMap((base) => base.types)
  return (!language.asksKnownBases && bases.some((base) => base.open)) || all.length === 0
    ? blank('a base type is not from here')
    : { kind: 'instance', types: all }
}

const typedName = ({ name }: TypedName): string | undefined => name

function fieldType({ facts, index }: Definition): string | null {
  const symbol = facts.symbols[index]
  const typed = itemsBy(facts.typedNames, typedName, symbol?.name).find(
    ({ enclosing, line }) => enclosing === (facts.parents[index] ?? null) && line >= (symbol?.startLine ?? 0),
  )
  return typed?.type ?? null
}

function blank(why: string): Extract<Value, { kind: 'unknown' }> {
  return { kind: 'unknown', why }
}

/** Splits the text before the last dot (`new Foo(x).bar`, `a::b`, `this.items`) into steps; null when it is not plain. */
type Step = { name: string; called: boolean; made: boolean }

const longest = 119

export function readReceiver(text: string): Step[] | null {
  // The extraction cuts receivers at 120 characters: such a one may lack its end.
  if (text.length > longest) return null
  const made = text.startsWith('new ')
  const parts = splitPath(withoutTypeArguments(made ? text.slice(4) : text))
  if (!parts) return null
  const steps: Step[] = []
  for (const part of parts) {
    const match = /^(@{0,2}[A-Za-z_$][\w$]*[?!]?)(\(.*\))?$/s.exec(part)
    if (!match) return null
    steps.push({ name: match[1] ?? '', called: match[2] !== undefined, made: false })
  }
  if (!made) return steps
  // Of `new a.Foo().b()` the first call is what `new` belongs to.
  const maker = steps.findIndex((step) => step.called)
  const step = steps[maker]
  if (!step) return null
  step.made = true
  return steps
}

/** `a.get<B<C>>(x)` → `a.get(x)`. */
function withoutTypeArguments(text: string): string {
  let bare = text
  for (let round = 0; round < 4 && bare.includes('>('); round++)
    bare = bare.replace(/(?<=\w)<[\w\s,.?[\]]{1,100}>(?=[(>,])/g, '')
  return bare
}

/** Splits at dots, double colons and arrows outside parentheses; null when brackets or quotes are outside of them. */
function splitPath(text: string): string[] | null {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '(') depth++
    if (character === ')') depth--
    if (depth < 0) return null
    const isTwo = text.startsWith('::', at) || text.startsWith('->', at)
    if (depth === 0 && (character === '.' || isTwo)) {
      parts.push(part)
      part = ''
      if (isTwo) at++
    } else part += character
  }
  return depth === 0 ? [...parts, part] : null
}
