/** Calls that fitted the parameters at the base and no longer do at the head: by number and names, not by types. */
import { count } from '../../../base/count.ts'
import type { CallShape, Reference } from '../../../code-index/contract.ts'
import type { Definition, Meaning, World } from '../../../code-index/resolve/contract.ts'
import { completeResolverOf } from '../../../code-index/resolve/languages/registry.ts'
import { isType, symbolOf, symbolsIn, typeMember } from '../../../code-index/resolve/symbols.ts'
import type { CodeSymbol, Parameter } from '../../../domain/code-symbol.ts'
import { type Sides, type SymbolSubject, symbolKey } from './breakage.ts'

type Defined = Extract<Meaning, { kind: 'defined' }>
export type Misfit = { failure: 'arity' | 'keyword' | 'required'; words: string; certain: boolean }

export async function judgeCall(
  reference: Reference,
  { base, head, headPlace }: Sides,
  was: Defined,
  is: Defined,
): Promise<Misfit | null> {
  if (reference.role !== 'call' || !reference.call) return null
  const [before, after] = await Promise.all([fits(base, reference, was), fits(head, reference, is)])
  if (!before.some((answer) => answer.fits === true)) return null
  if (after.length === 0 || after.some((answer) => answer.fits !== false)) return null
  const [first] = after
  if (first?.fits !== false) return null
  // Plain JavaScript runs all the same; whether that is wrong is for its author to say.
  return { failure: first.kind, words: first.words, certain: headPlace.facts.language !== 'javascript' }
}

/** The changed constructor of a type: one that it had at the base, or has now. */
export async function constructorSubject(
  { base, head }: Sides,
  was: Meaning,
  symbols: ReadonlyMap<string, SymbolSubject>,
): Promise<SymbolSubject | null> {
  if (was.kind !== 'defined') return null
  const types = was.definitions.filter((definition) => isType(symbolOf(definition)))
  if (types.length === 0) return null
  const before = await callables(base, was)
  const now = await callables(head, { ...was, definitions: await atHead(head, types) })
  for (const made of [before, now])
    for (const definition of Array.isArray(made) ? made : []) {
      const found = symbols.get(symbolKey(definition.path, symbolOf(definition)))
      if (found) return found
    }
  return null
}

async function atHead(head: World, types: readonly Definition[]): Promise<Definition[]> {
  const found: Definition[] = []
  for (const type of types) {
    const facts = await head.facts(type.path)
    const { scope, name } = symbolOf(type)
    if (facts) found.push(...symbolsIn(type.path, facts, scope, name))
  }
  return found
}

async function fits(world: World, reference: Reference, meaning: Defined): Promise<Fit[]> {
  const called = await callables(world, meaning)
  const { call } = reference
  if (!called || !call) return [{ fits: null }]
  if (called === 'nothing to pass') return [matchArguments([], call)]
  return Promise.all(
    called.map(async (definition): Promise<Fit> => {
      const { kind, signature } = symbolOf(definition)
      if (definition.facts.language === 'javascript') return { fits: null }
      if (kind !== 'function' && kind !== 'method') return { fits: null }
      const shape = await parameterStyle(world, definition)
      if (shape === 'unknown') return { fits: null }
      const unbound = shape === 'method' && reference.receiver !== null && !meaning.bound
      const passed = unbound ? { ...call, positional: Math.max(0, call.positional - 1) } : call
      return matchArguments(signature.parameters, passed)
    }),
  )
}

/** What a call of these definitions runs: themselves, or the constructor of a type, its own or inherited; null if unknown. */
async function callables(
  world: World,
  { definitions }: Defined,
): Promise<readonly Definition[] | 'nothing to pass' | null> {
  const [type] = definitions.filter((definition) => isType(symbolOf(definition)))
  if (!type) return definitions
  const language = completeResolverOf(type.facts.language)
  const name = language?.constructorName(symbolOf(type)) ?? null
  if (!language || name === null) return null
  const made = await typeMember(language, world, [type], name, true)
  if (made.kind === 'missing' && language.implicitConstructor) return 'nothing to pass'
  return made.kind === 'defined' ? made.definitions : null
}

/** Decorators that leave the parameters as written. */
const harmless =
  /^@(?:[\w.]*\.)?(?:abstractmethod|override|overload|deprecated|final|cache|lru_cache|contextmanager|asynccontextmanager|no_type_check)\b/

/** `method`: takes its receiver first. `plain`: parameters as written. `unknown`: wrapped, or of a declared type. */
async function parameterStyle(world: World, definition: Definition): Promise<'method' | 'plain' | 'unknown'> {
  const symbol = symbolOf(definition)
  const { language } = definition.facts
  if (language === 'rust')
    return /\(\s*(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?self\b/.test(symbol.signature.text) ? 'method' : 'plain'
  if (language === 'typescript' || language === 'tsx') return hasWrittenType(symbol) ? 'unknown' : 'plain'
  if (language !== 'python') return 'plain'
  const text = (await world.text(definition.path)) ?? ''
  const lines = text.split('\n', symbol.nameLine).slice(symbol.startLine - 1)
  const decorators = lines.map((line) => line.trim()).filter((line) => line.startsWith('@'))
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

type Fit =
  | { fits: true }
  | { fits: false; kind: 'arity' | 'keyword' | 'required'; words: string }
  /** A spread, or unknown parameters. */
  | { fits: null }

function matchArguments(parameters: readonly Parameter[] | null, call: CallShape): Fit {
  if (parameters === null || call.spread) return { fits: null }
  const named = parameters.filter((parameter) => !parameter.variadic)
  const positional = named.filter((parameter) => !parameter.keywordOnly)
  const anyNumber = parameters.some((parameter) => parameter.variadic && !isKeywordBag(parameter))
  const anyKeyword = parameters.some(isKeywordBag)

  const byPosition = positional.slice(0, call.positional)
  const unknown = call.keywords.filter((keyword) => !named.some((parameter) => parameter.name === keyword))
  const [stranger] = unknown
  if (stranger !== undefined && !anyKeyword)
    return { fits: false, kind: 'keyword', words: `passes \`${stranger}\`, which it does not take` }
  if (call.positional > positional.length && !anyNumber)
    return {
      fits: false,
      kind: 'arity',
      words: `passes ${count(call.positional, 'argument')}, it takes ${takes(parameters)}`,
    }
  const twice = byPosition.find((parameter) => call.keywords.includes(parameter.name))
  if (twice) return { fits: false, kind: 'arity', words: `passes \`${twice.name}\` twice` }
  const absent = named.filter(
    (parameter) =>
      !parameter.optional && !byPosition.includes(parameter) && !call.keywords.includes(parameter.name),
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
