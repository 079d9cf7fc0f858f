/**
 * The lists of passages around a change. Resolved code gives what surrounds the changed lines, what they use and what uses
 * them; words and history give similar code, and files that usually change together with the changed ones.
 */
import { isTestPath } from '../../../base/file-paths.ts'
import type { CodeGraph, GraphNode } from '../../../code-index/graph/contract.ts'
import { readNeighbourhood } from '../../../code-index/graph/neighbourhood.ts'
import { nodeOf } from '../../../code-index/graph/neighbours.ts'
import { rankNeighbours } from '../../../code-index/graph/rank-neighbours.ts'
import type { CodeTree } from '../../../code-index/query/contract.ts'
import { findReferences } from '../../../code-index/query/references.ts'
import { fuseSignals } from '../../../code-index/related/fuse-signals.ts'
import { readHistorySignals, readPathSignal } from '../../../code-index/related/signals.ts'
import type { Definition } from '../../../code-index/resolve/contract.ts'
import { resolveReference } from '../../../code-index/resolve/resolve.ts'
import { fullName, symbolOf } from '../../../code-index/resolve/symbols.ts'
import type { CodeSearch } from '../../../code-index/search/search.ts'
import type { ChangeSet } from '../../../domain/change-set.ts'
import type { HistoryCommit, RepoSnapshot } from '../../../domain/snapshot.ts'
import { type ChangedFile, definitionAround } from './changed-places.ts'
import type { Passage } from './contract.ts'

const mostUsed = 120
const mostSeeds = 40
const mostNeighbours = 80
const mostHits = 40
const mostPartners = 12
const mostSeedFiles = 30

/**
 * The rest of the definitions around the changed lines, as far as the diff does not show it, in the order of the change;
 * of long definitions only the lines nearby.
 */
export function enclosingPassages(files: readonly ChangedFile[]): Passage[] {
  const found = new Map<string, Passage>()
  for (const changed of files)
    for (const line of changed.lines) {
      const definition = definitionAround(changed, line)
      if (!definition) continue
      const passage = passageAround(definition, line, `around the change: ${nameOf(definition)}`)
      for (const gap of gapsOf(passage, changed.shown)) {
        const key = `${gap.path}:${gap.startLine}`
        const known = found.get(key)
        if (!known || known.endLine < gap.endLine) found.set(key, gap)
      }
    }
  return [...found.values()]
}

/** The parts of a passage that the diff does not show, of two lines or more. */
function gapsOf({ path, startLine, endLine, title }: Passage, shown: ReadonlySet<number>): Passage[] {
  const gaps: Passage[] = []
  for (let line = startLine; line <= endLine; line++) {
    if (shown.has(line)) continue
    const last = gaps.at(-1)
    if (last && last.endLine === line - 1) last.endLine = line
    else gaps.push({ path, startLine: line, endLine: line, title })
  }
  return gaps.filter((gap) => gap.endLine > gap.startLine)
}

/** Definitions that changed lines name, those named most often first. Definitions inside changed lines are left out. */
export async function usedPassages(
  tree: CodeTree,
  files: readonly ChangedFile[],
  isOutOfTime: () => boolean,
): Promise<Passage[]> {
  const found = new Map<string, { passage: Passage; count: number }>()
  const changedAt = new Map(files.map(({ file, lines }) => [file.path, new Set(lines)]))
  for (const { file, facts, lines } of files) {
    const touched = new Set(lines)
    const place = { path: file.path, facts, enclosing: null, text: await tree.world.text(file.path) }
    for (const reference of facts.references) {
      if (!touched.has(reference.line) || found.size >= mostUsed) continue
      if (isOutOfTime()) return ordered(found)
      const meaning = await resolveReference(tree.world, place, reference)
      if (meaning.kind !== 'defined') continue
      for (const definition of meaning.definitions) {
        const { nameLine } = symbolOf(definition)
        if (changedAt.get(definition.path)?.has(nameLine)) continue
        const key = `${definition.path}:${nameLine}`
        const known = found.get(key)
        if (known) known.count++
        else
          found.set(key, {
            passage: passageOf(definition, `used by the change: ${nameOf(definition)}`),
            count: 1,
          })
      }
    }
  }
  return ordered(found)
}

function ordered(found: ReadonlyMap<string, { passage: Passage; count: number }>): Passage[] {
  return [...found.values()].sort((a, b) => b.count - a.count).map(({ passage }) => passage)
}

export type Users = { callers: Passage[]; tests: Passage[] }

/** Uses of the changed definitions, with the definition around each use. */
export async function userPassages(
  tree: CodeTree,
  seeds: readonly Definition[],
  isOutOfTime: () => boolean,
): Promise<Users> {
  const callers: Passage[] = []
  const tests: Passage[] = []
  const seen = new Set<string>()
  for (const seed of seeds) {
    if (isOutOfTime()) break
    for (const { path, line, within, role } of (await findReferences(tree, seed)).references) {
      if (role === 'import' || role === 'export' || within === null) continue
      const key = `${path}:${within.line}`
      if (seen.has(key)) continue
      seen.add(key)
      const facts = await tree.world.facts(path)
      const index =
        facts?.symbols.findIndex(({ nameLine, name }) => nameLine === within.line && name === within.name) ??
        -1
      if (!facts || index < 0) continue
      const isTest = within.isTest || isTestPath(path)
      const title = `${isTest ? 'test' : 'user'} of ${nameOf(seed)}`
      ;(isTest ? tests : callers).push(passageAround({ path, facts, index }, line, title))
    }
  }
  return { callers, tests }
}

/** The definitions that changed, deepest first seen, without those of tests. */
export function seedDefinitions(files: readonly ChangedFile[]): Definition[] {
  const seeds = new Map<string, Definition>()
  for (const changed of files)
    for (const line of changed.lines) {
      const definition = definitionAround(changed, line)
      if (definition && seeds.size < mostSeeds)
        seeds.set(`${definition.path}:${definition.index}`, definition)
    }
  return [...seeds.values()].filter((one) => !symbolOf(one).isTest)
}

export async function neighbourPassages(
  tree: CodeTree,
  seeds: readonly Definition[],
  isOutOfTime: () => boolean,
): Promise<{ passages: Passage[]; graph: CodeGraph }> {
  const graph = await readNeighbourhood({
    tree,
    seeds: seeds.map(nodeOf),
    changesWith: () => new Map(),
    limits: { depth: 2, nodes: 400, perNode: 30 },
    isOutOfTime,
  })
  const passages = rankNeighbours(graph).flatMap(({ node, tie, of }) =>
    node.definition ? [passageOf(node.definition, `${nameIn(of)} ${tie} ${nameIn(node)}`)] : [],
  )
  return { passages: passages.slice(0, mostNeighbours), graph }
}

function nameIn({ path, definition }: GraphNode): string {
  return definition ? nameOf(definition) : path
}

/** Chunks that share words with the changed lines. */
export async function lookAlikes(search: CodeSearch, words: readonly string[]): Promise<Passage[]> {
  if (words.length === 0) return []
  const { hits } = await search.search(words.join(' '), mostHits)
  return hits.map(({ path, startLine, endLine }) => ({
    path,
    startLine,
    endLine: Math.min(endLine, startLine + 59),
    title: 'has words of the change',
  }))
}

/** Files that belong to the changed ones, by history and by path, best first. */
export async function partnerFiles(
  change: ChangeSet,
  head: RepoSnapshot,
  commits: readonly HistoryCommit[],
): Promise<string[]> {
  const seeds = change.files.slice(0, mostSeedFiles).map(({ path, oldPath }) => oldPath ?? path)
  const tree = (await head.list()).filter(({ mode }) => mode.startsWith('100')).map(({ path }) => path)
  const present = new Set(tree)
  const changed = new Set(change.files.map(({ path }) => path))
  const signals = { ...readHistorySignals(commits, seeds), path: readPathSignal(tree, seeds) }
  return fuseSignals(signals, (path) => present.has(path) && !changed.has(path))
    .slice(0, mostPartners)
    .map(({ path }) => path)
}

/** A definition that fits is shown whole; of a longer one the beginning, or the lines around one of them. */
const wholeLines = 60
const headLines = 25
const aroundLines = 12

function passageOf(definition: Definition, title: string): Passage {
  const { startLine, endLine } = symbolOf(definition)
  const last = endLine - startLine < wholeLines ? endLine : startLine + headLines - 1
  return { path: definition.path, startLine, endLine: last, title }
}

/** The whole definition when it fits, else the lines around `line` inside of it. */
function passageAround(definition: Definition, line: number, title: string): Passage {
  const { startLine, endLine } = symbolOf(definition)
  if (endLine - startLine < wholeLines) return { path: definition.path, startLine, endLine, title }
  return {
    path: definition.path,
    startLine: Math.max(startLine, line - aroundLines),
    endLine: Math.min(endLine, line + aroundLines),
    title,
  }
}

function nameOf(definition: Definition): string {
  return fullName(symbolOf(definition))
}
