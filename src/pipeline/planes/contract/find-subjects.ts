/** The subjects of a change: symbols, modules and re-exported names whose users may have been missed. */
import { fileNameOf, isDeclarationFile, isDistPath } from '../../../base/file-paths.ts'
import type { FileFacts } from '../../../code-index/contract.ts'
import type { World } from '../../../code-index/resolve/contract.ts'
import { completeResolverOf } from '../../../code-index/resolve/languages/registry.ts'
import { symbolsNamed } from '../../../code-index/resolve/symbols.ts'
import type { ChangeSet, FileChange } from '../../../domain/change-set.ts'
import type { CodeSymbol, SignatureDelta, SymbolChange } from '../../../domain/code-symbol.ts'
import { ignoringRule } from '../../../domain/ignored-path.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import {
  type ExportSubject,
  type Fate,
  isConstructor,
  type ModuleSubject,
  type SymbolSubject,
  symbolKey,
} from './breakage.ts'
import { narrows } from './literal-types.ts'

/** Symbols by their key at the base, without the members of a container that was itself removed or moved. */
export function symbolSubjects(changes: readonly SymbolChange[]): Map<string, SymbolSubject> {
  const subjects = new Map<string, SymbolSubject>()
  const aliases = new Set<string>()
  for (const { kind, language, before, after, delta } of changes) {
    if (before && after && isAliasNow(before.symbol, after.symbol))
      aliases.add(symbolKey(before.path, before.symbol))
    if (kind === 'added' && after && isConstructor(after.symbol.name)) {
      // A class that took no arguments may need some now.
      const { path, symbol } = after
      subjects.set(symbolKey(path, symbol), {
        kind: 'symbol',
        fate: 'changed',
        language,
        path,
        symbol,
        after,
      })
    }
    if (!before || before.symbol.isTest || before.symbol.kind === 'impl' || !completeResolverOf(language))
      continue
    const fate = fateOf(kind, delta, language)
    if (!fate) continue
    const key = symbolKey(before.path, before.symbol)
    // Of several overloads, one that still exists is the most useful.
    if (subjects.has(key) && after === null) continue
    subjects.set(key, { kind: 'symbol', fate, language, path: before.path, symbol: before.symbol, after })
  }
  return new Map(
    [...subjects].filter(
      ([, subject]) =>
        !containersOf(subject).some(
          (key) => aliases.has(key) || isGone(subjects.get(key)?.fate ?? 'changed'),
        ),
    ),
  )
}

/** A type that became another name of a type elsewhere, which has the members now. */
function isAliasNow(before: CodeSymbol, after: CodeSymbol): boolean {
  return before.kind !== 'type' && after.kind === 'type' && after.endLine - after.nameLine <= 1
}

function containersOf({ path, symbol: { scope } }: SymbolSubject): string[] {
  const names = scope === '' ? [] : scope.split('.')
  return names.map((name, depth) => symbolKey(path, { scope: names.slice(0, depth).join('.'), name }))
}

export function isGone(fate: Fate): boolean {
  return fate !== 'changed'
}

function fateOf(kind: SymbolChange['kind'], delta: SignatureDelta | null, language: string): Fate | null {
  if (kind === 'removed' || kind === 'renamed' || kind === 'moved') return kind
  if (kind !== 'signature-changed' || !delta) return null
  const reshaped =
    delta.reordered ||
    delta.parametersAdded.length > 0 ||
    delta.parametersRemoved.length > 0 ||
    delta.parametersChanged.some(
      ({ before, after }) =>
        before.optional !== after.optional ||
        before.variadic !== after.variadic ||
        before.keywordOnly !== after.keywordOnly ||
        (before.type !== null && after.type !== null && narrows(language, before.type, after.type)),
    )
  return reshaped || delta.visibility ? 'changed' : null
}

/** Files that were removed or renamed, by their path at the base. */
export async function moduleSubjects(
  change: ChangeSet,
  head: RepoSnapshot,
): Promise<Map<string, ModuleSubject>> {
  const subjects = new Map<string, ModuleSubject>()
  const changesRules = change.files.some(({ path }) => fileNameOf(path) === '.gitignore')
  for (const file of change.files) {
    if (file.kind !== 'text' || !file.language || !completeResolverOf(file.language)) continue
    // What a build writes is there again after the next one; whoever has git ignore what they delete says that one does.
    const isMade = async () =>
      isDistPath(file.path) || (changesRules && (await ignoringRule(head, file.path)) !== null)
    if (file.status === 'deleted' && !(await isMade()))
      subjects.set(file.path, { kind: 'module', path: file.path, movedTo: null })
    if (file.status === 'renamed' && file.oldPath !== null)
      subjects.set(file.oldPath, { kind: 'module', path: file.oldPath, movedTo: file.path })
  }
  return subjects
}

/** Names that files no longer re-export, by path at the base and name. Symbols that a file defines are subjects themselves. */
export async function exportSubjects(
  change: ChangeSet,
  base: World,
  head: World,
): Promise<Map<string, Map<string, ExportSubject>>> {
  const files = change.files.filter(
    (file) =>
      file.oldBlob !== null && file.newBlob !== null && file.language && completeResolverOf(file.language),
  )
  const [before, after] = await Promise.all([
    base.factsOf(files.map(basePath)),
    head.factsOf(files.map((file) => file.path)),
  ])
  const subjects = new Map<string, Map<string, ExportSubject>>()
  for (const file of files) {
    const [old, now] = [before.get(basePath(file)), after.get(file.path)]
    if (!old || !now) continue
    const kept = reexportsOf(now)
    const text = now.language === 'rust' ? ((await head.text(file.path)) ?? '') : ''
    const lost = [...reexportsOf(old)].filter(([name]) => !kept.has(name) && !isReexportedIn(text, name))
    const path = basePath(file)
    if (lost.length > 0)
      subjects.set(path, new Map(lost.map(([name, line]) => [name, { kind: 'export', path, name, line }])))
  }
  return subjects
}

/** Rust: `cfg_http! { pub use self::h1::{Conn, dispatch}; }` passes on what the index does not see. */
function isReexportedIn(text: string, name: string): boolean {
  const word = name.replace(/^\* /, '').replace(/\W/g, '\\$&')
  return (
    text !== '' && new RegExp(`\\bpub(?:\\([^)]{0,60}\\))? use [^;]{0,1000}(?<!\\w)${word}(?!\\w)`).test(text)
  )
}

export function basePath(file: FileChange): string {
  return file.status === 'renamed' && file.oldPath !== null ? file.oldPath : file.path
}

/** Re-exported names with their lines; a star counts under its source. */
function reexportsOf(facts: FileFacts): Map<string, number> {
  const names = new Map<string, number>()
  const isEveryImportPublic = facts.language === 'python'
  for (const { local, line, reexport, source, imported } of facts.imports) {
    if (!reexport && !isEveryImportPublic) continue
    if (local !== null) names.set(local, line)
    else if (imported === '*') names.set(`* ${source}`, line)
  }
  const imported = new Set(facts.imports.map((fact) => fact.local))
  for (const { exported, local, line } of facts.exports)
    if (imported.has(local) || exported !== local) names.set(exported, line)
  return names
}

/**
 * Without names that the text still gives where the index sees no definition: Rust items inside a macro (`cfg_rt! { fn
 * spawn() {} }`), named to one that writes them (`route!(get, GET);`) or derived; and what TypeScript only declared.
 */
export async function withoutStillGiven(
  subjects: ReadonlyMap<string, SymbolSubject>,
  base: World,
  head: World,
): Promise<Map<string, SymbolSubject>> {
  const kept = new Map<string, SymbolSubject>()
  for (const [key, subject] of subjects) {
    const isStillGiven =
      isGone(subject.fate) &&
      (subject.language === 'rust' ? await isWritten(subject, head) : await isDeclaredOnly(subject, base))
    if (!isStillGiven) kept.set(key, subject)
  }
  return kept
}

async function isWritten({ path, symbol }: SymbolSubject, head: World): Promise<boolean> {
  const text = await head.text(path)
  if (text === null) return false
  const written = await head.once(`written items ${path}`, async () => writtenItems(text))
  const times = written.get(symbol.name) ?? 0
  const facts = await head.facts(path)
  if (times > (facts ? symbolsNamed(facts, symbol.name).length : 0)) return true
  // Whatever is made `From` another type has these of the standard library.
  if (/^(?:try_)?into$/.test(symbol.name) && /\bimpl\b[^{;]{0,300}\b(?:Try)?From\b/.test(text)) return true
  const trait = derivedMembers.get(symbol.name)
  if (trait === undefined || symbol.scope === '') return false
  const derived = await head.once(`derived traits ${path}`, async () => derivedTraits(text))
  return derived.has(`${symbol.scope} ${trait}`)
}

/** How often each name is defined, or given to a macro between items, by the text alone. */
function writtenItems(text: string): ReadonlyMap<string, number> {
  const items = new Map<string, number>()
  const add = (name: string) => items.set(name, (items.get(name) ?? 0) + 1)
  for (const [, name = ''] of text.matchAll(
    /\b(?:fn|struct|enum|union|trait|type|const|static|mod|macro_rules!)\s+(?:mut\s+)?(?!(?:fn|unsafe|extern|async)\b)([A-Za-z_]\w*)/g,
  ))
    add(name)
  for (const [, given = ''] of text.matchAll(/^(?:\w+::)*\w+!\s*[({[]([^(){}[\]]{0,4000})[)}\]]/gm))
    for (const [name] of given.matchAll(/[A-Za-z_]\w*/g)) add(name)
  return items
}

/** Methods that the standard derives write, and of which trait they are. */
const derivedMembers: ReadonlyMap<string, string> = new Map([
  ['default', 'Default'],
  ['clone', 'Clone'],
  ['eq', 'PartialEq'],
  ['cmp', 'Ord'],
  ['partial_cmp', 'PartialOrd'],
  ['hash', 'Hash'],
  ['fmt', 'Debug'],
])

/** Each as `Type Trait`: a type's attributes stand above it, without an empty line between. */
function derivedTraits(text: string): ReadonlySet<string> {
  const derived = new Set<string>()
  let from = 0
  for (const type of text.matchAll(/\b(?:struct|enum|union) ([A-Za-z_]\w*)/g)) {
    const above = text.slice(from, type.index)
    for (const [, traits = ''] of above
      .slice(above.lastIndexOf('\n\n') + 1)
      .matchAll(/#\[derive\(([^)#]{0,1000})\)/g))
      for (const trait of traits.split(/\W+/)) derived.add(`${type[1]} ${trait}`)
    from = type.index
  }
  return derived
}

/** Stated with `declare`, or added in `declare global {…}`: the thing itself is of the platform, or of another script. */
async function isDeclaredOnly({ path, symbol, language }: SymbolSubject, base: World): Promise<boolean> {
  if ((language !== 'typescript' && language !== 'tsx') || isDeclarationFile(path)) return false
  const declared = await base.once(`declared lines ${path}`, async () =>
    declaredLines((await base.text(path)) ?? ''),
  )
  return declared[symbol.startLine - 1] ?? false
}

/** By line from 0: whether the outermost statement that it belongs to is a `declare`. */
function declaredLines(text: string): readonly boolean[] {
  if (!text.includes('declare')) return []
  let isDeclared = false
  return text.split('\n').map((line) => {
    if (/^[^\s}]/.test(line)) isDeclared = /^declare\b/.test(line)
    return isDeclared
  })
}
