/** References to schemas, copies of them, and code that names a schema and reads its fields. */

import { splitLines } from '../../../code-index/resolve/lines.ts'
import type { SharedPlace } from '../../../domain/shared-contract.ts'
import type { Provided, SourceFile, Use } from '../../contract.ts'
import { placeAt } from '../../places.ts'
import { FieldReader } from '../payload/fields-read.ts'
import { avroPath, avroSchemas } from './avro.ts'
import { instanceIn, jsonSchemas, referencesIn, schemaMark, schemaPath } from './json-documents.ts'
import { plainId, type SchemaShape, type SchemaUse, schemaKey } from './shape.ts'

export async function schemaUses(file: SourceFile): Promise<Use<SchemaUse>[]> {
  const { path, text } = file
  if (avroPath.test(path)) return avroSchemas(path, text).map(copyOf)
  if (!schemaPath.test(path)) return codeUses(file)
  if (!schemaMark.test(text)) return []
  const [own] = await jsonSchemas(path, text, null)
  const references = referencesIn(path, text).map(({ id, pointer, line }) =>
    useAt(placeAt(path, line), id, 'referred to by `$ref`', { kind: 'reference', id, pointer }),
  )
  return own ? [copyOf(own), ...references] : [...references, ...instanceUses(path, text)]
}

/** The document as a whole, and each of its values. */
function instanceUses(path: string, text: string): Use<SchemaUse>[] {
  const instance = instanceIn(path, text)
  if (!instance) return []
  const { id, line, endLine, values } = instance
  const fields = values.map(({ field }) => field)
  const how = 'a document of the schema'
  return [
    useAt(placeAt(path, line, endLine), id, how, { kind: 'instance', id, fields }),
    ...values.map(({ field, value, type, line, endLine }) => {
      const shape: SchemaUse = { kind: 'value', id, field, value, type }
      return useAt(placeAt(path, line, endLine), id, `a value in ${how}`, shape, `${id}#${field}`)
    }),
  ]
}

/** `name`: where it is not that of the schema. */
function useAt(place: SharedPlace, id: string, how: string, shape: SchemaUse, name = id): Use<SchemaUse> {
  return { ...place, key: schemaKey(id), name, how, shape }
}

function copyOf({ name, shape, ...place }: Provided<SchemaShape>): Use<SchemaUse> {
  const how = shape.format === 'avro' ? 'a copy of the record' : 'a copy with the same `$id`'
  return useAt(place, name, how, { kind: 'copy', schema: shape })
}

/** The address of a schema, or a full name of Avro, as a whole string. */
const named =
  /(["'`])((?:https?|urn|tag):[^"'`\s]{3,300}|[a-z][a-z0-9_]{0,40}(?:\.[a-z][a-z0-9_]{0,40}){1,8}\.[A-Z]\w{0,80})\1/g
const isSchemaUrl = /schema|\.json\b|^urn:|^tag:/i
const mostUses = 300

/** Code in which a string names the schema, or a type that is imported is the record. */
function codeUses(file: SourceFile): Use<SchemaUse>[] {
  const { lineOf } = splitLines(file.text)
  const found: Use<SchemaUse>[] = []
  const ids = new Map<string, number>()
  for (const match of file.text.matchAll(named)) {
    const id = plainId(match[2] ?? '')
    if (!ids.has(id) && (!id.includes(':') || isSchemaUrl.test(id))) ids.set(id, lineOf(match.index))
  }
  for (const [id, line] of ids)
    found.push(useAt(placeAt(file.path, line), id, 'named in a string', { kind: 'named', id, isWhole: true }))
  // Whose fields the members are is known only where the file names one schema.
  const [only] = ids.size === 1 ? ids.keys() : []
  if (only !== undefined) found.push(...membersOf(file, only, lineOf))
  return [...found, ...typedUses(file)].slice(0, mostUses)
}

const member = /(?:\[["'](\w{1,80})["']\]|\.get\(["'](\w{1,80})["']\)|[\w)\]]\??\.(\w{1,80})\b(?!\())/g

function membersOf(file: SourceFile, id: string, lineOf: (offset: number) => number): Use<SchemaUse>[] {
  return [...file.text.matchAll(member)].map((match): Use<SchemaUse> => {
    const field = match[1] ?? match[2] ?? match[3] ?? ''
    const line = lineOf(match.index)
    return readAt(file, line, id, field, false, `read in a file that names \`${id.slice(0, 100)}\``)
  })
}

function readAt(
  { path }: SourceFile,
  line: number,
  id: string,
  field: string,
  isWhole: boolean,
  how: string,
): Use<SchemaUse> {
  return useAt(placeAt(path, line), id, how, { kind: 'read', id, isWhole, field }, `${id}.${field}`)
}

/** Values whose written type is a record: `OrderPlaced event`, with `import com.acme.OrderPlaced`. */
function typedUses(file: SourceFile): Use<SchemaUse>[] {
  const { facts, text } = file
  if (!facts || !/avro|schema|event|message/i.test(text)) return []
  const lines = text.split('\n')
  const hasGetters = facts.language === 'java' || facts.language === 'kotlin'
  return facts.imports.flatMap(({ source, imported, local, line }): Use<SchemaUse>[] => {
    if (local === null || !/^[A-Z]\w{1,80}$/.test(local)) return []
    const id = hasGetters ? source : imported
    const values = facts.typedNames.filter(({ type }) => type === local)
    if (values.length === 0 || (!hasGetters && !/avro|schema|event|message|generated/i.test(source)))
      return []
    const how = `a value of type \`${local}\``
    return [
      useAt(placeAt(file.path, line), id, 'imported', { kind: 'named', id, isWhole: hasGetters }),
      ...values.flatMap(({ name, line, enclosing }) => {
        const last = (enclosing === null ? null : facts.symbols[enclosing]?.endLine) ?? lines.length
        return lines.slice(line - 1, Math.min(last, line + 200)).flatMap((one, at) => {
          const reader = new FieldReader(one, { hasGetters })
          reader.name(name, { kind: 'data', path: '' })
          reader.follow()
          return reader.reads.map((field) =>
            readAt(file, line + at, id, field.replace(/\?$/, ''), hasGetters, how),
          )
        })
      }),
    ]
  })
}
