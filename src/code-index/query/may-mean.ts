/**
 * Whether a use that means something else by its type, or by its scope, may mean the target all the same. Only what an
 * empty answer rests on is asked here: members that implement or override, locals, and parts of one merged type.
 */
import { dirname } from 'node:path/posix'
import type { CodeSymbol } from '../../domain/code-symbol.ts'
import type { FileFacts, Reference } from '../contract.ts'
import { isScript } from '../language-of.ts'
import type { Definition, Meaning, World } from '../resolve/contract.ts'
import { isOneScope, linkageOf } from '../resolve/languages/c-linkage.ts'
import { resolverOf } from '../resolve/languages/registry.ts'
import { linesOf } from '../resolve/lines.ts'
import {
  around,
  basesOf,
  fullName,
  isType,
  referencesNamed,
  symbolOf,
  symbolsWithin,
} from '../resolve/symbols.ts'
import { isTypeOf } from './target-names.ts'

/** More types above the target's are not walked. */
export const mostTypes = 60

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
  const isMacro = symbolOf(target).kind === 'macro' && isOfC.test(target.facts.language)
  return async ({ reference, meaning, path, facts, text }) => {
    if (isMacro && isOfC.test(facts.language)) return 'a macro replaces the word, whatever it would mean'
    // What a function of the shell calls sees its locals, and a local may begin as the outer one: `local x="$x"`.
    if (reference.shadowed && facts.language === 'bash') return 'a local, which other functions may see'
    if (reference.shadowed && path === target.path) {
      functions ??= functionsHolding(target)
      if (functions.some((one) => one.startLine <= reference.line && reference.line <= one.endLine))
        return 'a local that may be this one'
    }
    if (reference.shadowed && isApartFromLocals(reference, facts, text, target))
      return 'a local of its name does not hide it'
    if (reference.shadowed && reaches(target, path, facts) && beginsOn(reference, facts, text))
      return 'a local begins on that line, and what it begins with may be this one'
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

/** Types, modules, macros and functions, where locals are names of another space; a parameter of a type may still hide one. */
function isApartFromLocals(
  { role, name, line, column }: Reference,
  facts: FileFacts,
  text: string | null,
  target: Definition,
): boolean {
  const { language } = facts
  const symbol = symbolOf(target)
  if (language === 'kotlin') return role === 'call' && /^(?:function|method)$/.test(symbol.kind)
  if (!/^(?:typescript|tsx|rust|c|cpp)$/.test(language)) return false
  if (role === 'type' || role === 'extends') return isType(symbol, target.facts)
  if (text === null) return true
  const after = linesOf(facts, text)
    .at(line)
    .slice(column + name.length)
  // `A(int size) : size(size)`: the first is the field.
  if (language === 'cpp') return role === 'write' && /^\s*[({]/.test(after)
  return language === 'rust' && /^\s*(?:::|!(?!=))/.test(after)
}

/** Whether the bare name can mean the target in a file, where no local hides it. */
function reaches(target: Definition, path: string, facts: FileFacts): boolean {
  const { language } = target.facts
  const { scope, name } = symbolOf(target)
  // Locals of a script hide from where their scope begins.
  if (isScript(language) || language === 'php') return false
  if (/^(?:java|kotlin|scala|swift|csharp|ruby|cpp)$/.test(language)) return true
  if (scope !== '') return path === target.path && holderOf(target) === null
  if (path === target.path || language === 'c') return true
  if (language === 'go') return dirname(path) === dirname(target.path)
  return facts.imports.some(({ local }) => local === name || local === null)
}

/** `lambda size=size: …`, `for size in size()`, `size: size`: more words of the name than uses, so that one is its own. */
function beginsOn({ name, line }: Reference, facts: FileFacts, text: string | null): boolean {
  if (text === null) return true
  const written = linesOf(facts, text).at(line)
  const words = written.match(/[\p{L}\p{N}_$]+/gu)?.filter((word) => word === name) ?? []
  return words.length > referencesNamed(facts, name).filter((one) => one.line === line).length
}

async function whyRelated(world: World, target: Definition, other: Definition): Promise<string | null> {
  const { name } = symbolOf(target)
  const holder = holderOf(other)
  if (holder && (await mayRun(world, target, holder)))
    return `it means \`${fullName(symbolOf(holder))}.${name}\`, which may be this one by the types above it`
  if (isDeclaredApart(target, other) || isTwin(target, other))
    return 'it is declared in one file and written in the other'
  if (isAlternative(target, other))
    return `\`${name}\` is defined in several files, of which one counts at a time`
  return isMerged(target, other) || isReopened(target, other)
    ? `another part of \`${name}\` may be declared there`
    : null
}

/** In C++ a member is declared in its class and written elsewhere, whatever file includes which: `int A::run() { … }`. */
function isDeclaredApart(target: Definition, other: Definition): boolean {
  if (target.facts.language !== 'cpp' || linkageOf(target, other) === 'apart') return false
  const [own, also] = [symbolOf(target), symbolOf(other)]
  const isOne = own.scope !== '' && also.scope !== '' && isOneScope(own.scope, also.scope)
  const isWritten = (outside: CodeSymbol, inside: CodeSymbol) =>
    inside.scope !== '' &&
    outside.signature.text.includes(`${inside.scope.split('.').at(-1)}::${inside.name}`)
  // Where the grammar failed on a macro, it may have lost a class, or put too much into one.
  const isLost = (facts: FileFacts) => facts.errorLines.length > 0
  const areFunctions = isFunction(own) && isFunction(also)
  return (
    own.name === also.name &&
    (isOne ||
      isWritten(own, also) ||
      isWritten(also, own) ||
      (areFunctions && (isLost(target.facts) || isLost(other.facts))))
  )
}

const isFunction = ({ kind }: CodeSymbol) => kind === 'function' || kind === 'method'

/** `a.d.ts` beside `a.js`, `m.pyi` beside `m.py`, `m-stubs/__init__.pyi` for `m.py`. */
function isTwin(target: Definition, other: Definition): boolean {
  const stem = (path: string) =>
    path.replace(/-stubs\//, '/').replace(/(?:\/__init__)?(?:\.d)?\.(?:[cm]?[jt]sx?|pyi?)$/, '')
  return target.path !== other.path && stem(target.path) === stem(other.path)
}

const isOfC = /^(?:c|cpp)$/
const isPrivate = ({ visibility }: CodeSymbol) => visibility === 'private'

/** Definitions of one name in one package, of which a build takes one; of the shell, the last that was read. */
function isAlternative(target: Definition, other: Definition): boolean {
  const [own, also] = [symbolOf(target), symbolOf(other)]
  // Headers of C++ may look like C, and the grammar may lose a namespace among macros.
  if (isOfC.test(target.facts.language) && isOfC.test(other.facts.language)) {
    const isOneName = own.name === also.name && isOneScope(own.scope, also.scope)
    return isOneName && target.path !== other.path && ![own, also].some(isPrivate)
  }
  if (target.path === other.path || fullName(own) !== fullName(also)) return false
  if (target.facts.language !== other.facts.language) return false
  if (target.facts.language === 'bash') return true
  return target.facts.packageName !== null && target.facts.packageName === other.facts.packageName
}

/**
 * In which a local of its name is the target: the function around it, also one that is called at once, since a local is
 * what the uses in it mean, however often it is given a value; and that whose parameter declares it as a field.
 */
function functionsHolding({ facts, index }: Definition): CodeSymbol[] {
  const { symbols, parents } = facts
  const { name, nameLine = 0 } = symbols[index] ?? {}
  const parent = parents[index] ?? null
  const holder = around({ facts, enclosing: parent })
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
  const before = written.slice(0, column)
  if (/^\s*(?:\.|::)\s*(?:class|self)\b/.test(after) || /\btypeof\s*\(\s*$/.test(before)) return true
  // A declaration makes one: `Type name(1);`, `Type name;`, but for what only points to it.
  if (role === 'type' && facts.language === 'cpp') return !/^\s*(?:[*&]|::)/.test(after)
  if (role === 'type') return /^(?:csharp|kotlin)$/.test(facts.language) && /[<,]\s*$/.test(before)
  // A member of the type itself makes none, unless it hands on the type.
  return !/^\s*(?:\?\.|\.|::)\s*(?!java\b|new\b)\w/.test(after)
}

/** A call through an interface, or through a base type, runs the member of the type that it meets. */
async function mayRun(world: World, target: Definition, holder: Definition): Promise<boolean> {
  const language = resolverOf(target.facts.language)
  if (!language || symbolOf(target).scope === '') return false
  const own = holderOf(target)
  if (isStructural(holder) || (own && isStructural(own))) return true
  if (own && own.path === holder.path && own.index === holder.index) return false
  const place = { path: target.path, facts: target.facts, enclosing: target.index, text: null }
  const types = own ? [own] : ((await language.typesAround?.(world, place)) ?? [])
  if (await isAbove(world, types, holder)) return true
  // Who uses the member of a subtype may have meant what it implements.
  return own !== null && isAbove(world, [holder], own)
}

/** What a type implements by having its members, said or not. */
function isStructural(holder: Definition): boolean {
  const { kind } = symbolOf(holder)
  return kind === 'interface' || kind === 'type' || basesOf(holder).some(({ name }) => name === 'Protocol')
}

async function isAbove(world: World, types: readonly Definition[], wanted: Definition): Promise<boolean> {
  const seen = new Set<string>()
  const waiting = [...types]
  for (let type = waiting.pop(); type; type = waiting.pop()) {
    const key = `${type.path}\n${type.index}`
    if (seen.has(key)) continue
    seen.add(key)
    if (seen.size > mostTypes) return true
    const { types: bases = [], open = true } =
      (await resolverOf(type.facts.language)?.baseTypes(world, type)) ?? {}
    if (bases.some(({ path, index }) => path === wanted.path && index === wanted.index)) return true
    // A base that was not found may be the one of that name.
    if (open && basesOf(type).some(({ name }) => name === symbolOf(wanted).name)) return true
    waiting.push(...bases)
  }
  return false
}

export function holderOf({ path, facts, index }: Definition): Definition | null {
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

/** A class of Ruby that is opened again, in a test also: whoever uses it uses all of its parts. */
function isReopened(target: Definition, other: Definition): boolean {
  const [own, also] = [symbolOf(target), symbolOf(other)]
  return (
    target.facts.language === 'ruby' &&
    own.name === also.name &&
    isType(own, target.facts) &&
    isType(also, other.facts)
  )
}

/** A script, which is no module: what it declares is everywhere. */
function isGlobal({ imports, exports }: FileFacts): boolean {
  return imports.length === 0 && exports.length === 0
}
