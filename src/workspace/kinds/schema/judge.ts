/** Whether a reference, a copy or code no longer fits a schema. */
import type { Confidence } from '../../../domain/severity.ts'
import type { SchemaBreak } from './breaks.ts'
import type { SchemaShape, SchemaUse } from './shape.ts'

export function judgeSchema(broken: SchemaBreak, use: SchemaUse): Confidence | null {
  const { id } = broken.before
  const own = use.kind === 'copy' ? use.schema.id : use.id
  const isSame = own === id || ('isWhole' in use && !use.isWhole && id.endsWith(`.${own}`))
  if (!isSame) return null
  switch (use.kind) {
    case 'reference':
      return judgeReference(broken, use.pointer)
    case 'copy':
      return judgeCopy(broken, use.schema)
    case 'named':
      return broken.field === null ? (use.isWhole ? 'likely' : 'possible') : null
    case 'read':
      return isRead(broken, use.field) ? (use.isWhole ? 'likely' : 'possible') : null
  }
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
