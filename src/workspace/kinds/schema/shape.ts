/** Schemas that have a name of their own, and what other repositories do with them. */
import type { Fields } from '../payload/field.ts'

export type SchemaShape = {
  format: 'avro' | 'json-schema'
  /** `$id`, or namespace and name. */
  id: string
  fields: Fields
  /** Earlier names of fields, which readers of the new schema know. */
  aliases: Readonly<Record<string, readonly string[]>>
  /** Of an enumeration of Avro: an unknown symbol has a meaning. */
  hasSymbolDefault: boolean
  /** Whether a value may have no other fields than these. */
  isClosed: boolean
}

export type SchemaUse =
  /** `pointer`: the part of the schema that is referred to; empty for all. */
  | { kind: 'reference'; id: string; pointer: string }
  | { kind: 'copy'; schema: SchemaShape }
  /** A document that says which schema it follows; `fields` are those that it has. */
  | { kind: 'instance'; id: string; fields: readonly string[] }
  /** One of its values: as text, and its type in JSON. */
  | { kind: 'value'; id: string; field: string; value: string | null; type: string }
  /** Code that names the schema; `isWhole` when by its full name. */
  | { kind: 'named'; id: string; isWhole: boolean }
  /** Code that reads a field of a value of this schema. */
  | { kind: 'read'; id: string; isWhole: boolean; field: string }

/** `https://acme.com/schemas/user.schema.json` and `com.acme.User` → `user`. */
export function schemaKey(id: string): string {
  const [plain = ''] = id.split('#', 1)
  const last = plain.split('/').findLast((one) => one !== '') ?? plain
  const name =
    /^(.{1,200}?)(?:\.schema)?\.(?:json|ya?ml|avsc)$/i.exec(last)?.[1] ?? last.split('.').at(-1) ?? last
  return name.toLowerCase()
}

/** Without an empty fragment at its end. */
export function plainId(id: string): string {
  return id.endsWith('#') ? id.slice(0, -1) : id
}
