/** The lists that come of resolved code: what surrounds the changed lines, what they use, and who uses what changed. */
import { isTestPath } from '../../../base/file-paths.ts'
import type { CodeGraph, GraphNode } from '../../../code-index/graph/contract.ts'
import { readNeighbourhood } from '../../../code-index/graph/neighbourhood.ts'
import { nodeOf } from '../../../code-index/graph/neighbours.ts'
import { rankNeighbours } from '../../../code-index/graph/rank-neighbours.ts'
import type { CodeTree } from '../../../code-index/query/contract.ts'
import { findReferences } from '../../../code-index/query/references.ts'
import type { Definition } from '../../../code-index/resolve/contract.ts'
import { resolveReference } from '../../../code-index/resolve/resolve.ts'
import { symbolOf } from '../../../code-index/resolve/symbols.ts'
import { type ChangedFile, definitionAround } from './changed-places.ts'
import type { Passage } from './contract.ts'
import { nameOf, passageAround, passageOf } from './passage.ts'

const mostUsed = 120
const mostSeeds = 40
const mostNeighbours = 80

/**
 * What stands around the changed lines in their definitions and is not in the diff already, in the order of the change;
 * of long definitions only what is near.
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

/** The stretches of a passage that the diff does not show; a single line between two hunks is no stretch. */
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
