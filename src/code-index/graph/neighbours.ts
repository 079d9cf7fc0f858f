/**
 * The neighbours of a definition: who uses it (every resolved use, gathered by the definition around it, and what holds
 * it), and what it uses itself.
 */
import { isTestPath } from '../../base/file-paths.ts'
import type { FileFacts, Reference, ReferenceRole } from '../contract.ts'
import { confidenceOf } from '../query/classify.ts'
import type { CodeTree, ReferenceEdge } from '../query/contract.ts'
import { siteOf } from '../query/definitions.ts'
import { findReferences } from '../query/references.ts'
import type { Definition, Meaning } from '../resolve/contract.ts'
import { resolveImport, resolveReference } from '../resolve/resolve.ts'
import { type EdgeKind, type GraphNode, type Neighbour, nodeKey } from './contract.ts'

const inwardKinds: Readonly<Record<ReferenceRole, EdgeKind>> = {
  call: 'calls',
  decorator: 'calls',
  type: 'type',
  extends: 'inherits',
  import: 'imports',
  export: 'imports',
  property: 'reads',
  write: 'reads',
  read: 'reads',
}

/** When a user names it in several ways, the one that says most. */
const order: readonly EdgeKind[] = ['tests', 'inherits', 'calls', 'type', 'reads', 'imports']

/** By path and line of the user. A file as a whole has no users here: its definitions have. */
export async function readInward(tree: CodeTree, node: GraphNode): Promise<Neighbour[]> {
  const { definition } = node
  if (!definition) return []
  const users = new Map<string, Neighbour>()
  for (const edge of (await findReferences(tree, definition)).references) {
    const user = await userOf(tree, edge)
    const found = { node: user, kind: kindOf(edge), backwards: true, confidence: edge.confidence }
    const known = users.get(nodeKey(user))
    if (!known || order.indexOf(found.kind) < order.indexOf(known.kind)) users.set(nodeKey(user), found)
  }
  const holder = { node: holderOf(definition), kind: 'holds', backwards: true, confidence: 1 } as const
  return [...users.values(), holder]
}

function kindOf({ role, path, within }: ReferenceEdge): EdgeKind {
  const kind = inwardKinds[role]
  return kind === 'calls' && (within?.isTest || isTestPath(path)) ? 'tests' : kind
}

async function userOf(tree: CodeTree, { path, within }: ReferenceEdge): Promise<GraphNode> {
  const facts = within && (await tree.world.facts(path))
  const index =
    facts?.symbols.findIndex(
      ({ nameLine, name, scope }) =>
        nameLine === within?.line && name === within.name && scope === within.scope,
    ) ?? -1
  if (!facts || index < 0) return { path, symbol: null, definition: null }
  return nodeOf({ path, facts, index })
}

function holderOf({ path, facts, index }: Definition): GraphNode {
  const parent = facts.parents[index] ?? null
  return parent === null ? { path, symbol: null, definition: null } : nodeOf({ path, facts, index: parent })
}

// What a definition, or a file, uses: everything its lines name that can be resolved.

/** Different names looked up for one node: a generated file may hold thousands. */
const mostNames = 200

const outwardKinds: Readonly<Partial<Record<Reference['role'], EdgeKind>>> = {
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
    const kind = outwardKinds[reference.role]
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

/** The symbol and everything inside it. Containers come before what they contain. */
function insideOf(facts: FileFacts, index: number): ReadonlySet<number> {
  const inside = new Set([index])
  for (const [at, parent] of facts.parents.entries())
    if (parent !== null && inside.has(parent)) inside.add(at)
  return inside
}

function membersOf(facts: FileFacts, index: number): number[] {
  return [...facts.parents.entries()].flatMap(([at, parent]) => (parent === index ? [at] : []))
}
