/** Named types of Avro schemas: each record, enumeration and fixed type by its full name. */
import type { Provided } from '../../contract.ts'
import type { Field } from '../payload/field.ts'
import { childOf, type DataNode, entryOf, itemsOf, readData, textOf } from '../reading/data-tree.ts'
import type { SchemaShape } from './shape.ts'

export const avroPath = /\.avsc$|\.avpr$/i

const maximumDepth = 40

export function avroSchemas(path: string, text: string): Provided<SchemaShape>[] {
  const root = readData(path, text)
  const found: Provided<SchemaShape>[] = []
  const types = root?.kind === 'list' ? root.items : itemsOf(childOf(root, 'types'))
  for (const node of types.length > 0 ? types : root ? [root] : [])
    read(node, textOf(childOf(root, 'namespace')) ?? '', 0)
  return found

  /** Of a type as it is written; adds named ones. */
  function read(node: DataNode, namespace: string, depth: number): string {
    if (depth > maximumDepth) return ''
    if (node.kind === 'scalar') return fullName(textOf(node) ?? '', namespace)
    if (node.kind === 'list')
      return node.items
        .map((one) => read(one, namespace, depth + 1))
        .filter((one) => one !== 'null')
        .join('|')
    const type = childOf(node, 'type')
    if (type && type.kind !== 'scalar') return read(type, namespace, depth + 1)
    const kind = textOf(type) ?? ''
    if (kind === 'array') return `array<${read(childOf(node, 'items') ?? node, namespace, depth + 1)}>`
    if (kind === 'map') return `map<${read(childOf(node, 'values') ?? node, namespace, depth + 1)}>`
    if (!/^(?:record|error|enum|fixed)$/.test(kind)) return fullName(kind, namespace)
    const own = textOf(childOf(node, 'namespace')) ?? namespace
    const id = fullName(textOf(childOf(node, 'name')) ?? '', own)
    add(id, node, kind, id.includes('.') ? id.slice(0, id.lastIndexOf('.')) : own, depth)
    return id
  }

  function add(id: string, node: DataNode, kind: string, namespace: string, depth: number): void {
    const place = { path, line: node.line, endLine: node.endLine }
    const base = { ...place, nullable: false, required: true, hasDefault: false, values: null }
    const symbols = itemsOf(childOf(node, 'symbols')).map((one) => textOf(one) ?? '')
    const fields: Field[] = [{ ...base, name: '', type: kind, values: kind === 'enum' ? symbols : null }]
    const aliases: Record<string, string[]> = {}
    for (const one of itemsOf(childOf(node, 'fields'))) {
      const name = textOf(childOf(one, 'name'))
      const type = childOf(one, 'type')
      if (name === null || !type) continue
      fields.push({
        ...base,
        line: one.line,
        endLine: one.endLine,
        name,
        type: read(type, namespace, depth + 1),
        nullable: itemsOf(type).some((choice) => textOf(choice) === 'null'),
        hasDefault: entryOf(one, 'default') !== null,
      })
      const earlier = itemsOf(childOf(one, 'aliases')).map((alias) => textOf(alias) ?? '')
      if (earlier.length > 0) aliases[name] = earlier
    }
    const hasSymbolDefault = kind === 'enum' && entryOf(node, 'default') !== null
    const whole = { fields: { fields, isWhole: true }, isClosed: false }
    found.push({ ...place, name: id, shape: { format: 'avro', id, aliases, hasSymbolDefault, ...whole } })
  }
}

const primitives = new Set(['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string'])

function fullName(name: string, namespace: string): string {
  return name.includes('.') || namespace === '' || primitives.has(name) ? name : `${namespace}.${name}`
}
