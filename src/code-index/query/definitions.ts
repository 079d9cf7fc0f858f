/** Where a name is defined, which definition a name or a line means, what a file defines, and how answers describe it. */

import { count } from '../../base/count.ts'
import { cutAt } from '../../base/trim-text.ts'
import type { CodeSymbol } from '../../domain/code-symbol.ts'
import type { FileFacts } from '../contract.ts'
import { languageOf, mayBeScript, mayBeXml } from '../language-of.ts'
import type { Definition } from '../resolve/contract.ts'
import { linkageOf } from '../resolve/languages/c-linkage.ts'
import { resolverOf } from '../resolve/languages/registry.ts'
import { linesOf } from '../resolve/lines.ts'
import { fullName, symbolOf, symbolsNamed } from '../resolve/symbols.ts'
import type {
  CodeTree,
  DefinitionsAnswer,
  Emptiness,
  OutlineAnswer,
  OutlineEntry,
  SymbolSite,
  UnresolvedUse,
} from './contract.ts'
import { makingOf } from './made-names.ts'
import { type Doubtful, describeUnread, mayDefine, mayUse, unreadOf } from './occurrences.ts'
import { otherDefinitionOf } from './other-names.ts'
import { unreadWith } from './unread-files.ts'

type Place = { readonly path: string; readonly line: number }

/** Every definition of a name, or of a qualified one (`Store.load`, `Store::load`), by path and line; or the one at a place. */
export async function findDefinitions(tree: CodeTree, name: string): Promise<DefinitionsAnswer> {
  const place = placeOf(name)
  if (place) {
    const definitions = (await definitionAt(tree, place)).map(siteOf)
    const { state, why } = await outlineFile(tree, place.path)
    const isEvidence = state === 'indexed' || state === 'absent'
    const none = { isEvidence, why: why ?? 'nothing is defined at this line or around it' }
    return { name, definitions, textOnly: [], emptiness: definitions.length > 0 ? null : none }
  }
  const definitions = await definitionsNamed(tree, name)
  const mentioned = await pathsWith(tree, lastWord(name))
  const textOnly = await textOnlyAmong(tree, mentioned)
  return {
    name,
    definitions: definitions.map(siteOf),
    textOnly,
    emptiness: definitions.length > 0 ? null : await whyNone(tree, lastWord(name), mentioned, textOnly),
  }
}

/** By path and line; remembered in the tree, and not to be changed. */
export function definitionsNamed(tree: CodeTree, name: string): Promise<readonly Definition[]> {
  return tree.world.once(`definitions ${name}`, () => lookUp(tree, name))
}

async function lookUp(tree: CodeTree, name: string): Promise<readonly Definition[]> {
  const parts = name.split(/\.|::|#/).filter((part) => part !== '')
  const word = parts.at(-1)
  if (word === undefined) return []
  const wanted = parts.join('.')
  const found: Definition[] = []
  for (const [path, facts] of await tree.world.factsOf(await tree.definers(word)))
    for (const index of [...symbolsNamed(facts, word), ...symbolsNamed(facts, `#${word}`)]) {
      const symbol = facts.symbols[index]
      if (!symbol || !canBeNamed(symbol)) continue
      const full = fullName(symbol).replaceAll('#', '')
      if (full === wanted || full.endsWith(`.${wanted}`)) found.push({ path, facts, index })
    }
  return found.sort(byPlace)
}

/**
 * What a question is about: `src/a.ts:12` means the definition whose name is on that line, else the innermost one
 * around it; anything else is a name. Several signatures of one thing count once.
 */
export async function findTargets(tree: CodeTree, asked: string): Promise<Definition[]> {
  const place = placeOf(asked)
  if (place) return definitionAt(tree, place)
  const all = await definitionsNamed(tree, asked)
  return all.filter((one, at) => all.findIndex((other) => isSameThing(other, one)) === at)
}

/** `src/a.ts:12`; no name of any language ends like this. */
function placeOf(asked: string): Place | null {
  const [, file, line] = /^(.*[^:]):(\d{1,9})$/.exec(asked) ?? []
  return file === undefined ? null : { path: file.replace(/^(?:\.\/)+/, ''), line: Number(line) }
}

async function definitionAt(tree: CodeTree, { path, line }: Place): Promise<Definition[]> {
  const facts = await tree.world.facts(path)
  if (!facts) return []
  const { symbols } = facts
  const named = symbols.findIndex((symbol) => symbol.nameLine === line && symbol.kind !== 'impl')
  const around = symbols.findLastIndex(
    ({ kind, startLine, endLine }) => kind !== 'impl' && startLine <= line && line <= endLine,
  )
  const index = named >= 0 ? named : around
  return index < 0 ? [] : [{ path, facts, index }]
}

/** An impl block is named by its type, and a test with a title in quotes has no name. */
function canBeNamed({ kind, isTest, signature }: CodeSymbol): boolean {
  if (kind === 'impl' || kind === 'package') return false
  return !isTest || !/^[\w.]+\(\s*['"`]/.test(signature.text)
}

async function pathsWith(tree: CodeTree, word: string): Promise<readonly string[]> {
  return (await tree.mentions([word])).get(word) ?? []
}

function lastWord(name: string): string {
  return name.split(/\.|::|#/).at(-1) ?? name
}

async function whyNone(
  tree: CodeTree,
  word: string,
  mentioned: readonly string[],
  textOnly: readonly string[],
): Promise<Emptiness> {
  const languages = new Set(mentioned.flatMap((path) => languageOf(path) ?? []))
  const [large] = await unreadWith(tree, [word], languages)
  if (large !== undefined) return { isEvidence: false, why: `\`${large}\` is too large to be read` }
  if (mentioned.length === 0)
    return { isEvidence: true, why: `no text file of this tree contains the word \`${word}\`` }
  const unparsed = unparsedAmong(tree, mentioned)
  if (unparsed.length > 0)
    return { isEvidence: false, why: `${unparsed.length} of the files that mention it could not be parsed` }
  if (textOnly.length > 0)
    return {
      isEvidence: false,
      why: `${textOnly.length} of the files that mention it are text only: their languages are not indexed`,
    }
  const lost = await lostIn(tree, mentioned)
  if (lost !== null)
    return { isEvidence: false, why: `a part of \`${lost}\`, which mentions it, was not read` }
  const [first] = await unreadAmong(tree, mentioned, [word], mayDefine)
  const [near = ''] = mentioned
  const maker =
    first ??
    (await otherDefinitionOf(tree, word, languages)) ??
    (await makingOf(tree, word, [...languages], near))
  if (maker)
    return { isEvidence: false, why: `it may be defined at \`${maker.path}:${maker.line}\`: ${maker.why}` }
  return {
    isEvidence: true,
    why: `it is mentioned in ${count(mentioned.length, 'indexed file')} and defined in none`,
  }
}

/** Where the grammar of C fails on a macro, what it reads around it may be something else than it says. */
async function lostIn(tree: CodeTree, mentioned: readonly string[]): Promise<string | null> {
  for (const [path, { language, errorLines }] of await tree.world.factsOf(mentioned))
    if (/^(?:c|cpp)$/.test(language) && errorLines.length > 0) return path
  return null
}

/** Files whose text is read for what the parser did not see; past them nothing is proved. */
const mostRead = 400

/**
 * Where the words stand in these files without being read as code, in their order: each may be what an empty answer did
 * not find. Files that are not indexed are left out.
 */
export async function unreadAmong(
  tree: CodeTree,
  paths: readonly string[],
  words: readonly string[],
  isDoubtful: Doubtful = mayUse,
): Promise<UnresolvedUse[]> {
  const asked = paths.slice(0, mostRead)
  const texts = await tree.world.texts(asked)
  const found: UnresolvedUse[] = []
  for (const [path, facts] of await tree.world.factsOf(asked)) {
    const text = texts.get(path)
    if (text === undefined) continue
    for (const word of words)
      for (const occurrence of unreadOf(facts, text, word, isDoubtful)) {
        const { line } = occurrence
        found.push({
          path,
          line,
          role: 'read',
          text: quotedLine(facts, text, line),
          why: describeUnread(occurrence),
        })
      }
  }
  const [next] = paths.slice(mostRead)
  const left = count(paths.length - mostRead, 'file that mentions it was', 'files that mention it were')
  if (next !== undefined) found.push({ path: next, line: 1, role: 'read', text: '', why: `${left} not read` })
  return found
}

function byPlace(a: Definition, b: Definition): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return symbolOf(a).nameLine - symbolOf(b).nameLine || a.index - b.index
}

// Files that the index cannot see into.

/** Those whose language has no table. */
export async function textOnlyAmong(tree: CodeTree, paths: readonly string[]): Promise<string[]> {
  const told = (path: string) => mayBeScript(path) || mayBeXml(path)
  const code = await tree.world.factsOf(paths.filter(told))
  const unparsed = new Set(unparsedAmong(tree, paths))
  return paths.filter((path) => (told(path) ? !code.has(path) && !unparsed.has(path) : isTextOnly(path)))
}

/** The same paths come again with every question. */
const known = new Map<string, boolean>()
const mostKnown = 200_000

function isTextOnly(path: string): boolean {
  let answer = known.get(path)
  if (answer === undefined) {
    answer = languageOf(path) === null
    if (known.size >= mostKnown) known.clear()
    known.set(path, answer)
  }
  return answer
}

/** Those that the parser gave up on. Only files that were asked for are known. */
export function unparsedAmong(tree: CodeTree, paths: readonly string[]): string[] {
  if (tree.failures.length === 0) return []
  const failed = new Set(tree.failures.map(({ path }) => path))
  return paths.filter((path) => failed.has(path))
}

// What a file defines, nested as it is written.

/** Never throws for a file that cannot be read: `state` tells. */
export async function outlineFile(tree: CodeTree, path: string): Promise<OutlineAnswer> {
  const empty = { path, language: languageOf(path), lines: null, symbols: [], errorLines: [] }
  if (!tree.world.paths.has(path)) return { ...empty, state: 'absent', why: 'there is no file at this path' }
  const facts = await tree.world.facts(path)
  if (facts)
    return {
      path,
      state: 'indexed',
      why: null,
      language: facts.language,
      lines: facts.lineCount,
      symbols: nest(path, facts),
      errorLines: facts.errorLines.map((range) => ({ ...range })),
    }
  const text = await tree.world.text(path)
  if (text === null)
    return { ...empty, state: 'unparsed', why: 'it is binary, too large, or its object is missing' }
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  if (languageOf(path, text) === null)
    return {
      ...empty,
      language: null,
      lines,
      state: 'text only',
      why: 'its language is not indexed; it can be searched as text',
    }
  const failure = tree.failures.find((one) => one.path === path)
  return { ...empty, lines, state: 'unparsed', why: `the parser gave up: ${failure?.reason ?? 'unknown'}` }
}

function nest(path: string, facts: FileFacts): OutlineEntry[] {
  const entries = facts.symbols.map((symbol, index) => ({
    ...siteOf({ path, facts, index }),
    doc: symbol.doc,
    members: [] as OutlineEntry[],
  }))
  return entries.filter((entry, index) => {
    const holder = facts.parents[index] ?? null
    const around = holder === null || holder === index ? undefined : entries[holder]
    around?.members.push(entry)
    return around === undefined
  })
}

// How answers describe a definition or a line.

const longestLine = 200
const longestSignature = 300

export function siteOf(definition: Definition): SymbolSite {
  const { name, scope, kind, visibility, nameLine, startLine, endLine, signature, isTest } =
    symbolOf(definition)
  return {
    path: definition.path,
    line: nameLine,
    startLine,
    endLine,
    name,
    scope,
    kind,
    visibility,
    signature: cutAt(signature.text, longestSignature),
    language: definition.facts.language,
    isTest,
  }
}

export function siteAt(path: string, facts: FileFacts, index: number | null): SymbolSite | null {
  return index === null || !facts.symbols[index] ? null : siteOf({ path, facts, index })
}

/**
 * Two definitions of one thing: the same symbol, another signature of it, or in C its declaration and its `typedef`.
 * Where overloads are things of their own (Java) only the same symbol counts.
 */
export function isSameThing(a: Definition, b: Definition): boolean {
  if (a.path === b.path && a.index === b.index) return true
  const linkage = linkageOf(a, b)
  if (linkage !== null) return linkage === 'one'
  const language = resolverOf(a.facts.language)
  if (language?.isOneType?.(a, b)) return true
  if (a.path !== b.path) return false
  if (language?.inheritsOverloads) return false
  const [left, right] = [symbolOf(a), symbolOf(b)]
  return left.name === right.name && left.scope === right.scope && left.kind === right.kind
}

/** One line as an answer quotes it: trimmed, and cut when it is long. */
export function quotedLine(facts: FileFacts, text: string | null, line: number): string {
  return text === null ? '' : cutAt(linesOf(facts, text).at(line).trim(), longestLine)
}
