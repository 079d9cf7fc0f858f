/**
 * Whether a use that means something else by its type, or by its scope, may mean the target all the same. Only what an
 * empty answer rests on is asked here: members that implement or override, locals, and parts of one merged type.
 */
import type { CodeSymbol } from '../../domain/code-symbol.ts'
import type { FileFacts, Reference } from '../contract.ts'
import { isScript } from '../language-of.ts'
import type { Definition, Language, Meaning, World } from '../resolve/contract.ts'
import { resolverOf } from '../resolve/languages/registry.ts'
import { linesOf } from '../resolve/lines.ts'
import {
  around,
  basesOf,
  fullName,
  isType,
  referencesAt,
  referencesNamed,
  symbolOf,
  symbolsWithin,
} from '../resolve/symbols.ts'
import { isConstructor, isTypeOf } from './target-names.ts'

/** More types above the target's are not walked. */
const mostTypes = 60

type OtherUse = {
  reference: Reference
  meaning: Meaning
  path: string
  facts: FileFacts
  text: string | null
}

/** Answers null for a use that certainly means something else. What uses of one meaning have in common is asked once. */
export function doubtsAbout(world: World, target: Definition): (use: OtherUse) => Promise<string | null> {
  const known = new Map<string, string | null>()
  let functions: readonly CodeSymbol[] | null = null
  return async ({ reference, meaning, path, facts, text }) => {
    // What a function of the shell calls sees its locals, and a local may begin as the outer one: `local x="$x"`.
    if (reference.shadowed && facts.language === 'bash') return 'a local, which other functions may see'
    if (reference.shadowed && path === target.path) {
      functions ??= functionsHolding(target)
      if (functions.some((one) => one.startLine <= reference.line && reference.line <= one.endLine))
        return 'a local that may be this one'
    }
    if (meaning.kind !== 'defined') return null
    if (meaning.definitions.some((one) => isTypeOf(one, target)) && mayMake(reference, facts, text))
      return 'it names the type, which may be made there'
    for (const one of meaning.definitions) {
      const key = `${one.path}\n${one.index}`
      const why = known.has(key) ? (known.get(key) ?? null) : await whyRelated(world, target, one)
      known.set(key, why)
      if (why !== null) return why
    }
    return null
  }
}

async function whyRelated(world: World, target: Definition, other: Definition): Promise<string | null> {
  const { name } = symbolOf(target)
  const holder = holderOf(other)
  if (holder && (await mayRun(world, target, holder)))
    return `it means \`${fullName(symbolOf(holder))}.${name}\`, which may be this one by the types above it`
  if (isTwin(target, other)) return 'it is declared in one file and written in the other'
  if (isAlternative(target, other))
    return `\`${name}\` is defined in several files, one for each platform or build`
  return isMerged(target, other) ? `another part of \`${name}\` may be declared there` : null
}

/** `a.d.ts` beside `a.js`, `m.pyi` beside `m.py`. */
function isTwin(target: Definition, other: Definition): boolean {
  const stem = (path: string) => path.replace(/(?:\.d)?\.(?:[cm]?[jt]sx?|pyi?)$/, '')
  return target.path !== other.path && stem(target.path) === stem(other.path)
}

/** Definitions of one name in one package, of which a build takes one. */
function isAlternative(target: Definition, other: Definition): boolean {
  const [own, also] = [symbolOf(target), symbolOf(other)]
  if (target.path === other.path || fullName(own) !== fullName(also)) return false
  if (target.facts.language !== other.facts.language) return false
  if (/^(?:c|cpp)$/.test(target.facts.language))
    return own.visibility !== 'private' && also.visibility !== 'private'
  return target.facts.packageName !== null && target.facts.packageName === other.facts.packageName
}

/**
 * In which a local of its name is the target: the function around it, also one that is called at once, since a local is
 * what the uses in it mean, however often it is given a value; and that whose parameter declares it as a field.
 */
function functionsHolding({ path, facts, index }: Definition): CodeSymbol[] {
  const { symbols, parents } = facts
  const { name, nameLine = 0 } = symbols[index] ?? {}
  const parent = parents[index] ?? null
  const holder = around({ path, facts, enclosing: parent, text: null })
    .flatMap((at) => symbols[at] ?? [])
    .find((symbol) => !isType(symbol, facts))
  const declaring = (parent === null ? [] : symbolsWithin(facts, parent))
    .flatMap((at) => symbols[at] ?? [])
    .find(
      ({ startLine, endLine, signature }) =>
        startLine <= nameLine &&
        nameLine <= endLine &&
        signature.parameters?.some((parameter) => parameter.name === name),
    )
  return [holder, declaring].flatMap((one) => one ?? [])
}

/** Whether a use of a type may run a constructor: by a subtype, or by whoever gets the type as a value. */
function mayMake(reference: Reference, facts: FileFacts, text: string | null): boolean {
  const { role, name, line, column } = reference
  if (role === 'extends' || role === 'decorator') return true
  if (text === null) return true
  const written = linesOf(facts, text).at(line)
  const after = written.slice(column + name.length, column + name.length + 40)
  if (role === 'type')
    return /^(?:csharp|kotlin)$/.test(facts.language) && /[<,]\s*$/.test(written.slice(0, column))
  // A member of the type itself makes none, unless it hands on the type.
  return !/^\s*(?:\?\.|\.|::)\s*(?!class\b|java\b|new\b)\w/.test(after)
}

/** A call through an interface, or through a base type, runs the member of the type that it meets. */
async function mayRun(world: World, target: Definition, holder: Definition): Promise<boolean> {
  const language = resolverOf(target.facts.language)
  if (!language || symbolOf(target).scope === '') return false
  if (isStructural(holder)) return true
  const own = holderOf(target)
  if (own && own.path === holder.path && own.index === holder.index) return false
  const place = { path: target.path, facts: target.facts, enclosing: target.index, text: null }
  const types = own ? [own] : ((await language.typesAround?.(world, place)) ?? [])
  if (await isAbove(language, world, types, holder)) return true
  // Who uses the member of a subtype may have meant what it implements.
  return own !== null && isAbove(language, world, [holder], own)
}

/** What a type implements by having its members, said or not. */
function isStructural(holder: Definition): boolean {
  const { kind } = symbolOf(holder)
  return kind === 'interface' || kind === 'type' || basesOf(holder).some(({ name }) => name === 'Protocol')
}

async function isAbove(
  language: Language,
  world: World,
  types: readonly Definition[],
  wanted: Definition,
): Promise<boolean> {
  const seen = new Set<string>()
  const waiting = [...types]
  for (let type = waiting.pop(); type; type = waiting.pop()) {
    const key = `${type.path}\n${type.index}`
    if (seen.has(key)) continue
    seen.add(key)
    if (seen.size > mostTypes) return true
    const bases = (await language.baseTypes(world, type)).types
    if (bases.some(({ path, index }) => path === wanted.path && index === wanted.index)) return true
    waiting.push(...bases)
  }
  return false
}

function holderOf({ path, facts, index }: Definition): Definition | null {
  const parent = facts.parents[index]
  const symbol = parent == null ? undefined : facts.symbols[parent]
  return parent != null && symbol && isHolder(symbol, facts) ? { path, facts, index: parent } : null
}

function isHolder(symbol: ReturnType<typeof symbolOf>, facts: Definition['facts']): boolean {
  return isType(symbol, facts) || symbol.kind === 'impl'
}

/** `declare module './x' { interface Map … }` adds to what the module declares. */
function isMerged(target: Definition, other: Definition): boolean {
  const { name, scope, kind } = symbolOf(target)
  const also = symbolOf(other)
  return (
    isScript(target.facts.language) &&
    (scope !== '' || (isGlobal(target.facts) && isGlobal(other.facts))) &&
    kind === also.kind &&
    name === also.name &&
    isType(also, other.facts)
  )
}

/** A script, which is no module: what it declares is everywhere. */
function isGlobal({ imports, exports }: FileFacts): boolean {
  return imports.length === 0 && exports.length === 0
}

// What is run although nothing names it: by a framework, by the language, through a type that is not here.

/** These say something about a definition, and do not pass it on. */
const plainDecorators =
  /^(?:staticmethod|classmethod|property|setter|abstractmethod|overload|final|dataclass|cache|cached_property|lru_cache|contextmanager|wraps|derive|inline|must_use|allow|cfg|doc|cold|Deprecated|Obsolete|SuppressWarnings|Nullable|NonNull|NotNull|Nonnull|Pure|JvmStatic|JvmOverloads|JvmField|Suppress|OptIn|SafeVarargs|FunctionalInterface|deprecated|tailrec|discardableResult)$/

/** How it may be run without being named in this tree; null when nothing speaks for it. */
export async function whyRunUnnamed(world: World, target: Definition): Promise<string | null> {
  const { facts, index } = target
  const { name, scope, signature, visibility, kind } = symbolOf(target)
  const parent = facts.parents[index] ?? null
  const isMaker = isConstructor(target) && parent !== null
  const decorator = decoratorOf(facts, index) ?? (isMaker ? decoratorOf(facts, parent) : undefined)
  if (/(?:^|\/)__mocks__\//.test(target.path)) return 'a test framework uses it instead of another'
  if (decorator) return `\`${decorator.name}\` marks it, and may hand it on`
  if (isMaker && isMadeWithin(facts, parent)) return 'its own type makes one without naming itself'
  if (isElsewhere(target)) return 'it is declared for another module'
  if (scope === '' || isType(symbolOf(target), facts)) return null
  if (kind !== 'method' && kind !== 'function')
    return visibility === 'private' && !/^(?:python|ruby|javascript)$/.test(facts.language)
      ? null
      : whyUsedAbove(world, target)
  if (/\b(?:override|operator|virtual)\b/.test(signature.text))
    return 'it overrides another, or is an operator'
  if (facts.language === 'python' && /^__\w+__$/.test(name) && name !== '__init__')
    return 'the language calls it'
  if (facts.language === 'go' && visibility === 'exported')
    return 'it may implement an interface of another package'
  return whyUsedAbove(world, target)
}

async function whyUsedAbove(world: World, target: Definition): Promise<string | null> {
  const language = resolverOf(target.facts.language)
  const holder = holderOf(target)
  if (!language || !holder) return null
  return (await isOpenAbove(language, world, holder))
    ? 'a base type is not in this repository, and may use it'
    : null
}

function decoratorOf(facts: FileFacts, index: number): Reference | undefined {
  const { startLine = 1, nameLine = 0 } = facts.symbols[index] ?? {}
  const lines = Array.from({ length: Math.max(0, nameLine - startLine + 1) }, (_, at) => startLine + at)
  return lines
    .flatMap((line) => referencesAt(facts, line))
    .find(
      (one) =>
        one.role === 'decorator' && !plainDecorators.test(one.name) && (one.enclosing ?? index) === index,
    )
}

/** `cls()`, `new static`, `this(1)` of another constructor. */
function isMadeWithin(facts: FileFacts, type: number): boolean {
  const { startLine = 1, endLine = 0 } = facts.symbols[type] ?? {}
  return ownTypeWords.some((word) =>
    referencesNamed(facts, word).some(
      ({ role, line }) => role === 'call' && startLine <= line && line <= endLine,
    ),
  )
}

const ownTypeWords = ['cls', '__class__', 'this', 'self', 'Self', 'static', 'init', 'constructor']

/** `declare module 'x' { … }`, `declare global { … }`. */
function isElsewhere({ path, facts, index }: Definition): boolean {
  return (
    isScript(facts.language) &&
    around({ path, facts, enclosing: facts.parents[index] ?? null, text: null }).some((at) =>
      /^\s*(?:export\s+)?(?:declare\s+)?(?:module\s+['"]|global\b)/.test(
        facts.symbols[at]?.signature.text ?? '',
      ),
    )
  )
}

/** Whether a type above is from somewhere else; a trait that is implemented counts as one above. */
async function isOpenAbove(language: Language, world: World, holder: Definition): Promise<boolean> {
  const seen = new Set<string>()
  const waiting = [holder]
  for (let type = waiting.pop(); type; type = waiting.pop()) {
    const key = `${type.path}\n${type.index}`
    if (seen.has(key)) continue
    seen.add(key)
    const written = basesOf(type)
    if (written.length === 0) continue
    if (symbolOf(type).kind === 'impl' || seen.size > mostTypes) return true
    const bases = await language.baseTypes(world, type)
    if (bases.open || bases.types.length < written.length) return true
    waiting.push(...bases.types)
  }
  return false
}
