/** The fields of what is sent or answered, flat: one row for each place where a value can stand. */
import type { SharedPlace } from '../../../domain/shared-contract.ts'

export type Field = SharedPlace & {
  /** `email`, `address.city`, `items[].id`; empty for the value as a whole. `[]` is any element, `{}` any key. */
  name: string
  /** As the format names it, several as `integer|string`; empty where it says nothing. */
  type: string
  required: boolean
  nullable: boolean
  /** Values that are allowed; null for all of the type. */
  values: readonly string[] | null
  /** The receiver fills it in when it is left out. */
  hasDefault: boolean
  /** Only in answers (`read`) or only in requests (`write`). */
  only?: 'read' | 'write'
  /** Where it is listed as required, when that is elsewhere. */
  requiredAt?: SharedPlace
}

export type Fields = {
  fields: readonly Field[]
  /** False where more is possible than was read: too deep, too many, or not written down. */
  isWhole: boolean
}

/** `a.b[].c` → `a.b[]`; the empty name for one at the top. */
export function parentOf(name: string): string {
  if (name.endsWith('[]') || name.endsWith('{}')) return name.slice(0, -2)
  const dot = name.lastIndexOf('.')
  if (dot >= 0) return name.slice(0, dot)
  const list = /^(?:\[\]|\{\})/.exec(name)
  return list ? list[0] : ''
}

/** The name of a member of the field: `''` + `id` → `id`, `[]` + `id` → `[].id`. */
export function memberOf(parent: string, key: string): string {
  return parent === '' ? key : `${parent}.${key}`
}
