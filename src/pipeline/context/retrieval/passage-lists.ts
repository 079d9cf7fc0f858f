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
import type { Definition } from '../../../code-index/resolve/contract.ts'
import { resolveReference } from '../../../code-index/resolve/resolve.ts'
import { fullName, isType, symbolOf } from '../../../code-index/resolve/symbols.ts'
import { type ChangedFile, changedDefinition, definitionAround } from './changed-places.ts'
import type { Passage } from './contract.ts'
import { commonFolders } from './near-files.ts'

const mostUsed = 120
const mostSeeds = 40
const mostUsers = 20
const mostSiblings = 40
const mostNeighbours = 80

/** Lines above and below a use at the top level of its file. */
const besideUse = 2

/** The first use of a name on a changed line. */
export type UnresolvedName = Pick<ChangedFile, 'facts'> & { path: string; line: number }

export type Used = {
  passages: Passage[]
  /** Names that no rule of their language leads to a definition. */
  unresolved: ReadonlyMap<string, UnresolvedName>
}

/** Definitions that changed lines name, types first, then those named most often. Those inside changed lines are left out. */
export async function usedPassages(
  tree: CodeTree,
  files: readonly ChangedFile[],
  isOutOfTime: () => boolean,
): Promise<Used> {
  const found = new Map<string, { definition: Definition; count: number }>()
  const unresolved = new Map<string, UnresolvedName>()
  const resolved = new Set<string>()
  const ordered = (): Used => {
    for (const name of resolved) unresolved.delete(name)
    return { passages: usedFirst(found), unresolved }
  }
  const changedAt = new Map(files.map(({ file, lines }) => [file.path, new Set(lines)]))
  for (const { file, facts, lines } of files) {
    const touched = new Set(lines)
    const place = { path: file.path, facts, enclosing: null, text: await tree.world.text(file.path) }
    for (const reference of facts.references) {
      if (!touched.has(reference.line) || found.size >= mostUsed) continue
      if (isOutOfTime()) return ordered()
      const meaning = await resolveReference(tree.world, place, reference)
      if (isOpen(meaning.kind) && !reference.shadowed && !unresolved.has(reference.name))
        unresolved.set(reference.name, { path: file.path, facts, line: reference.line })
      if (meaning.kind !== 'defined') continue
      resolved.add(reference.name)
      for (const definition of meaning.definitions) {
        const { nameLine } = symbolOf(definition)
        if (changedAt.get(definition.path)?.has(nameLine)) continue
        const key = `${definition.path}:${nameLine}`
        const known = found.get(key)
        if (known) known.count++
        else found.set(key, { definition, count: 1 })
      }
    }
  }
  return ordered()
}

/** Where the name leads is not known, or nothing is there. */
function isOpen(kind: string): boolean {
  return kind === 'unknown' || kind === 'missing'
}

function usedFirst(found: ReadonlyMap<string, { definition: Definition; count: number }>): Passage[] {
  return [...found.values()]
    .sort(
      (a, b) =>
        Number(isType(symbolOf(b.definition))) - Number(isType(symbolOf(a.definition))) || b.count - a.count,
    )
    .map(({ definition }) => passageOf(definition, `used by the change: ${nameOf(definition)}`))
}

export type Users = { callers: Passage[]; tests: Passage[] }

/**
 * Uses of the changed definitions, with the definition around each use, or the lines beside a use at the top level. The
 * seeds take turns, each with its surest and nearest uses first.
 */
export async function userPassages(
  tree: CodeTree,
  seeds: readonly Definition[],
  isOutOfTime: () => boolean,
): Promise<Users> {
  const ofSeeds: User[][] = []
  for (const seed of seeds) {
    if (isOutOfTime()) break
    ofSeeds.push(await usersOf(tree, seed))
  }
  const passages = new Map<string, User>()
  for (let turn = 0; turn < mostUsers; turn++)
    for (const users of ofSeeds) {
      const user = users[turn]
      if (!user) continue
      const key = `${user.passage.path}:${user.passage.startLine}`
      const known = passages.get(key)
      // One function may use several of them: every use of it must be seen.
      if (known) known.focus.push(...user.focus)
      else passages.set(key, user)
    }
  const all = [...passages.values()]
  const shown = (wanted: boolean) =>
    all.flatMap(({ passage, focus, isTest }) => (isTest === wanted ? [{ ...passage, focus }] : []))
  return { callers: shown(false), tests: shown(true) }
}

type User = { passage: Passage; focus: number[]; isTest: boolean }

async function usersOf(tree: CodeTree, seed: Definition): Promise<User[]> {
  const users = new Map<string, User & { confidence: number }>()
  const { references } = await findReferences(tree, seed)
  for (const { path, line, within, role, confidence } of references) {
    if (role === 'import' || role === 'export') continue
    const isTest = (within?.isTest ?? false) || isTestPath(path)
    const key = within ? `${path}:${within.line}` : `${path}:top:${line}`
    const known = users.get(key)
    if (known) {
      known.focus.push(line)
      continue
    }
    const { startLine, endLine } = within ?? {
      startLine: Math.max(1, line - besideUse),
      endLine: line + besideUse,
    }
    const title = `${isTest ? 'test' : 'user'} of ${nameOf(seed)}`
    users.set(key, { passage: { path, startLine, endLine, title }, focus: [line], isTest, confidence })
  }
  const nearness = (path: string) => commonFolders(path, seed.path)
  return [...users.values()]
    .sort((a, b) => b.confidence - a.confidence || nearness(b.passage.path) - nearness(a.passage.path))
    .slice(0, mostUsers)
}

/** The definitions that changed, without those of tests: of a type only if its own lines did, not those of a member. */
export function seedDefinitions(files: readonly ChangedFile[]): Definition[] {
  const seeds = new Map<string, Definition>()
  for (const changed of files)
    for (const line of changed.lines) {
      const definition = changedDefinition(changed, line)
      if (definition && seeds.size < mostSeeds)
        seeds.set(`${definition.path}:${definition.index}`, definition)
    }
  return [...seeds.values()].filter((one) => !symbolOf(one).isTest)
}

/** What is next to the change: other members of its type, or other definitions of its file, the nearest first. */
export function siblingPassages(files: readonly ChangedFile[]): Passage[] {
  const found = new Map<string, { passage: Passage; distance: number }>()
  for (const changed of files) {
    const { file, facts, lines } = changed
    if (file.role === 'test') continue
    const holders = new Set(
      lines
        .map((line) => definitionAround(changed, line)?.index)
        .map((at) => (at === undefined ? null : (facts.parents[at] ?? null))),
    )
    for (const [index, symbol] of facts.symbols.entries()) {
      const { startLine, endLine, kind } = symbol
      if (!holders.has(facts.parents[index] ?? null) || (kind !== 'function' && kind !== 'method')) continue
      if (lines.some((line) => startLine <= line && line <= endLine)) continue
      const distance = Math.min(
        ...lines.map((line) => Math.min(Math.abs(line - startLine), Math.abs(line - endLine))),
      )
      const definition = { path: file.path, facts, index }
      const passage = passageOf(definition, `next to the change: ${nameOf(definition)}`)
      found.set(`${file.path}:${startLine}`, { passage, distance })
    }
  }
  return [...found.values()]
    .sort((a, b) => a.distance - b.distance)
    .slice(0, mostSiblings)
    .map(({ passage }) => passage)
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
    straight: true,
    isOutOfTime,
  })
  const ranked = rankNeighbours(graph)
  const reachedBackwards = new Map(ranked.map(({ node, tie }) => [node, isBackwards(tie)]))
  const passages = ranked.flatMap(({ node, tie, of }) => {
    // What the change calls did not change: who else calls it says nothing.
    const leadsAstray = isBackwards(tie) && reachedBackwards.get(of) === false
    if (!node.definition || leadsAstray) return []
    const passage = passageOf(node.definition, `${nameIn(of)} ${tie} ${nameIn(node)}`)
    const uses = isBackwards(tie) && of.definition ? usesWithin(node.definition, of.definition) : []
    return [{ ...passage, focus: [...(passage.focus ?? []), ...uses] }]
  })
  return { passages: passages.slice(0, mostNeighbours), graph }
}

/** The lines of a definition that name the other one: it may be too long to be shown whole. */
function usesWithin(user: Definition, used: Definition): number[] {
  const { startLine, endLine } = symbolOf(user)
  const { name } = symbolOf(used)
  return user.facts.references
    .filter((one) => one.name === name && startLine <= one.line && one.line <= endLine)
    .map(({ line }) => line)
}

/** From a definition to those that use it. */
function isBackwards(tie: string): boolean {
  return tie.endsWith(' by')
}

function nameIn({ path, definition }: GraphNode): string {
  return definition ? nameOf(definition) : path
}

/** A type that is too long to be shown whole is shown by its members. */
export function passageOf(definition: Definition, title: string): Passage {
  const { path, facts, index } = definition
  const symbol = symbolOf(definition)
  const members = isType(symbol)
    ? facts.symbols.flatMap(({ nameLine }, at) => (facts.parents[at] === index ? [nameLine] : []))
    : []
  return { path, startLine: symbol.startLine, endLine: symbol.endLine, title, focus: members }
}

export function nameOf(definition: Definition): string {
  return fullName(symbolOf(definition))
}
