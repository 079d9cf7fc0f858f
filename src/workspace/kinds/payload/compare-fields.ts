/** Which fields no longer fit those who send them, or those who read them. Compatible changes yield nothing. */
import { placeOf, type SharedBreak } from '../../../domain/shared-contract.ts'
import { goneOrRenamed } from '../../places.ts'
import { type Field, type Fields, parentOf } from './field.ts'

export type FieldBreak = Pick<SharedBreak, 'how' | 'renamedTo' | 'what' | 'before' | 'after'> & {
  /** Of the field; as the base has it where it was there. */
  field: string
  /** Values that are no longer allowed, or null when it is not about values. */
  lostValues: readonly string[] | null
  /** Only code that cannot do without the value breaks. */
  mayLack?: true
}

/** What the fields are of, as people read it. */
export type Owner = 'request' | 'response' | 'schema' | 'message'

function fieldIn(owner: Owner, { name }: Field): string {
  return name === '' ? `the ${owner}` : `the ${owner} field \`${name}\``
}

/** A wider type takes everything that the narrower one does. */
const widens = (from: string, to: string): boolean =>
  from === to ||
  (from === 'integer' && to === 'number') ||
  (['int', 'float'].includes(from) && to === 'double') ||
  (from === 'int' && (to === 'long' || to === 'float')) ||
  (from === 'long' && (to === 'float' || to === 'double')) ||
  (from === 'string' && to === 'bytes') ||
  (from === 'bytes' && to === 'string')

/** Whether every value of one type is one of the other; both may be several: `integer|string`. */
function covers(wide: string, narrow: string): boolean {
  const choices = wide.split('|')
  return narrow.split('|').every((one) => choices.some((choice) => widens(one, choice)))
}

/** For those who read: a field must stay, be there, and be of the same type. */
export function readerBreaks(before: Fields, after: Fields, owner: Owner = 'response'): FieldBreak[] {
  const old = before.fields.filter(({ only }) => only !== 'write')
  const now = byName(after.fields.filter(({ only }) => only !== 'write'))
  const found: FieldBreak[] = []
  const lost = new Set<string>()
  for (const field of old) {
    if (isBelow(field.name, lost)) continue
    const next = now.get(field.name)
    if (!next) {
      lost.add(field.name)
      if (after.isWhole && now.has(parentOf(field.name))) found.push(gone(field, before, after, owner))
      continue
    }
    const change = (what: string): FieldBreak => ({
      field: field.name,
      how: 'changed',
      what,
      before: placeOf(field),
      after: placeOf(next),
      lostValues: null,
    })
    const name = fieldIn(owner, field)
    if (isOtherType(field, next) && !covers(field.type, next.type)) {
      lost.add(field.name)
      found.push(change(`${name} is now \`${next.type}\`, it was \`${field.type}\``))
    } else if (!field.nullable && next.nullable)
      found.push({ ...change(`${name} can now be null`), mayLack: true })
    else if (field.required && !next.required)
      found.push({
        ...change(`${name} can now be missing`),
        before: placeOf(field.requiredAt ?? field),
        mayLack: true,
      })
  }
  return found
}

/** For those who send: nothing more may be demanded, and everything that was taken is taken. */
export function writerBreaks(before: Fields, after: Fields, owner: Owner = 'request'): FieldBreak[] {
  const old = byName(before.fields.filter(({ only }) => only !== 'read'))
  const now = byName(after.fields.filter(({ only }) => only !== 'read'))
  const found: FieldBreak[] = []
  const lost = new Set<string>()
  for (const field of old.values()) {
    if (isBelow(field.name, lost)) continue
    const next = now.get(field.name)
    if (!next) {
      lost.add(field.name)
      if (after.isWhole && now.has(parentOf(field.name))) found.push(gone(field, before, after, owner))
      continue
    }
    const one = narrowed(field, next, owner)
    if (one) found.push(one)
    if (one && one.lostValues === null) lost.add(field.name)
  }
  for (const field of now.values()) {
    const isNew = !old.has(field.name) && before.isWhole && old.has(parentOf(field.name))
    if (!isNew || !field.required || field.hasDefault || /[\]}]$/.test(field.name)) continue
    found.push(demanded(field, `${fieldIn(owner, field)} was added and is required`, null))
  }
  return found
}

function demanded(field: Field, what: string, before: Field | null): FieldBreak {
  return {
    field: field.name,
    how: 'required',
    what,
    before: before && placeOf(before),
    after: placeOf(field.requiredAt ?? field),
    lostValues: null,
  }
}

function narrowed(field: Field, next: Field, owner: Owner): FieldBreak | null {
  const name = fieldIn(owner, field)
  const change = (what: string, lostValues: readonly string[] | null): FieldBreak => ({
    field: field.name,
    how: 'narrowed',
    what,
    before: placeOf(field),
    after: placeOf(next),
    lostValues,
  })
  if (isOtherType(field, next) && !covers(next.type, field.type))
    return change(`${name} must now be \`${next.type}\`, it was \`${field.type}\``, null)
  if (!field.required && next.required && !next.hasDefault)
    return demanded(next, `${name} is now required`, field)
  if (field.nullable && !next.nullable) return change(`${name} can no longer be null`, ['null'])
  const lost = lostValues(field.values, next.values)
  if (lost === 'all others') return change(`${name} is now limited to ${listed(next.values ?? [])}`, null)
  return lost.length > 0 ? change(`${name} can no longer be ${listed(lost)}`, lost) : null
}

/** `all others`: any value was allowed. */
export function lostValues(
  before: readonly string[] | null,
  after: readonly string[] | null,
): readonly string[] | 'all others' {
  if (!after) return []
  return before ? before.filter((value) => !after.includes(value)) : 'all others'
}

function listed(values: readonly string[]): string {
  const shown = values.slice(0, 5).map((value) => `\`${value.slice(0, 40)}\``)
  return shown.join(', ') + (values.length > shown.length ? ' …' : '')
}

function isOtherType(field: Field, next: Field): boolean {
  return field.type !== '' && next.type !== '' && field.type !== next.type
}

function byName(fields: readonly Field[]): Map<string, Field> {
  return new Map(fields.map((field) => [field.name, field]))
}

function isBelow(name: string, lost: ReadonlySet<string>): boolean {
  for (let above = parentOf(name); above !== ''; above = parentOf(above)) {
    if (lost.has(above)) return true
    if (above === '[]' || above === '{}') return lost.has('')
  }
  return name !== '' && lost.has('')
}

/** Renamed when one field left and one of the same type came, in its place or with a name like it. */
function gone(field: Field, before: Fields, after: Fields, owner: Owner): FieldBreak {
  const parent = parentOf(field.name)
  const only = (these: Fields, others: Fields): Field[] => {
    const known = new Set(others.fields.map(({ name }) => name))
    return these.fields.filter(({ name }) => parentOf(name) === parent && name !== parent && !known.has(name))
  }
  const [next, another] = only(after, before)
  const isRename =
    next !== undefined &&
    another === undefined &&
    only(before, after).length === 1 &&
    next.type === field.type &&
    (isAlike(field.name, next.name) || (field.type !== '' && placeIn(before, field) === placeIn(after, next)))
  const said = goneOrRenamed(field, isRename ? next : null, {
    gone: `${fieldIn(owner, field)} was removed`,
    renamed: ({ name }) => `${fieldIn(owner, field)} is now \`${name}\``,
  })
  return { field: field.name, ...said, lostValues: null }
}

/** Which of the fields beside it, in the order of the document. */
function placeIn({ fields }: Fields, field: Field): number {
  const parent = parentOf(field.name)
  return fields.filter(({ name }) => parentOf(name) === parent).indexOf(field)
}

/** Whether a run of three letters is in both last names. */
function isAlike(one: string, other: string): boolean {
  const [a = '', b = ''] = [one, other].map((name) => name.slice(name.lastIndexOf('.') + 1).toLowerCase())
  return Array.from(a, (_, at) => a.slice(at, at + 3)).some((run) => run.length === 3 && b.includes(run))
}
