/**
 * Whether a use that means something else by its type, or by its scope, may mean the target all the same. Only what an
 * empty answer rests on is asked here: members that implement or override, locals, and parts of one merged type.
 */
import type { Reference } from '../contract.ts'
import type { Definition, Language, Meaning, World } from '../resolve/contract.ts'
import { resolverOf } from '../resolve/languages/registry.ts'
import { around, basesOf, fullName, isType, referencesAt, symbolOf } from '../resolve/symbols.ts'

/** More types above the target's are not walked. */
const mostTypes = 60

type OtherUse = { reference: Reference; meaning: Meaning; path: string }

/** Answers null for a use that certainly means something else. What uses of one meaning have in common is asked once. */
export function doubtsAbout(world: World, target: Definition): (use: OtherUse) => Promise<string | null> {
  const known = new Map<string, string | null>()
  return async ({ reference, meaning, path }) => {
    const local = whyLocal(target, reference, path) ?? whyShorthand(target, reference)
    if (local !== null || meaning.kind !== 'defined') return local
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
    return `it means \`${fullName(symbolOf(holder))}.${name}\`, which this one may implement or override`
  return isMerged(target, other) ? `another part of \`${name}\` may be declared there` : null
}

/** A local of a function, or of one that is called at once, is what the uses in it mean, however often it is given a value. */
function whyLocal(target: Definition, { shadowed, line }: Reference, path: string): string | null {
  if (!shadowed || path !== target.path) return null
  const { facts, index } = target
  const { symbols, parents } = facts
  const holder = around({ path, facts, enclosing: parents[index] ?? null, text: null })
    .map((at) => symbols[at])
    .find((symbol) => symbol && !isType(symbol, facts))
  return holder && holder.startLine <= line && line <= holder.endLine ? 'a local that may be this one' : null
}

/** `{ width }` makes a member of an interface out of a local of its name. */
function whyShorthand(target: Definition, { shadowed }: Reference): string | null {
  const holder = /script|tsx/.test(target.facts.language) ? holderOf(target) : null
  return shadowed && holder && isStructural(holder) ? 'a local that may become this member' : null
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
  return isAbove(language, world, types, holder)
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
    /script|tsx/.test(target.facts.language) &&
    scope !== '' &&
    kind === also.kind &&
    name === also.name &&
    isType(also, other.facts)
  )
}

// What is run although nothing names it: by a framework, by the language, through a type that is not here.

/** These say something about a definition, and do not pass it on. */
const plainDecorators =
  /^(?:staticmethod|classmethod|property|setter|abstractmethod|overload|final|dataclass|cache|cached_property|lru_cache|contextmanager|wraps|derive|inline|must_use|allow|cfg|doc|cold|Deprecated|Obsolete|SuppressWarnings|Nullable|NonNull|NotNull|Nonnull|Pure|JvmStatic|JvmOverloads|JvmField|Suppress|OptIn|SafeVarargs|FunctionalInterface|deprecated|tailrec|discardableResult)$/

/** How it may be run without being named in this tree; null when nothing speaks for it. */
export async function whyRunUnnamed(world: World, target: Definition): Promise<string | null> {
  const { facts, index } = target
  const { name, scope, startLine, nameLine, signature, visibility, kind } = symbolOf(target)
  const lines = Array.from({ length: nameLine - startLine + 1 }, (_, at) => startLine + at)
  const decorator = lines
    .flatMap((line) => referencesAt(facts, line))
    .find(
      (one) =>
        one.role === 'decorator' && !plainDecorators.test(one.name) && (one.enclosing ?? index) === index,
    )
  if (decorator) return `\`${decorator.name}\` marks it, and may hand it on`
  if (scope === '' || (kind !== 'method' && kind !== 'function')) return null
  if (/\b(?:override|operator|virtual)\b/.test(signature.text))
    return 'it overrides another, or is an operator'
  if (facts.language === 'python' && /^__\w+__$/.test(name) && name !== '__init__')
    return 'the language calls it'
  if (facts.language === 'go' && visibility === 'exported')
    return 'it may implement an interface of another package'
  const language = resolverOf(facts.language)
  const holder = holderOf(target)
  if (!language || !holder) return null
  return (await isOpenAbove(language, world, holder))
    ? 'a base type is not in this repository, and may call it'
    : null
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
