/**
 * Members with a name that nothing else in the repository has. Where the type of a receiver is unknown, `x.name` can only
 * mean that member; such uses count as likely, never as certain.
 */
import type { FileFacts, Reference } from '../../../code-index/contract.ts'
import type { Definition, Meaning, World } from '../../../code-index/resolve/contract.ts'
import { defined, referencesNamed, symbolOf, symbolsNamed } from '../../../code-index/resolve/symbols.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { isConstructor, type SymbolSubject, symbolKey, untypedLanguages } from './breakage.ts'

export type UniqueMember = { subject: SymbolSubject; was: Meaning; is: Meaning }

/** A distinctive name: long, and of more than one word. */
const isDistinctive = (name: string) =>
  /^_*[A-Za-z]\w*$/.test(name) && /[a-z][A-Z]\w\w|[A-Za-z]_\w\w/.test(name)
const shortest = 9
/** A name in more files than this is ignored. */
const mostFiles = 150

export async function uniqueMembers(
  sides: {
    base: World
    head: World
    baseSnapshot: RepoSnapshot
    headSnapshot: RepoSnapshot
    isTest: (path: string) => boolean
  },
  subjects: ReadonlyMap<string, SymbolSubject>,
): Promise<ReadonlyMap<string, UniqueMember>> {
  const found = new Map<string, UniqueMember>()
  // A test stands in for things that need not be here: its members are not the only ones of their names.
  const members = [...subjects.values()].filter(
    ({ path, symbol: { scope, name } }) =>
      scope !== '' &&
      name.length >= shortest &&
      isDistinctive(name) &&
      !isConstructor(name) &&
      !sides.isTest(path),
  )
  const names = [...new Set(members.map(({ symbol }) => symbol.name))].sort()
  if (names.length === 0) return found
  const [filesBefore, filesAfter] = await Promise.all([
    sides.baseSnapshot.filesWithWords(names),
    sides.headSnapshot.filesWithWords([...names, ...names.map(inOtherCase)]),
  ])
  for (const subject of members) {
    const { name } = subject.symbol
    const [old, now] = [filesBefore.get(name) ?? [], filesAfter.get(name) ?? []]
    const bound = filesAfter.get(inOtherCase(name)) ?? []
    if ([old, now, bound].some((files) => files.length > mostFiles)) continue
    const [before, after] = await Promise.all([sides.base.factsOf(old), sides.head.factsOf(now)])
    const was = definitionsOf(before, name)
    const is = definitionsOf(after, name)
    if (!isOne(was) || was.length === 0 || was.some(handsOn)) continue
    if (await isBound(sides.head, bound, subject)) continue
    if (is.length > 0 ? subject.fate !== 'changed' || !isOne(is) : mayBeCreated(after, name)) continue
    if (is.length === 0 && (await isNamedByText(sides.headSnapshot, subject, now))) continue
    found.set(name, {
      subject,
      was: defined(was, { bound: true }),
      is: is.length > 0 ? defined(is, { bound: true }) : gone,
    })
  }
  return found
}

/** False when the receiver comes from another package or is unknown, or the file defines the name itself. */
export function mayMean(
  reference: Reference,
  facts: FileFacts,
  isExternal: (local: string) => boolean,
): boolean {
  if (reference.role === 'import' || symbolsNamed(facts, reference.name).length > 0) return false
  if (reference.receiver === null) return reference.role === 'property' && keysAreFields.has(facts.language)
  const root = /^[\w$]+/.exec(reference.receiver)?.[0]
  return root !== undefined && !isExternal(root)
}

/** Languages in which the keys of a literal are fields of its type; in others they create members. */
const keysAreFields: ReadonlySet<string> = new Set(['go', 'rust'])

const gone: Meaning = {
  kind: 'missing',
  missing: 'member',
  where: 'no type here',
  certainty: 'likely',
  by: null,
}

function definitionsOf(files: ReadonlyMap<string, FileFacts>, name: string): Definition[] {
  return [...files].flatMap(([path, facts]) =>
    symbolsNamed(facts, name).flatMap((index) =>
      facts.symbols[index]?.isTest ? [] : [{ path, facts, index }],
    ),
  )
}

/** What another language defines reaches this one in its own case: `scanned_files` of Rust is `scannedFiles` in JavaScript. */
async function isBound(head: World, paths: readonly string[], { language, symbol }: SymbolSubject) {
  const name = inOtherCase(symbol.name)
  return definitionsOf(await head.factsOf(paths), name).some(({ facts }) => facts.language !== language)
}

/** `scanned_files` as `scannedFiles`, and the other way round. */
function inOtherCase(name: string): string {
  return /[a-z]_/.test(name)
    ? name.replace(/_{1,8}([a-zA-Z])/g, (_, letter: string) => letter.toUpperCase())
    : name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()
}

/** It calls another member of its name, which is of a type that is not here. */
function handsOn(definition: Definition): boolean {
  const { name, startLine, endLine } = symbolOf(definition)
  return referencesNamed(definition.facts, name).some(
    ({ line, receiver }) =>
      line >= startLine &&
      line <= endLine &&
      receiver !== null &&
      !/^(?:this|self|cls|super)$/.test(receiver),
  )
}

function isOne(definitions: readonly Definition[]): boolean {
  return new Set(definitions.map((definition) => symbolKey(definition.path, symbolOf(definition)))).size <= 1
}

/** Keys of literals, keyword arguments and assignments can create members without a definition. */
function mayBeCreated(files: ReadonlyMap<string, FileFacts>, name: string): boolean {
  return [...files.values()].some(
    (facts) =>
      assignsMember(facts, name) ||
      (!keysAreFields.has(facts.language) &&
        referencesNamed(facts, name).some(({ receiver }) => receiver === null)),
  )
}

/** Where no compiler checks types, a member may also be made from its name, as from `name = "pre_fork"`. */
async function isNamedByText(
  snapshot: RepoSnapshot,
  { language, symbol: { name } }: SymbolSubject,
  paths: readonly string[],
): Promise<boolean> {
  if (!untypedLanguages.has(language)) return false
  const literal = new RegExp(`(['"\`])${name}\\1`)
  return [...(await snapshot.readMany(paths)).values()].some(({ text }) => literal.test(text))
}

/** JavaScript: `this.name = …` makes a member without declaring it. */
export function assignsMember(facts: FileFacts, name: string): boolean {
  return (
    facts.language === 'javascript' &&
    referencesNamed(facts, name).some(({ role, receiver }) => role === 'write' && receiver !== null)
  )
}
