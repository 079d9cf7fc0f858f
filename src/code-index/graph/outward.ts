/** What a definition, or a file, uses: everything its lines name that can be resolved. */
import { isTestPath } from '../../base/file-paths.ts'
import type { FileFacts, Reference } from '../contract.ts'
import { confidenceOf } from '../query/confidence.ts'
import type { CodeTree } from '../query/contract.ts'
import { siteOf } from '../query/site.ts'
import type { Definition, Meaning } from '../resolve/contract.ts'
import { resolveImport, resolveReference } from '../resolve/resolve.ts'
import { type EdgeKind, type GraphNode, type Neighbour, nodeKey } from './contract.ts'

/** Different names looked up for one node: a generated file may hold thousands. */
const mostNames = 200

const kinds: Readonly<Partial<Record<Reference['role'], EdgeKind>>> = {
  call: 'calls',
  decorator: 'calls',
  type: 'type',
  extends: 'inherits',
  read: 'reads',
  write: 'reads',
  property: 'reads',
}

/** In the order of the source, each target once with its first kind. A file as a whole has its imports and members. */
export async function readOutward(tree: CodeTree, node: GraphNode): Promise<Neighbour[]> {
  const facts = node.definition?.facts ?? (await tree.world.facts(node.path))
  if (!facts) return []
  return node.definition ? await usedBy(tree, node.definition) : await heldBy(tree, node.path, facts)
}

async function usedBy(tree: CodeTree, { path, facts, index }: Definition): Promise<Neighbour[]> {
  const inside = insideOf(facts, index)
  const place = { path, facts, enclosing: index, text: await tree.world.text(path) }
  const isTest = facts.symbols[index]?.isTest || isTestPath(path)
  const asked = new Set<string>()
  const found = new Map<string, Neighbour>()
  for (const reference of facts.references) {
    const kind = kinds[reference.role]
    if (!kind || reference.enclosing === null || !inside.has(reference.enclosing)) continue
    const spelt = `${reference.receiver ?? ''}.${reference.name}`
    if (asked.has(spelt) || asked.size >= mostNames) continue
    asked.add(spelt)
    const meaning = await resolveReference(tree.world, place, reference)
    add(found, meaning, isTest && kind === 'calls' ? 'tests' : kind)
  }
  for (const symbol of membersOf(facts, index)) {
    const node = nodeOf({ path, facts, index: symbol })
    found.set(nodeKey(node), { node, kind: 'holds', backwards: false, confidence: 1 })
  }
  return [...found.values()]
}

/** Top-level definitions, and the definitions or files that its imports stand for. */
async function heldBy(tree: CodeTree, path: string, facts: FileFacts): Promise<Neighbour[]> {
  const place = { path, facts, enclosing: null, text: null }
  const found = new Map<string, Neighbour>()
  for (const fact of facts.imports.slice(0, mostNames)) {
    const meaning = await resolveImport(tree.world, place, fact)
    add(found, meaning, 'imports')
    if (meaning.kind === 'module' && tree.world.paths.has(meaning.module.path)) {
      const node = { path: meaning.module.path, symbol: null, definition: null }
      found.set(nodeKey(node), { node, kind: 'imports', backwards: false, confidence: 1 })
    }
  }
  for (const [index, parent] of facts.parents.entries()) {
    if (parent !== null) continue
    const node = nodeOf({ path, facts, index })
    found.set(nodeKey(node), { node, kind: 'holds', backwards: false, confidence: 1 })
  }
  return [...found.values()]
}

function add(found: Map<string, Neighbour>, meaning: Meaning, kind: EdgeKind): void {
  if (meaning.kind !== 'defined') return
  const confidence = confidenceOf(meaning.how, meaning.certainty)
  for (const definition of meaning.definitions) {
    const node = nodeOf(definition)
    const key = nodeKey(node)
    if (!found.has(key)) found.set(key, { node, kind, backwards: false, confidence })
  }
}

export function nodeOf(definition: Definition): GraphNode {
  return { path: definition.path, symbol: siteOf(definition), definition }
}

/** The symbol and everything inside it. Containers stand before what they contain. */
function insideOf(facts: FileFacts, index: number): ReadonlySet<number> {
  const inside = new Set([index])
  for (const [at, parent] of facts.parents.entries())
    if (parent !== null && inside.has(parent)) inside.add(at)
  return inside
}

function membersOf(facts: FileFacts, index: number): number[] {
  return [...facts.parents.entries()].flatMap(([at, parent]) => (parent === index ? [at] : []))
}
