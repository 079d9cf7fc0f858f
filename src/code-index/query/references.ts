/** Which places use a definition? Each use is resolved by the rules of its language; a like name is never enough. */

import { count } from '../../base/count.ts'
import { oncePer, remembered } from '../../base/remembered.ts'
import type { FileFacts, ImportFact, Reference } from '../contract.ts'
import { isScript } from '../language-of.ts'
import type { Definition, Meaning, UseSite, World } from '../resolve/contract.ts'
import { resolveAll, resolveImport } from '../resolve/resolve.ts'
import { referencesNamed, symbolOf } from '../resolve/symbols.ts'
import { type Class, classify, confidenceOf, mayBeUnique } from './classify.ts'
import type { CodeTree, Emptiness, ReferenceEdge, ReferencesAnswer, UnresolvedUse } from './contract.ts'
import { definitionsNamed, quotedLine, siteAt, siteOf, textOnlyAmong, unparsedAmong } from './definitions.ts'
import { doubtsAbout, type LocalUse } from './hidden-by-locals.ts'
import { whyRunUnnamed } from './run-unnamed.ts'
import { type TargetNames, targetNames, usedAs } from './target-names.ts'
import { inMacros, placeOf, unaccountedFor } from './unaccounted.ts'
import { unreadWith } from './unread-files.ts'

/** A use as found, before its line is read. */
type Use = Pick<ReferenceEdge, 'line' | 'column' | 'role'> & {
  enclosing: number | null
  meant: Class
  /** Null for an import. */
  resolved: ResolvedUse | null
}

/** Remembered in the tree: asking again for the same definition costs nothing. Does not throw for odd code. */
export function findReferences(tree: CodeTree, target: Definition): Promise<ReferencesAnswer> {
  return tree.world.once(`references ${target.index} ${target.path}`, () => answer(tree, target))
}

async function answer(tree: CodeTree, target: Definition): Promise<ReferencesAnswer> {
  const names = await targetNames(tree, target)
  const isOnly = await isOnlyOne(tree, target)
  const texts = await tree.world.texts([...names.facts.keys()])
  const references: ReferenceEdge[] = []
  const unresolved: UnresolvedUse[] = []
  const locals: LocalUse[] = []
  const others: string[] = []
  let elsewhere = 0
  for (const [path, facts] of names.facts) {
    const text = texts.get(path) ?? null
    for (const use of await usesIn(tree, target, { path, facts, text, names, isOnly })) {
      const { meant, line, column, role } = use
      if (meant.kind === 'elsewhere') {
        elsewhere++
        const reference = use.resolved?.reference
        if (reference?.shadowed) locals.push({ path, facts, text, reference })
        else others.push(placeOf({ path, line }))
        continue
      }
      if (meant.kind === 'unknown') {
        const reported = use.resolved?.reported ?? {
          path,
          line,
          role,
          text: quotedLine(facts, text, line),
          why: meant.why,
        }
        if (use.resolved) use.resolved.reported = reported
        unresolved.push(reported)
      } else {
        const quoted = quotedLine(facts, text, line)
        const { how, certainty } = meant
        const within = siteAt(path, facts, use.enclosing)
        const confidence = confidenceOf(how, certainty)
        references.push({ path, line, role, text: quoted, column, within, how, confidence })
      }
    }
  }
  const listed = await listings(tree, target)
  if (listed.length > 0) references.push(...listed.concat(references.splice(0)).sort(byPlace))
  const limits: string[] = []
  // Only an answer that finds no use has to account for every word of the text.
  if (references.every(({ role }) => role === 'import' || role === 'export')) {
    unresolved.push(...amongLocals(target, locals))
    unresolved.push(...(await unaccountedFor(tree, target, names, new Set(unresolved.map(placeOf)))))
    const [first] = others
    if (first !== undefined)
      limits.push(
        `${another}${first}${others.length > 1 ? ` and ${count(others.length - 1, 'more place')}` : ''}`,
      )
    const unnamed = await whyRunUnnamed(tree.world, target)
    if (unnamed !== null) limits.push(`${runUnnamed}${unnamed}`)
    const unread = await unreadWith(tree, [...names.namesIn(target.path)], [target.facts.language])
    if (unread.length > 0) limits.push(`${notRead}${unread.join(', ')}`)
  } else
    unresolved.push(
      ...(await inMacros(tree, target, names, new Set([...references, ...unresolved].map(placeOf)))),
    )
  const textOnly = await textOnlyAmong(tree, names.files)
  limits.push(...limitsOf(tree, target, names))
  const seen = { unresolved, textOnly, limits, elsewhere }
  return {
    target: siteOf(target),
    references,
    ...seen,
    emptiness: references.length > 0 ? null : whyNone(target, seen),
  }
}

function amongLocals(target: Definition, locals: readonly LocalUse[]): UnresolvedUse[] {
  const doubtOf = doubtsAbout(target)
  return locals.flatMap((use) => {
    const why = doubtOf(use)
    const { line, role } = use.reference
    return why === null
      ? []
      : [{ path: use.path, line, role, text: quotedLine(use.facts, use.text, line), why }]
  })
}

type MentioningFile = {
  path: string
  facts: FileFacts
  text: string | null
  names: TargetNames
  isOnly: boolean
}

/** In order of line and column; an import before the names on its line. */
async function usesIn(tree: CodeTree, target: Definition, file: MentioningFile): Promise<Use[]> {
  const { path, facts, text } = file
  const names = file.names.namesIn(path)
  const place = { path, facts, enclosing: null, text }
  const uses: Use[] = []
  for (const fact of importsNamed(facts, names)) {
    const meant = classify(await resolveImport(tree.world, place, fact), target, null, facts)
    const role = fact.reexport ? 'export' : 'import'
    uses.push({ line: fact.line, column: null, role, enclosing: null, meant, resolved: null })
  }
  for (const name of names) {
    for (const resolved of await resolvedUses(tree.world, place, name)) {
      const { reference, meaning } = resolved
      const { role, line, column, enclosing } = reference
      // Told by the import itself, which knows both of its names.
      if (role === 'export' && facts.imports.some((fact) => fact.line === line)) continue
      let meant = classify(meaning, target, reference, facts)
      if (meant.kind === 'unknown' && file.isOnly && mayBeUnique(meant.why, target, reference))
        meant = { kind: 'edge', how: 'unique name', certainty: 'certain' }
      uses.push({ line, column, role, enclosing, meant, resolved })
    }
  }
  return uses.sort((a, b) => a.line - b.line || (a.column ?? -1) - (b.column ?? -1))
}

/** Where the file of the target names it in a list of what it offers: `__all__ = ["name"]`, which no index files as a use. */
async function listings(tree: CodeTree, { path, facts, index }: Definition): Promise<ReferenceEdge[]> {
  const symbol = facts.symbols[index]
  if (facts.language !== 'python' || symbol?.scope !== '') return []
  const listed = facts.exports.filter(({ local, line }) => local === symbol.name && line !== symbol.nameLine)
  if (listed.length === 0) return []
  const text = await tree.world.text(path)
  return listed.map(({ line }) => ({
    path,
    line,
    role: 'export',
    text: quotedLine(facts, text, line),
    column: null,
    within: null,
    how: 'same file',
    confidence: confidenceOf('same file', 'certain'),
  }))
}

function byPlace(a: ReferenceEdge, b: ReferenceEdge): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return a.line - b.line || (a.column ?? -1) - (b.column ?? -1)
}

type ResolvedUse = {
  reference: Reference
  meaning: Meaning
  /** How it is reported when its meaning is not known: of every definition with the name in the same words. */
  reported: UnresolvedUse | null
}

const noUses: readonly ResolvedUse[] = []

/**
 * The uses of a name in a file, without those that imports tell of. What a use means does not depend on who asks, and
 * many definitions share a name, so they are resolved once.
 */
export async function resolvedUses(
  world: World,
  place: UseSite,
  name: string,
): Promise<readonly ResolvedUse[]> {
  if (referencesNamed(place.facts, name).length === 0) return noUses
  return world.once(`uses ${name} ${place.path}`, async () => {
    const named = referencesNamed(place.facts, name).filter(({ role }) => role !== 'import')
    const meanings = await resolveAll(world, place, named)
    return named.flatMap((reference, at) => {
      const meaning = meanings[at]
      return meaning ? [{ reference, meaning, reported: null }] : []
    })
  })
}

/** Imports of one of the names, or that call something by one; in source order. */
function importsNamed(facts: FileFacts, names: ReadonlySet<string>): readonly ImportFact[] {
  const index = importsByName(facts)
  const found = new Set<number>()
  for (const name of names) for (const at of index.get(name) ?? []) found.add(at)
  return [...found].sort((a, b) => a - b).flatMap((at) => facts.imports[at] ?? [])
}

const importsByName = oncePer(({ imports }: FileFacts) => {
  const index = new Map<string, number[]>()
  for (const [at, { imported, local }] of imports.entries())
    for (const name of new Set([imported, local]))
      if (name !== null) remembered(index, name, (): number[] => []).push(at)
  return index
})

/** No other definition in the tree has this name. */
async function isOnlyOne(tree: CodeTree, target: Definition): Promise<boolean> {
  const { name } = symbolOf(target)
  if (tree.seesAll?.(name) === false) return false
  return (await definitionsNamed(tree, name)).length === 1
}

function limitsOf(tree: CodeTree, target: Definition, names: TargetNames): string[] {
  const unparsed = unparsedAmong(tree, names.files)
  const { visibility } = symbolOf(target)
  return [
    ...(unparsed.length > 0 ? [`not parsed, so not searched: ${unparsed.join(', ')}`] : []),
    ...(visibility === 'exported' ? ['it is exported: users outside this repository are not seen'] : []),
  ]
}

type Seen = Pick<ReferencesAnswer, 'unresolved' | 'textOnly' | 'limits'>

function whyNone(target: Definition, seen: Seen): Emptiness {
  const name = usedAs(target)
  if (symbolOf(target).isTest)
    return { isEvidence: false, why: 'it is a test, which its runner calls and no code' }
  if (!isWord(name) || (name === 'default' && isScript(target.facts.language)))
    return { isEvidence: false, why: `\`${name}\` is not a word that can be looked for` }
  return (
    doubtIn(name, seen) ?? { isEvidence: true, why: `nothing else in this tree uses \`${name}\` by name` }
  )
}

const runUnnamed = 'it may be run without its name: '
/** No witness but our own resolver, which would be its own judge. */
const another = 'uses of its name that types and scopes give to another definition: '
const notRead = 'too large to be read, so not searched: '

/** Why what was not found may be there all the same; null when everything was accounted for. */
export function doubtIn(name: string, { unresolved, textOnly, limits }: Seen): Emptiness | null {
  if (unresolved.length > 0)
    return {
      isEvidence: false,
      why: `${count(unresolved.length, 'use')} of a \`${name}\` could not be resolved; each may be one of this`,
    }
  const why = limits.find((limit) => [runUnnamed, notRead, another].some((one) => limit.startsWith(one)))
  if (why !== undefined) return { isEvidence: false, why }
  if (limits.some((limit) => limit.startsWith('not parsed')))
    return { isEvidence: false, why: 'files that mention it could not be parsed' }
  if (textOnly.length > 0)
    return {
      isEvidence: false,
      why: `${count(textOnly.length, 'file that is text only mentions', 'files that are text only mention')} \`${name}\``,
    }
  return null
}

function isWord(name: string): boolean {
  return /^#?[\p{L}\p{N}_$]+[?!]?$/u.test(name)
}
