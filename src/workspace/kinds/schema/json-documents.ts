/** JSON Schema documents that name themselves by `$id`, and references to those of others. */
import type { Provided, SourceTree } from '../../contract.ts'
import { memberOf } from '../payload/field.ts'
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
export const schemaMark = /["']?\$(?:id|ref|schema)["']?[ \t]{0,9}[:=]/

/** The schema that the document is, and each of its definitions. With a tree, `$ref` to its files are followed. */
export async function jsonSchemas(
  path: string,
  text: string,
  tree: SourceTree | null,
): Promise<Provided<SchemaShape>[]> {
  const documents = await readLinked(path, text, tree)
  const root = documents.get(path)
  const id = textOf(childOf(root, '$id'))
  if (!root || id === null || id.startsWith('#')) return []
  const follow = followIn(documents)
  const provide = (name: string, node: DataNode, line: number, endLine: number): Provided<SchemaShape> => {
    const fields = schemaFields({ path, node }, follow)
    const closed = childOf(node, 'additionalProperties')
    const isClosed = closed?.kind === 'scalar' && closed.value === false
    const avroAlone = { aliases: {}, hasSymbolDefault: false }
    return {
      path,
      line,
      endLine,
      name,
      shape: { format: 'json-schema', id: name, fields, isClosed, ...avroAlone },
    }
  }
  const name = plainId(id)
  const definitions = ['$defs', 'definitions'].flatMap((key) =>
    entriesOf(childOf(root, key)).map(([one, { value, line, endLine }]) =>
      provide(`${name}#/${key}/${one}`, value, line, endLine),
    ),
  )
  return [provide(name, root, entryOf(root, '$id')?.line ?? root.line, root.endLine), ...definitions]
}

export type Instance = {
  id: string
  line: number
  endLine: number
  values: readonly { field: string; value: string | null; type: string; line: number; endLine: number }[]
}

const mostValues = 500

/** A document that names its schema, by `$schema` or in the comment that editors read. Null for a schema and for any other. */
export function instanceIn(path: string, text: string): Instance | null {
  const comment = /^#[ \t]{0,9}yaml-language-server:[ \t]{0,9}\$schema=(\S{1,300})/m.exec(text)
  const root = readData(path, text)
  const entry = entryOf(root, '$schema')
  const id = textOf(entry?.value) ?? comment?.[1]
  if (root?.kind !== 'map' || id === undefined || /^https?:\/\/json-schema\.org\//.test(id)) return null
  const values: Instance['values'][number][] = []
  read(root, '')
  const line = entry?.line ?? text.slice(0, comment?.index ?? 0).split('\n').length
  return { id: plainId(id), line, endLine: line, values }

  function read(node: DataNode, above: string): void {
    for (const [key, { value, line, endLine }] of entriesOf(node)) {
      if (values.length >= mostValues || (above === '' && key === '$schema')) continue
      const field = memberOf(above, key)
      values.push({ field, value: textOf(value), type: jsonType(value), line, endLine })
      if (value.kind === 'map') read(value, field)
    }
  }
}

function jsonType(node: DataNode): string {
  if (node.kind !== 'scalar') return node.kind === 'map' ? 'object' : 'array'
  if (node.value === null) return 'null'
  return typeof node.value === 'number' && Number.isInteger(node.value) ? 'integer' : typeof node.value
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
