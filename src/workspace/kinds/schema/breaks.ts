/** Which schemas no longer fit their readers or writers: the resolution of Avro, the keywords of JSON Schema. */
import { placeOf } from '../../../domain/shared-contract.ts'
import type { Break, Provided } from '../../contract.ts'
import { goneOrRenamed } from '../../places.ts'
import { type FieldBreak, readerBreaks, writerBreaks } from '../payload/compare-fields.ts'
import { type SchemaShape, schemaKey } from './shape.ts'

export type SchemaBreak = {
  before: SchemaShape
  after: SchemaShape | null
  /** Null for the schema as a whole. */
  field: string | null
  /** Whom it breaks: those who read data of the new schema with the old one, or the other way round. */
  side: 'readers' | 'writers' | 'both'
}

export function schemaBreaks(
  before: readonly Provided<SchemaShape>[],
  after: readonly Provided<SchemaShape>[],
): Break<SchemaBreak>[] {
  const now = new Map(after.map((one) => [one.name, one]))
  const known = new Set(before.map(({ name }) => name))
  return before.flatMap((old): Break<SchemaBreak>[] => {
    const next = now.get(old.name)
    if (next) return fieldBreaks(old, next)
    const instead = after.filter(
      ({ name, path, shape }) => !known.has(name) && path === old.path && schemaLike(shape, old.shape),
    )
    const [renamed] = instead.length === 1 ? instead : []
    // With its document, a definition is gone once.
    const [whole = ''] = old.name.split('#', 1)
    if (whole !== old.name && known.has(whole) && !now.has(whole)) return []
    return [
      {
        kind: 'schema',
        name: old.name,
        ...goneOrRenamed(old, renamed, {
          gone: `\`${old.name}\` was removed`,
          renamed: ({ name }) => `\`${old.name}\` is now \`${name}\``,
        }),
        keys: [schemaKey(old.name)],
        shape: { before: old.shape, after: null, field: null, side: 'both' },
      },
    ]
  })
}

/** Most of its fields are those of the other. */
function schemaLike(one: SchemaShape, other: SchemaShape): boolean {
  const names = new Set(other.fields.fields.map(({ name }) => name))
  const same = one.fields.fields.filter(({ name }) => names.has(name)).length
  return one.format === other.format && same * 2 >= names.size
}

function fieldBreaks(old: Provided<SchemaShape>, next: Provided<SchemaShape>): Break<SchemaBreak>[] {
  const found =
    old.shape.format === 'avro' ? avroBreaks(old.shape, next.shape) : jsonBreaks(old.shape, next.shape)
  return found.map(({ side, field, lostValues: _, mayLack: __, ...one }) => ({
    kind: 'schema',
    name: nameOf(old, field),
    ...one,
    ...(one.renamedTo !== undefined && { renamedTo: nameOf(old, one.renamedTo) }),
    keys: [schemaKey(old.name)],
    shape: { before: old.shape, after: next.shape, field, side },
  }))
}

/** `com.acme.User.email`, `https://acme.com/user.json#email`. */
function nameOf({ name, shape }: Provided<SchemaShape>, field: string): string {
  if (field === '') return name
  return shape.format === 'avro' ? `${name}.${field}` : `${name}#${field}`
}

type Sided = FieldBreak & { side: SchemaBreak['side'] }

/** Of a field, what breaks both sides is said once. */
function merged(readers: readonly FieldBreak[], writers: readonly FieldBreak[]): Sided[] {
  const found: Sided[] = readers.map((one) => ({ ...one, side: 'readers' }))
  for (const one of writers) {
    const same = found.find(({ field }) => field === one.field)
    if (!same) found.push({ ...one, side: 'writers' })
    else if (one.how !== 'required') same.side = 'both'
  }
  return found
}

function jsonBreaks(old: SchemaShape, now: SchemaShape): Sided[] {
  const writers = writerBreaks(old.fields, now.fields, 'schema')
  // Who writes a field that is gone writes one more than asked for, which a schema allows unless it says otherwise.
  const real = writers.filter(({ how }) => how !== 'removed' && how !== 'renamed')
  return merged(readerBreaks(old.fields, now.fields, 'schema'), real)
}

function avroBreaks(old: SchemaShape, now: SchemaShape): Sided[] {
  const defaults = new Set(old.fields.fields.filter(({ hasDefault }) => hasDefault).map(({ name }) => name))
  // A reader that has a default for the field does without it.
  const readers = readerBreaks(old.fields, now.fields, 'schema').filter(
    ({ field, how }) => !(defaults.has(field) && (how === 'removed' || how === 'renamed')),
  )
  const names = new Set(old.fields.fields.map(({ name }) => name))
  const writers = writerBreaks(old.fields, now.fields, 'schema').filter(({ field, how }) => {
    if (how === 'removed' || how === 'renamed') return false
    const earlier = now.aliases[field] ?? []
    return !(how === 'required' && earlier.some((one) => names.has(one)))
  })
  return [...merged(readers, writers), ...newSymbols(old, now)]
}

/** A symbol that old readers do not know. */
function newSymbols(old: SchemaShape, now: SchemaShape): Sided[] {
  const [was, is] = [old.fields.fields[0], now.fields.fields[0]]
  const added = is?.values?.filter((one) => was?.values?.includes(one) === false) ?? []
  if (!was || !is || added.length === 0 || old.hasSymbolDefault) return []
  const what = `\`${added.slice(0, 5).join('`, `')}\` was added, which readers of the old schema do not know`
  const places = { before: placeOf(was), after: placeOf(is) }
  return [{ field: '', how: 'changed', what, ...places, lostValues: null, side: 'readers' }]
}
