/**
 * What changed lines name and no rule of their language leads to: a member of a value of unknown type, a module found by
 * settings of a build. It is shown where one definition of the name is tied to the use by more than its name.
 */
import { folderOf, isTestPath } from '../../../base/file-paths.ts'
import { oncePer } from '../../../base/remembered.ts'
import type { FileFacts } from '../../../code-index/contract.ts'
import { languageOf } from '../../../code-index/language-of.ts'
import type { Definition, World } from '../../../code-index/resolve/contract.ts'
import { around, isFunction, symbolOf, symbolsNamed } from '../../../code-index/resolve/symbols.ts'
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { isEverywhere } from '../everywhere.ts'
import type { ChangedFile } from './changed-places.ts'
import type { Passage } from './contract.ts'
import { commonFolders, largestFile, wordsOfPlace } from './near-files.ts'
import { nameOf, passageOf, type UnresolvedName } from './passage-lists.ts'

const mostNames = 120
const mostFiles = 12
const shortestName = 3

/** In the order of the names, without what the diff shows. */
export async function definedNearby(
  head: Pick<RepoSnapshot, 'filesWithWords'>,
  world: World,
  {
    unresolved,
    files: changed,
  }: { unresolved: ReadonlyMap<string, UnresolvedName>; files: readonly ChangedFile[] },
  isOutOfTime: () => boolean,
): Promise<Passage[]> {
  const uses = [...unresolved].filter(([name]) => name.length >= shortestName).slice(0, mostNames)
  if (uses.length === 0) return []
  const holders = await head.filesWithWords(uses.map(([name]) => name))
  const shown = new Map(changed.map((one) => [one.file.path, one.shown]))
  const found: Passage[] = []
  for (const [name, use] of uses) {
    if (isOutOfTime()) break
    const files = holders.get(name) ?? []
    const definition = isEverywhere(files) ? null : await onlyDefinition(world, name, use, files)
    if (definition && !isWithin(symbolOf(definition), shown.get(definition.path)))
      found.push(passageOf(definition, `likely used by the change: ${nameOf(definition)}`))
  }
  return found
}

function isWithin({ startLine, endLine }: CodeSymbol, lines: ReadonlySet<number> = new Set()): boolean {
  for (let line = startLine; line <= endLine; line++) if (!lines.has(line)) return false
  return true
}

/** Of the files tied most closely those that define it decide: more than one definition says nothing. */
async function onlyDefinition(
  world: World,
  name: string,
  use: UnresolvedName,
  holders: readonly string[],
): Promise<Definition | null> {
  const { path: from, facts } = use
  const written = wordsIn(facts)
  const near = holders
    .filter((path) => languageOf(path) !== null && (isTestPath(from) || !isTestPath(path)))
    .filter((path) => path === from || (world.paths.entry(path)?.size ?? 0) <= largestFile)
    .map((path) => ({ path, tie: tieOf(path, from, written), common: commonFolders(path, from) }))
    .filter(({ tie }) => tie > 0)
    .sort((a, b) => b.tie - a.tie || b.common - a.common || (a.path < b.path ? -1 : 1))
    .slice(0, mostFiles)
  const read = await world.factsOf(near.map(({ path }) => path))
  const found = near.flatMap(({ path, tie }) => {
    const own = read.get(path)
    return own
      ? definitionsIn({ path, facts: own }, name, use).map((definition) => ({ definition, tie }))
      : []
  })
  const [best, second] = found
  return best && best.tie !== second?.tie ? best.definition : null
}

/** 3: the same file; 2: beside it; 1: the file names it. */
function tieOf(path: string, from: string, written: ReadonlySet<string>): number {
  if (path === from) return 3
  if (folderOf(path) === folderOf(from)) return 2
  return wordsOfPlace(path).some((word) => written.has(word)) ? 1 : 0
}

/** Without locals of functions that the use is not in. */
function definitionsIn(
  { path, facts }: Omit<Definition, 'index'>,
  name: string,
  use: UnresolvedName,
): Definition[] {
  return symbolsNamed(facts, name)
    .map((index) => ({ path, facts, index }))
    .filter((one) => {
      const { kind, isTest } = symbolOf(one)
      const outer = functionAround(one)
      const isSeen = !outer || (path === use.path && outer.startLine <= use.line && use.line <= outer.endLine)
      return kind !== 'impl' && !isTest && isSeen
    })
}

function functionAround({ facts, index }: Definition): CodeSymbol | null {
  const outer = around({ facts, enclosing: facts.parents[index] ?? null })
  return outer.flatMap((at) => facts.symbols[at] ?? []).find(isFunction) ?? null
}

/** The words by which a file names others. */
const wordsIn = oncePer(
  ({ imports, references }: FileFacts): ReadonlySet<string> =>
    new Set([
      ...imports.flatMap(({ source, imported }) => [...source.split(/\W+/), imported]),
      ...references.map(({ name }) => name),
    ]),
)
