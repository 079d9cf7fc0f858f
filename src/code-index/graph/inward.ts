/** Who uses a definition: every resolved use, gathered by the definition around it, and what holds it. */
import { isTestPath } from '../../base/file-paths.ts'
import type { ReferenceRole } from '../contract.ts'
import type { CodeTree, ReferenceEdge } from '../query/contract.ts'
import { findReferences } from '../query/references.ts'
import type { Definition } from '../resolve/contract.ts'
import { type EdgeKind, type GraphNode, type Neighbour, nodeKey } from './contract.ts'
import { nodeOf } from './outward.ts'

const kinds: Readonly<Record<ReferenceRole, EdgeKind>> = {
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
  const kind = kinds[role]
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
