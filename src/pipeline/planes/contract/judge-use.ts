/** Decides whether a use is broken, by comparing what it meant at the base with what it means at the head. */

import { folderOf, isDeclarationFile } from '../../../base/file-paths.ts'
import type { Reference } from '../../../code-index/contract.ts'
import { isScript } from '../../../code-index/language-of.ts'
import type { Definition, Hop, Meaning, UseSite, World } from '../../../code-index/resolve/contract.ts'
import { decidesAtRunTime } from '../../../code-index/resolve/hidden-exports.ts'
import { completeResolverOf } from '../../../code-index/resolve/languages/registry.ts'
import { resolveReceiver } from '../../../code-index/resolve/receiver.ts'
import { resolveImport, resolveReference } from '../../../code-index/resolve/resolve.ts'
import {
  around,
  basesOf,
  importsAs,
  referencesNamed,
  symbolOf,
  symbolsNamed,
} from '../../../code-index/resolve/symbols.ts'
import { remembered } from '../../../code-index/resolve/world.ts'
import {
  type Breakage,
  type ExportSubject,
  type ModuleSubject,
  type Sides,
  type Subject,
  type SymbolSubject,
  symbolKey,
  untypedLanguages,
} from './breakage.ts'
import { isBuiltIn, isOfRunner } from './built-in-names.ts'
import type { Use } from './find-uses.ts'
import { constructorSubject, judgeCall, judgeMeaning, type Shifted } from './judge-call.ts'
import { assignsMember, mayMean, type UniqueMember } from './unique-members.ts'

export type Subjects = {
  symbols: ReadonlyMap<string, SymbolSubject>
  modules: ReadonlyMap<string, ModuleSubject>
  exports: ReadonlyMap<string, ReadonlyMap<string, ExportSubject>>
  /** By name. */
  unique: ReadonlyMap<string, UniqueMember>
}

/** Null when the use did not mean a subject, still works, or cannot be resolved. */
export async function judgeUse(use: Use, sides: Sides, subjects: Subjects): Promise<Breakage | null> {
  const ask = (world: World, place: UseSite): Promise<Meaning> =>
    use.kind === 'import'
      ? resolveImport(world, place, use.fact)
      : resolveReference(world, place, use.reference)
  const was = await ask(sides.base, sides.basePlace)
  if (was.kind === 'unknown' && use.kind === 'reference') return judgeUnique(use.reference, sides, subjects)
  if (was.kind === 'missing' || was.kind === 'unknown') return null
  const subject =
    subjectOf(was, subjects) ??
    (use.kind === 'import'
      ? containerOf(was, subjects)
      : await constructorSubject(sides, was, subjects.symbols))
  if (!subject && !mayLoseModule(was, subjects)) return null
  const is = await ask(sides.head, sides.headPlace)

  // A chain that breaks in another file is reported there.
  if (is.kind === 'missing' && is.by !== null && is.by !== sides.headPlace.path) return null
  if (is.kind === 'missing') {
    const isGivenElsewhere =
      (is.missing === 'name' &&
        (isImplicitGlobal(use, sides) ||
          (await isInSamePage(subject, sides)) ||
          isOfPlatform(use, sides) ||
          (await isAmbient(use, sides)))) ||
      (is.missing === 'member' &&
        ((await isAssigned(use, subject, sides)) || (await mayBeSubtypes(use, sides, was))))
    return isGivenElsewhere || looksElsewhere(is, was, sides, subjects)
      ? null
      : missingUse(use, was, is, subject, subjects)
  }
  if (is.kind !== 'defined' || was.kind !== 'defined' || subject?.kind !== 'symbol') return null
  const place = { ...sides.headPlace, enclosing: use.kind === 'reference' ? use.reference.enclosing : null }
  const hidden = isReportedAtImport(use, place) ? null : whyHidden(place, was.definitions, is.definitions)
  if (hidden) return { subject, failure: 'hidden', words: hidden, certain: is.certainty === 'certain' }
  if (use.kind === 'import') return null
  const misfit =
    (await judgeCall(use.reference, sides, was, is)) ?? (await judgeShift(use.reference, sides, was, is))
  return (
    misfit && {
      subject,
      ...misfit,
      certain: misfit.certain && was.certainty === 'certain' && is.certainty === 'certain',
    }
  )
}

const deepestTypes = 8

/** True when a subtype of the type that lost the member has one of that name. */
async function mayBeSubtypes(use: Use, { head, mentioning }: Sides, was: Meaning): Promise<boolean> {
  const [lost] = was.kind === 'defined' ? was.definitions : []
  if (!lost || use.kind !== 'reference' || !untypedLanguages.has(lost.facts.language)) return false
  const language = completeResolverOf(lost.facts.language)
  const { name, scope } = symbolOf(lost)
  const wanted = scope.split('.').at(-1)
  for (const [path, facts] of await head.factsOf(await mentioning(name)))
    for (const [index, symbol] of facts.symbols.entries()) {
      const parent = facts.parents[index] ?? null
      if (symbol.name !== name || parent === null || !language) continue
      let level: readonly Definition[] = [{ path, facts, index: parent }]
      for (let depth = 0; depth < deepestTypes && level.length > 0; depth++) {
        if (level.some((type) => symbolOf(type).name === wanted)) return true
        level = (await Promise.all(level.map((type) => language.baseTypes(head, type)))).flatMap(
          ({ types }) => types,
        )
      }
    }
  return false
}

function isOfPlatform(use: Use, { headPlace }: Sides): boolean {
  if (use.kind !== 'reference') return false
  const { path, facts } = headPlace
  const { name } = use.reference
  return isBuiltIn(facts.language, name) || isOfRunner(path, facts.language, name)
}

/** TypeScript: a declaration file that imports and exports nothing declares for all files. */
async function isAmbient(use: Use, { head, headPlace, mentioning }: Sides): Promise<boolean> {
  if (use.kind !== 'reference' || !isScript(headPlace.facts.language)) return false
  const { name } = use.reference
  const files = (await mentioning(name)).filter(isDeclarationFile)
  return [...(await head.factsOf(files)).values()].some(
    ({ imports, exports, symbols }) =>
      exports.length === 0 &&
      // `import('events').EventEmitter` is a type, and makes no module of the file.
      imports.every(({ local, imported }) => local === null && imported !== null && imported !== '*') &&
      symbols.some((symbol) => symbol.name === name && symbol.scope === ''),
  )
}

/** JavaScript: some file of the head makes a member of that name by assigning it, to an object or to the prototype. */
async function isAssigned(use: Use, subject: Subject | null, { head, mentioning }: Sides): Promise<boolean> {
  if (use.kind !== 'reference' || subject?.kind !== 'symbol' || subject.language !== 'javascript')
    return false
  const { name } = use.reference
  const { scope } = subject.symbol
  return head.once(`assigned ${scope}.${name}`, async () =>
    [...(await head.factsOf(await mentioning(name))).values()].some(
      (facts) =>
        assignsMember(facts, name) ||
        symbolsNamed(facts, name).some((index) => facts.symbols[index]?.scope === scope),
    ),
  )
}

/** JavaScript: `name = …` without a declaration makes a global. */
function isImplicitGlobal(use: Use, { headPlace: { facts } }: Sides): boolean {
  return (
    use.kind === 'reference' &&
    facts.language === 'javascript' &&
    referencesNamed(facts, use.reference.name).some(
      ({ role, receiver }) => role === 'write' && receiver === null,
    )
  )
}

/** JavaScript: a script that imports and exports nothing may be loaded into a page after another, and sees what it defines. */
async function isInSamePage(subject: Subject | null, { head, headPlace }: Sides): Promise<boolean> {
  const to = subject?.kind === 'symbol' && subject.fate === 'moved' ? subject.after : null
  if (to?.symbol.scope !== '' || headPlace.facts.language !== 'javascript') return false
  const { facts, text } = headPlace
  if (facts.exports.length > 0 || (text !== null && decidesAtRunTime(facts, text))) return false
  return [facts, await head.facts(to.path)].every((one) => one?.imports.length === 0)
}

/** A call that the change writes as well was written for the new parameters. */
async function judgeShift(
  reference: Reference,
  sides: Sides,
  was: Extract<Meaning, { kind: 'defined' }>,
  is: Extract<Meaning, { kind: 'defined' }>,
): Promise<Shifted | null> {
  if (reference.role !== 'call' || sides.isWritten(reference.line, reference.endLine)) return null
  return judgeMeaning(reference, sides, was, is)
}

function subjectOf(was: Meaning, { symbols, exports }: Subjects): Subject | null {
  if (was.kind === 'defined')
    for (const definition of was.definitions) {
      const found = symbols.get(symbolKey(definition.path, symbolOf(definition)))
      if (found) return found
    }
  for (const hop of hopsOf(was)) {
    const lost = exports.get(hop.path)
    if (!lost) continue
    const found = lost.get(hop.name) ?? [...lost.values()].find(({ name }) => name.startsWith('* '))
    if (found) return found
  }
  return null
}

/** A member imported by name (Java) breaks with its class. */
function containerOf(was: Meaning, { symbols }: Subjects): SymbolSubject | null {
  for (const definition of was.kind === 'defined' ? was.definitions : []) {
    const names = symbolOf(definition).scope.split('.')
    for (let depth = names.length; depth > 0; depth--) {
      const scope = names.slice(0, depth - 1).join('.')
      const found = symbols.get(symbolKey(definition.path, { scope, name: names[depth - 1] ?? '' }))
      if (found) return found
    }
  }
  return null
}

function mayLoseModule(was: Meaning, subjects: Subjects): boolean {
  return subjects.modules.size > 0 && lostModule(was, subjects) !== null
}

/** The first file that an import leads to, which is the one its specifier names. */
function lostModule(was: Meaning, { modules }: Subjects): ModuleSubject | null {
  const first = hopsOf(was)[0]?.path ?? (was.kind === 'module' ? was.module.path : undefined)
  const own = first === undefined ? undefined : modules.get(first)
  return own ?? null
}

function hopsOf(was: Meaning): readonly Hop[] {
  return was.kind === 'defined' || was.kind === 'module' ? was.hops : []
}

/** A file that moved, and whose relative import now leads to another place than to the file that went. */
function looksElsewhere(
  is: Extract<Meaning, { kind: 'missing' }>,
  was: Meaning,
  { basePlace, headPlace }: Sides,
  subjects: Subjects,
): boolean {
  if (is.missing !== 'module' || basePlace.path === headPlace.path) return false
  const module = lostModule(was, subjects)
  return module !== null && !module.path.startsWith(is.where)
}

function missingUse(
  use: Use,
  was: Meaning,
  is: Extract<Meaning, { kind: 'missing' }>,
  subject: Subject | null,
  subjects: Subjects,
): Breakage | null {
  const certain = is.certainty === 'certain' && (was.kind !== 'defined' || was.certainty === 'certain')
  if (is.missing === 'module') {
    const module = use.kind === 'import' ? lostModule(was, subjects) : null
    return module && { subject: module, failure: 'module', words: `\`${module.path}\` was removed`, certain }
  }
  if (!subject) return null
  // A name whose import is broken is reported once, at the import.
  if (
    use.kind === 'reference' &&
    use.reference.receiver === null &&
    (is.missing === 'export' || is.by !== null)
  )
    return null
  return { subject, failure: is.missing, words: wordsFor(is), certain }
}

function wordsFor({ missing, where }: Extract<Meaning, { kind: 'missing' }>): string {
  if (missing === 'export') return `\`${where}\` does not export it`
  return missing === 'member'
    ? `\`${where}\` has no such member`
    : 'no definition of this name is visible here'
}

/** The type of the receiver is unknown, but only one member ever had this name. */
async function judgeUnique(
  reference: Reference,
  sides: Sides,
  { unique }: Subjects,
): Promise<Breakage | null> {
  const member = unique.get(reference.name)
  if (!member) return null
  const fromElsewhere = await externalNames(sides.head, sides.headPlace)
  if (!mayMean(reference, sides.headPlace.facts, (local) => fromElsewhere.has(local))) return null
  if (await isOfForeignType(reference, sides)) return null
  const { subject, was, is } = member
  if (is.kind === 'missing' && (await takesAbroad(sides))) return null
  // Rust: without a call it is a field of that name.
  if (subject.language === 'rust' && subject.symbol.kind === 'method' && reference.role !== 'call')
    return null
  if (is.kind === 'missing')
    return { subject, failure: 'member', words: 'the only member with this name was removed', certain: false }
  if (was.kind !== 'defined' || is.kind !== 'defined') return null
  const misfit = await judgeCall(reference, sides, was, is)
  return misfit && { subject, ...misfit, certain: false }
}

/** The receiver, or the field that it names, is declared with a type that is not of this repository. */
async function isOfForeignType(reference: Reference, { head, headPlace }: Sides): Promise<boolean> {
  const language = completeResolverOf(headPlace.facts.language)
  if (!language || reference.receiver === null) return false
  const place = { ...headPlace, enclosing: reference.enclosing }
  const scope = { language, world: head, place, line: reference.line }
  const value = await resolveReceiver(scope, reference.receiver)
  return value.kind === 'unknown' && value.foreign !== undefined
}

/** A name that the file took from here comes from another package now, where the member may have moved as well. */
async function takesAbroad({ base, head, basePlace, headPlace }: Sides): Promise<boolean> {
  const before = await base.facts(basePlace.path)
  if (!before) return false
  const [was, is] = [
    await externalNames(base, { ...basePlace, facts: before }),
    await externalNames(head, headPlace),
  ]
  return before.imports.some(({ local }) => local !== null && is.has(local) && !was.has(local))
}

/** What the file imports from elsewhere, by its names here. */
function externalNames(world: World, place: UseSite): Promise<ReadonlySet<string>> {
  return remembered(world, place.facts, 'external names', place.path, async () => {
    const names = new Set<string>()
    for (const fact of place.facts.imports)
      if (fact.local !== null && (await resolveImport(world, place, fact)).kind === 'unknown')
        names.add(fact.local)
    return names
  })
}

/** A name whose import is no longer visible is reported once, at the import. */
function isReportedAtImport(use: Use, { facts }: UseSite): boolean {
  if (use.kind === 'import' || use.reference.receiver !== null) return false
  return importsAs(facts, use.reference.name).length > 0
}

/** Why the use can no longer see the definition though it could at the base; null when it can. */
function whyHidden(
  place: UseSite,
  before: readonly Definition[],
  after: readonly Definition[],
): string | null {
  if (!before.some((definition) => isVisibleFrom(definition, place))) return null
  if (after.some((definition) => isVisibleFrom(definition, place))) return null
  const [first] = after
  return first ? `it is ${symbolOf(first).visibility} now` : null
}

function isVisibleFrom(definition: Definition, place: UseSite): boolean {
  const symbol = symbolOf(definition)
  if (symbol.visibility === 'exported' || definition.path === place.path) return true
  switch (definition.facts.language) {
    case 'java':
      // Protected members count as internal; a subclass elsewhere may use them.
      return (
        symbol.visibility === 'internal' &&
        (sameFolderName(definition.path, place.path) || extendsSomething(place))
      )
    case 'typescript':
    case 'tsx':
      // At top level the exports decide; a private member is private to its class, which has one file.
      return symbol.scope === '' || symbol.visibility === 'internal'
    default:
      // Go: the name itself decides. Rust: modules nest, which paths alone do not show. Python: only a convention.
      return true
  }
}

function sameFolderName(one: string, two: string): boolean {
  const packagePath = (path: string): string => folderOf(path).replace(/^.*\/(?:java|kotlin)\//, '')
  return packagePath(one) === packagePath(two)
}

function extendsSomething(place: UseSite): boolean {
  return around(place).some((index) => basesOf({ ...place, index }).length > 0)
}
