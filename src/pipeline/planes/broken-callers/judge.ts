/** Compares what a use meant at the base with what it means at the head. */

import type { Reference } from '../../../code-index/contract.ts'
import type { Hop, Meaning, Place, World } from '../../../code-index/resolve/contract.ts'
import { resolveImport, resolveReference } from '../../../code-index/resolve/resolve.ts'
import { symbolOf } from '../../../code-index/resolve/symbols.ts'
import { constructorSubject } from './constructors.ts'
import { judgeCall } from './judge-call.ts'
import { isPredeclared } from './predeclared.ts'
import type { Breakage, Sides } from './sides.ts'
import {
  type ExportSubject,
  type ModuleSubject,
  type Subject,
  type SymbolSubject,
  symbolKey,
} from './subject.ts'
import { mayMean, type UniqueMember } from './unique-members.ts'
import type { Use } from './uses.ts'
import { isHidden } from './visibility.ts'

export type Subjects = {
  symbols: ReadonlyMap<string, SymbolSubject>
  modules: ReadonlyMap<string, ModuleSubject>
  exports: ReadonlyMap<string, ReadonlyMap<string, ExportSubject>>
  /** By name. */
  unique: ReadonlyMap<string, UniqueMember>
}

/** Null when the use did not mean a subject, still fits, or cannot be told. */
export async function judge(use: Use, sides: Sides, subjects: Subjects): Promise<Breakage | null> {
  const ask = (world: World, place: Place): Promise<Meaning> =>
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

  // A chain that breaks in another file is told there.
  if (is.kind === 'missing' && is.by !== null && is.by !== sides.headPlace.path) return null
  if (is.kind === 'missing') {
    const { language } = sides.headPlace.facts
    const isOwn =
      is.missing === 'name' && use.kind === 'reference' && isPredeclared(language, use.reference.name)
    return isOwn ? null : missingUse(use, was, is, subject, subjects)
  }
  if (is.kind !== 'defined' || was.kind !== 'defined' || subject?.kind !== 'symbol') return null
  const place = { ...sides.headPlace, enclosing: use.kind === 'reference' ? use.reference.enclosing : null }
  const hidden = isToldAtImport(use, place) ? null : isHidden(place, was.definitions, is.definitions)
  if (hidden) return { subject, failure: 'hidden', words: hidden, certain: is.certainty === 'certain' }
  if (use.kind === 'import') return null
  const misfit = await judgeCall(use.reference, sides, was, is)
  return (
    misfit && {
      subject,
      ...misfit,
      certain: misfit.certain && was.certainty === 'certain' && is.certainty === 'certain',
    }
  )
}

/** A name whose import is shut out is told once, at the import. */
function isToldAtImport(use: Use, { facts }: Place): boolean {
  if (use.kind === 'import' || use.reference.receiver !== null) return false
  return facts.imports.some(({ local }) => local === use.reference.name)
}

/** The receiver's type cannot be told, but only one member ever had this name. */
async function judgeUnique(
  reference: Reference,
  sides: Sides,
  { unique }: Subjects,
): Promise<Breakage | null> {
  const member = unique.get(reference.name)
  if (!member) return null
  const { imports } = sides.headPlace.facts
  const fromElsewhere = new Set<string>()
  for (const fact of imports)
    if (fact.local !== null && (await resolveImport(sides.head, sides.headPlace, fact)).kind === 'unknown')
      fromElsewhere.add(fact.local)
  if (!mayMean(reference, sides.headPlace.facts, (local) => fromElsewhere.has(local))) return null
  const { subject, was, is } = member
  if (is.kind === 'missing')
    return { subject, failure: 'member', words: 'the only member of this name is gone', certain: false }
  if (was.kind !== 'defined' || is.kind !== 'defined') return null
  const misfit = await judgeCall(reference, sides, was, is)
  return misfit && { subject, ...misfit, certain: false }
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
    return module && { subject: module, failure: 'module', words: `\`${module.path}\` is gone`, certain }
  }
  if (!subject) return null
  // A name whose import is broken is told once, at the import.
  if (
    use.kind === 'reference' &&
    use.reference.receiver === null &&
    (is.missing === 'export' || is.by !== null)
  )
    return null
  return { subject, failure: is.missing, words: wordsFor(is), certain }
}

function wordsFor({ missing, where }: Extract<Meaning, { kind: 'missing' }>): string {
  if (missing === 'export') return `\`${where}\` does not offer it`
  return missing === 'member' ? `\`${where}\` has no such member` : 'nothing of this name is in sight'
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

/** A member imported by name (Java) goes with its class. */
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

function hopsOf(was: Meaning): readonly Hop[] {
  return was.kind === 'defined' || was.kind === 'module' ? was.hops : []
}

/** The first file on the way of an import: that is the one its specifier names. */
function lostModule(was: Meaning, { modules }: Subjects): ModuleSubject | null {
  const first = hopsOf(was)[0]?.path ?? (was.kind === 'module' ? was.module.path : undefined)
  const own = first === undefined ? undefined : modules.get(first)
  return own ?? null
}

function mayLoseModule(was: Meaning, subjects: Subjects): boolean {
  return subjects.modules.size > 0 && lostModule(was, subjects) !== null
}
