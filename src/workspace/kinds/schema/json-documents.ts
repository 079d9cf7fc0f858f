/** JSON Schema documents that name themselves by `$id`, and references to those of others. */
import type { Provided, SourceTree } from '../../contract.ts'
import { schemaFields } from '../payload/json-schema.ts'
import {
  childOf,
  type DataNode,
  entriesOf,
  entryOf,
  itemsOf,
  readData,
  textOf,
} from '../reading/data-tree.ts'
import { followIn, readLinked } from '../reading/linked-documents.ts'
import { plainId, type SchemaShape } from './shape.ts'

export const schemaPath = /\.(?:json|ya?ml)$/i

/** What a schema, or a document that refers to one, has. */
export const schemaMark = /["']?\$(?:id|ref)["']?[ \t]{0,9}:/

/** With `$ref` to files of the tree followed; without a tree, only within the document. */
export async function jsonSchema(
  path: string,
  text: string,
  tree: SourceTree | null,
): Promise<Provided<SchemaShape> | null> {
  const nothing: SourceTree = { paths: async () => [], read: async () => [] }
  const documents = await readLinked(path, text, tree ?? nothing)
  const node = documents.get(path)
  const id = textOf(childOf(node, '$id'))
  if (!node || id === null || id.startsWith('#')) return null
  const fields = schemaFields({ path, node }, followIn(documents))
  const name = plainId(id)
  return {
    path,
    line: entryOf(node, '$id')?.line ?? node.line,
    endLine: node.endLine,
    name,
    shape: { format: 'json-schema', id: name, fields, aliases: {}, hasSymbolDefault: false },
  }
}

export type Reference = { id: string; pointer: string; line: number }

const mostReferences = 500

/** `$ref` to what has its own address. */
export function referencesIn(path: string, text: string): Reference[] {
  const root = readData(path, text)
  const found: Reference[] = []
  const seen = new Set<DataNode>()
  const waiting = root ? [root] : []
  for (let node = waiting.pop(); node && found.length < mostReferences; node = waiting.pop()) {
    if (seen.has(node)) continue
    seen.add(node)
    const entry = entryOf(node, '$ref')
    const target = textOf(entry?.value)
    if (entry && target !== null && /^[a-z][a-z0-9+.-]{1,20}:/i.test(target)) {
      const hash = target.indexOf('#')
      const id = hash < 0 ? target : target.slice(0, hash)
      found.push({ id, pointer: hash < 0 ? '' : target.slice(hash + 1), line: entry.line })
    }
    waiting.push(...entriesOf(node).map(([, { value }]) => value), ...itemsOf(node))
  }
  return found.sort((a, b) => a.line - b.line)
}
