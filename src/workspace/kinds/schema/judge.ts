/** Whether a reference, a copy or code no longer fits a schema. */
import type { Confidence } from '../../../domain/severity.ts'
import { parentOf } from '../payload/field.ts'
import type { SchemaBreak } from './breaks.ts'
import type { SchemaShape, SchemaUse } from './shape.ts'

export function judgeSchema(broken: SchemaBreak, use: SchemaUse): Confidence | null {
  const { id } = broken.before
  const own = use.kind === 'copy' ? use.schema.id : use.id
  if (use.kind === 'reference' && `${own}#${use.pointer}` === id)
    return broken.field === null ? 'likely' : null
  const isSame = own === id || ('isWhole' in use && !use.isWhole && id.endsWith(`.${own}`))
  if (!isSame) return null
  switch (use.kind) {
    case 'reference':
      return judgeReference(broken, use.pointer)
    case 'copy':
      return judgeCopy(broken, use.schema)
    case 'instance':
      return broken.field === null || lacks(broken, use.fields) ? 'likely' : null
    case 'value':
      return isRefused(broken, use) ? 'likely' : null
    case 'named':
      return broken.field === null ? (use.isWhole ? 'likely' : 'possible') : null
    case 'read':
      return isRead(broken, use.field) ? (use.isWhole ? 'likely' : 'possible') : null
  }
}

/** A field that is demanded now, of an object that the document has. */
function lacks({ field, before, after }: SchemaBreak, fields: readonly string[]): boolean {
  const now = after?.fields.fields.find(({ name }) => name === field)
  const old = before.fields.fields.find(({ name }) => name === field)
  if (field === null || !now?.required || old?.required || now.hasDefault || fields.includes(field))
    return false
  const parent = parentOf(field)
  return parent === '' || fields.includes(parent)
}

/** Whether the value at this place of a document is no longer one that the schema allows. */
function isRefused({ field, after }: SchemaBreak, use: Extract<SchemaUse, { kind: 'value' }>): boolean {
  if (field === null || after === null || use.field !== field) return false
  const now = after.fields.fields.find(({ name }) => name === field)
  if (!now) return after.isClosed && after.fields.isWhole
  if (use.type === 'null') return !now.nullable && now.type !== ''
  const types = now.type.split('|')
  const isTyped =
    now.type === '' || types.includes(use.type) || (use.type === 'integer' && types.includes('number'))
  return !isTyped || (use.value !== null && now.values?.includes(use.value) === false)
}

/** The schema as a whole, or the field that the pointer leads to. */
function judgeReference({ field, side, after }: SchemaBreak, pointer: string): Confidence | null {
  if (field === null) return 'likely'
  if (side === 'writers' || pointer === '' || after === null) return null
  const path = pointer.split('/properties/').slice(1).join('.').replaceAll('/items', '[]')
  const isGone = !after.fields.fields.some(({ name }) => name === path)
  return isGone && (path === field || path.startsWith(`${field}.`)) ? 'likely' : null
}

/** A copy that is behind: its fields are those of the old schema. */
function judgeCopy({ field, side, before, after }: SchemaBreak, copy: SchemaShape): Confidence | null {
  // Its own file: the copy still works for what was written with it.
  if (field === null || after === null) return null
  const own = copy.fields.fields.find(({ name }) => name === field)
  const old = before.fields.fields.find(({ name }) => name === field)
  const now = after.fields.fields.find(({ name }) => name === field)
  if (side === 'writers' && !old) return own ? null : 'likely'
  if (!own) return null
  if (!now) return own.hasDefault || (before.format === 'json-schema' && !own.required) ? null : 'likely'
  const isAsNew =
    own.type === now.type &&
    own.nullable === now.nullable &&
    own.required === now.required &&
    String(own.values) === String(now.values)
  return isAsNew ? null : 'likely'
}

function isRead({ field, side }: SchemaBreak, read: string): boolean {
  if (field === null || side === 'writers') return false
  return field === '' || read === field || (read.startsWith(field) && /^[.[{]/.test(read.slice(field.length)))
}
