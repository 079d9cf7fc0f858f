/** Does a call fit the parameters of what it calls? By number and names, not by types; null wherever the text cannot tell. */

import { count } from '../../base/count.ts'
import { oncePer, remembered } from '../../base/remembered.ts'
import type { CodeSymbol, Parameter } from '../../domain/code-symbol.ts'
import type { CallShape, Reference } from '../contract.ts'
import type { Definition, Language, Meaning, World } from './contract.ts'
import { completeResolverOf } from './languages/registry.ts'
import { linesOf } from './lines.ts'
import { isType, mostAlike, symbolOf, symbolsIn, typeMember } from './symbols.ts'

type Defined = Extract<Meaning, { kind: 'defined' }>

export type Fit =
  | { fits: true }
  | { fits: false; kind: 'arity' | 'keyword' | 'required'; words: string }
  /** A spread, or unknown parameters. */
  | { fits: null }

/**
 * Where a call runs with any number of arguments (JavaScript, PHP), or where a base type from elsewhere may have further
 * methods of the name.
 */
export const looseLanguages: ReadonlySet<string> = new Set(['javascript', 'csharp', 'kotlin', 'php', 'ruby'])

/** One answer for each definition that the call may run. */
export async function fitsOf(world: World, reference: Reference, meaning: Defined): Promise<Fit[]> {
  const { call, receiver } = reference
  const made = await callables(world, meaning)
  if (!made || !call) return [{ fits: null }]
  if (made === 'nothing to pass') return [matchArguments([], call)]
  // So many are no overloads, and some of them were left out.
  if (made.length >= mostAlike) return [{ fits: null }]
  const isMember = !meaning.definitions.some((definition) => isType(symbolOf(definition)))
  return Promise.all(
    made.map(async (definition): Promise<Fit> => {
      const { kind, scope, signature } = symbolOf(definition)
      const { language } = definition.facts
      if (looseLanguages.has(language) || (kind !== 'function' && kind !== 'method')) return { fits: null }
      const shape = await parameterStyle(world, definition)
      const throughType = isMember && receiver !== null && !meaning.bound
      // A method expression of Go takes its receiver first.
      if (shape === 'unknown' || (language === 'go' && scope !== '' && throughType)) return { fits: null }
      if (language === 'java' && (await mayHaveOverloads(world, definition))) return { fits: null }
      const unbound = shape === 'method' && throughType
      const passed = unbound ? { ...call, positional: Math.max(0, call.positional - 1) } : call
      const fit = fitOf(signature.parameters, passed)
      return fit.fits === false && mayOmit(definition, passed) ? { fits: null } : fit
    }),
  )
}

/** What a call of these definitions runs: themselves, or the constructor of a type, its own or inherited; null if unknown. */
export async function callables(
  world: World,
  { definitions }: Defined,
): Promise<readonly Definition[] | 'nothing to pass' | null> {
  const [type] = definitions.filter((definition) => isType(symbolOf(definition)))
  if (!type) return definitions
  const language = completeResolverOf(type.facts.language)
  const name = language?.constructorName(symbolOf(type)) ?? null
  if (!language || name === null) return null
  if (type.facts.language === 'python' && (await isMadeOtherwise(language, world, type))) return null
  const made = await typeMember(language, world, [type], name, true)
  if (made.kind === 'missing' && language.implicitConstructor) return 'nothing to pass'
  return made.kind === 'defined' ? made.definitions : null
}

/** A decorator, a metaclass or `__new__` may take other arguments than `__init__`. */
async function isMadeOtherwise(language: Language, world: World, type: Definition): Promise<boolean> {
  const { startLine, nameLine, signature } = symbolOf(type)
  if (startLine < nameLine || /\bmetaclass\s*=/.test(signature.text)) return true
  return (await typeMember(language, world, [type], '__new__', true)).kind === 'defined'
}

/** Java: a base type from elsewhere may have further methods of the name. */
async function mayHaveOverloads(world: World, definition: Definition): Promise<boolean> {
  const language = completeResolverOf(definition.facts.language)
  const { scope } = symbolOf(definition)
  const names = scope.split('.')
  const name = names.pop() ?? ''
  const { path, facts } = definition
  let level: readonly Definition[] = symbolsIn(path, facts, names.join('.'), name)
  for (let depth = 0; language && level.length > 0 && depth < deepestTypes; depth++) {
    const bases = await Promise.all(level.map((type) => language.baseTypes(world, type)))
    if (bases.some(({ open }) => open)) return true
    level = bases.flatMap(({ types }) => types)
  }
  return false
}

const deepestTypes = 20

/** TypeScript: an argument of type `void`, which a type parameter may stand for, can be left out. */
function mayOmit({ facts, index }: Definition, { positional }: CallShape): boolean {
  if (facts.language !== 'typescript' && facts.language !== 'tsx') return false
  const parameters = facts.symbols[index]?.signature.parameters ?? []
  const absent = parameters.slice(positional).filter(({ optional }) => !optional)
  return (
    absent.length > 0 &&
    absent.every(
      ({ type }) =>
        type !== null && /\bvoid\b|^[A-Z][A-Z\d]?$|^T[A-Z]\w*$|^[A-Z]\w*(?:Type|Arg|Args)$/.test(type),
    )
  )
}

/** Decorators that leave the parameters as written. */
const harmless =
  /^@(?:[\w.]*\.)?(?:abstractmethod|override|overload|deprecated|final|cache|lru_cache|contextmanager|asynccontextmanager|no_type_check)\b/

/** `method`: takes its receiver first. `plain`: parameters as written. `unknown`: wrapped, or of a declared type. */
export async function parameterStyle(
  world: World,
  definition: Definition,
): Promise<'method' | 'plain' | 'unknown'> {
  const symbol = symbolOf(definition)
  const { language } = definition.facts
  if (language === 'rust')
    return /\(\s*(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?self\b/.test(symbol.signature.text) ? 'method' : 'plain'
  if (language === 'typescript' || language === 'tsx')
    return hasWrittenType(symbol) || isGetter(symbol) ? 'unknown' : 'plain'
  if (language !== 'python') return 'plain'
  const text = (await world.text(definition.path)) ?? ''
  const decorators = linesOf(definition.facts, text)
    .between(symbol.startLine, symbol.nameLine + 1)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('@'))
  if (decorators.some((line) => /^@(?:staticmethod|classmethod)\b/.test(line)))
    return decorators.every((line) => /^@(?:staticmethod|classmethod)\b/.test(line) || harmless.test(line))
      ? 'plain'
      : 'unknown'
  if (!decorators.every((line) => harmless.test(line))) return 'unknown'
  return symbol.kind === 'method' ? 'method' : 'plain'
}

/** `fetch: (a?: A) => B = (a) => …`: callers see the declared type; the function behind it has other parameters. */
function hasWrittenType({ name, signature }: CodeSymbol): boolean {
  const beforeParameters = signature.text.slice(0, Math.max(0, signature.text.indexOf('(')))
  const afterName = beforeParameters.slice(beforeParameters.indexOf(name) + name.length)
  return beforeParameters.includes(name) && /^\s*(?:[?!]\s*)?:/.test(afterName)
}

/** `get size() { … }`: what is called is its value. */
function isGetter({ kind, signature }: CodeSymbol): boolean {
  return kind === 'method' && /^(?:\w+\s+){0,4}get\s+[\w$#[]/.test(signature.text)
}

/** Calls of one function mostly pass as many arguments, so each way of calling it is matched once. */
function fitOf(parameters: readonly Parameter[] | null, call: CallShape): Fit {
  if (parameters === null) return { fits: null }
  const key = `${call.positional} ${call.spread} ${call.keywords.join(' ')}`
  return remembered(matched(parameters), key, () => matchArguments(parameters, call))
}

const matched = oncePer((_: readonly Parameter[]) => new Map<string, Fit>())

export function matchArguments(parameters: readonly Parameter[] | null, call: CallShape): Fit {
  if (parameters === null || call.spread) return { fits: null }
  const named = parameters.filter((parameter) => !parameter.variadic)
  const positional = named.filter((parameter) => !parameter.keywordOnly)
  const anyNumber = parameters.some((parameter) => parameter.variadic && !isKeywordBag(parameter))
  const anyKeyword = parameters.some(isKeywordBag)

  const byPosition = new Set(positional.slice(0, call.positional))
  const keywords = new Set(call.keywords)
  const names = new Set(named.map(({ name }) => name))
  const unknown = call.keywords.filter((keyword) => !names.has(keyword))
  const [stranger] = unknown
  if (stranger !== undefined && !anyKeyword)
    return { fits: false, kind: 'keyword', words: `passes \`${stranger}\`, which it does not take` }
  if (call.positional > positional.length && !anyNumber)
    return {
      fits: false,
      kind: 'arity',
      words: `passes ${count(call.positional, 'argument')}, it takes ${takes(parameters)}`,
    }
  const twice = [...byPosition].find((parameter) => keywords.has(parameter.name))
  if (twice) return { fits: false, kind: 'arity', words: `passes \`${twice.name}\` twice` }
  const absent = named.filter(
    (parameter) => !parameter.optional && !byPosition.has(parameter) && !keywords.has(parameter.name),
  )
  const [first] = absent
  if (!first) return { fits: true }
  return call.keywords.length > 0 || first.keywordOnly
    ? { fits: false, kind: 'required', words: `does not pass \`${first.name}\`` }
    : {
        fits: false,
        kind: 'arity',
        words: `passes ${count(call.positional, 'argument')}, it takes ${takes(parameters)}`,
      }
}

/** `2`, `1 to 3`, `at least 1`. */
export function takes(parameters: readonly Parameter[]): string {
  const plain = parameters.filter((parameter) => !parameter.variadic)
  const required = plain.filter((parameter) => !parameter.optional).length
  if (parameters.some((parameter) => parameter.variadic)) return `at least ${required}`
  return required === plain.length ? `${required}` : `${required} to ${plain.length}`
}

function isKeywordBag(parameter: Parameter): boolean {
  return parameter.variadic && (parameter.keywordOnly || parameter.name.startsWith('**'))
}
