/** What of a schema no longer holds: the breaking changes of the reference implementation that a request can notice. */
import type {
  GraphQLArgument,
  GraphQLField,
  GraphQLInputField,
  GraphQLNamedType,
  GraphQLSchema,
} from 'graphql'
import { itemsBy } from '../../../base/grouped.ts'
import { oncePer, remembered } from '../../../base/remembered.ts'
import { placeOf, type SharedBreak, type SharedPlace } from '../../../domain/shared-contract.ts'
import type { Break, Provided } from '../../contract.ts'
import { graphql } from './documents.ts'
import { buildSchema } from './schema.ts'
import { withoutCoordinate } from './without.ts'

/** `sdl` is that of a definition or extension; null for a member of one. `schema` names the schema it is of. */
export type GraphqlShape = { schema: string; sdl: string | null }

/** Both sides as text; the same object for all breaks of a schema. */
export type Sides = { before: string; after: string }

export type GraphqlBreak = {
  sides: Sides
  change: string
  /** As the specification writes it: `User.email`, `Query.users(limit:)`, `Role.ADMIN`, `User`. */
  coordinate: string
  /** Input types in whose values the difference is, that of the value itself first. */
  carriers: readonly string[]
  /** The result has other leaves: what it is used for is not in the request. */
  leaves: 'changed' | 'nullable' | null
}

export function breaksOf(
  before: readonly Provided<GraphqlShape>[],
  after: readonly Provided<GraphqlShape>[],
): Break<GraphqlBreak>[] {
  const pairs = schemaPairs(before, after)
  return pairs.flatMap(([old, now]) => new Comparison(old, now).breaks())
}

/** One member taken out of its schema. Who uses a type uses its members. */
export function goneOf(
  one: Provided<GraphqlShape>,
  all: readonly Provided<GraphqlShape>[],
): Break<GraphqlBreak>[] {
  if (!one.name.includes('.')) return []
  const { schema } = one.shape
  const side = all.filter(({ shape }) => shape.schema === schema)
  const sdl = withoutCoordinate(sdlOf(side), one.name)
  const left = side
    .filter((other) => other !== one)
    .map((other, at) => ({ ...other, shape: { schema, sdl: at === 0 ? sdl : null } }))
  return new Comparison(side, left).breaks().filter(({ name }) => name === one.name)
}

type Side = readonly Provided<GraphqlShape>[]

/** A schema that is only moved keeps most of its types. One that went altogether may now be made from code: no breaks. */
function schemaPairs(before: Side, after: Side): [Side, Side][] {
  const old = Map.groupBy(before, ({ shape }) => shape.schema)
  const now = Map.groupBy(after, ({ shape }) => shape.schema)
  const free = [...now].filter(([name]) => !old.has(name)).map(([, side]) => side)
  return [...old].flatMap(([name, side]): [Side, Side][] => {
    const same = now.get(name) ?? free.find((one) => isMostly(side, one))
    return same ? [[side, same]] : []
  })
}

function isMostly(side: Side, other: Side): boolean {
  const names = new Set(side.map(({ name }) => name))
  return 2 * other.filter(({ name }) => names.has(name)).length > names.size
}

function sdlOf(side: Side): string {
  return side.flatMap(({ shape }) => shape.sdl ?? []).join('\n\n')
}

/** Where a change is, in its description: the first coordinate of it. */
const coordinates: Record<string, RegExp> = {
  TYPE_REMOVED: /^(\w+) was removed/,
  TYPE_CHANGED_KIND: /^(\w+) changed from (?:an? )?(\w+)\b.* to (?:an? )?(\w+)\b/,
  TYPE_REMOVED_FROM_UNION: /^(\w+) was removed from union type (\w+)/,
  VALUE_REMOVED_FROM_ENUM: /^Enum value (\w+\.\w+)/,
  REQUIRED_INPUT_FIELD_ADDED: /^A required field (\w+\.\w+)/,
  IMPLEMENTED_INTERFACE_REMOVED: /^(\w+) no longer implements interface (\w+)/,
  FIELD_REMOVED: /^Field (\w+\.\w+)/,
  FIELD_CHANGED_KIND: /^Field (\w+\.\w+) changed type from (\S+) to (\S+)\.$/,
  REQUIRED_ARG_ADDED: /^A required argument (\w+\.\w+\(\w+:\))/,
  ARG_REMOVED: /^Argument (\w+\.\w+\(\w+:\))/,
  ARG_CHANGED_KIND: /^Argument (\w+\.\w+\(\w+:\)) has changed type from (\S+) to (\S+)\.$/,
}

type Change = { type: string; coordinate: string; from: string; to: string }

class Comparison {
  private readonly sides: Sides
  private readonly old: GraphQLSchema | null
  private readonly now: GraphQLSchema | null
  private readonly before: Side
  private readonly after: Side

  constructor(before: Side, after: Side) {
    this.before = before
    this.after = after
    this.sides = { before: sdlOf(before), after: sdlOf(after) }
    const differ = this.sides.before !== this.sides.after
    this.old = differ ? buildSchema(this.sides.before) : null
    this.now = differ ? buildSchema(this.sides.after) : null
  }

  breaks(): Break<GraphqlBreak>[] {
    const { old, now } = this
    if (!old || !now) return []
    return graphql()
      .findSchemaChanges(old, now)
      .flatMap(({ type, description }): Change[] => {
        const [, coordinate, from = '', to = ''] = coordinates[type]?.exec(description) ?? []
        return coordinate === undefined ? [] : [{ type, coordinate, from, to }]
      })
      .flatMap((change) => this.broken(old, now, change))
  }

  private broken(old: GraphQLSchema, now: GraphQLSchema, change: Change): Break<GraphqlBreak>[] {
    const told = tell(old, now, change)
    if (!told) return []
    const { coordinate, type } = change
    const before = this.place(this.before, coordinate)
    const after = this.place(this.after, told.renamedTo ?? coordinate)
    // A type from elsewhere.
    if (!before && !after) return []
    const owner = coordinate.split('.')[0] ?? ''
    const isInput =
      graphql().isInputObjectType(old.getType(owner)) || graphql().isEnumType(old.getType(owner))
    const carriers = isInput ? carriersOf(old, owner) : []
    const leaves = type === 'FIELD_CHANGED_KIND' && !isInput ? leavesOf(old, now, change) : null
    return [
      {
        kind: 'graphql',
        name: coordinate,
        ...told,
        before,
        after,
        keys: [...new Set([...ownKeys(old, change), ...carriers.flatMap((name) => slotsOf(old, name))])],
        shape: { sides: this.sides, change: type, coordinate, carriers, leaves },
      },
    ]
  }

  /** For what is added, where the base has its owner. */
  private place(side: Side, coordinate: string): SharedPlace | null {
    const owner = coordinate.replace(/\(\w+:\)$|\.\w+$/, '')
    const found = itemsBy(side, nameOf, coordinate)[0]
    const place = found ?? (side === this.before ? itemsBy(side, nameOf, owner)[0] : undefined)
    return place ? placeOf(place) : null
  }
}

const nameOf = ({ name }: { name: string }): string => name

type Told = Pick<SharedBreak, 'how' | 'renamedTo' | 'what'>

/** Null for what no request notices. */
function tell(old: GraphQLSchema, now: GraphQLSchema, change: Change): Told | null {
  const { type, coordinate, from, to } = change
  switch (type) {
    case 'TYPE_REMOVED':
      return removed('the type', newTypeName(old, now, coordinate))
    case 'FIELD_REMOVED':
    case 'ARG_REMOVED':
    case 'VALUE_REMOVED_FROM_ENUM':
      return removed(memberWord[type] ?? '', newName(old, now, coordinate))
    case 'TYPE_CHANGED_KIND':
      return { how: 'changed', what: `the type \`${coordinate}\` is another kind of type` }
    case 'TYPE_REMOVED_FROM_UNION':
      if (!now.getType(coordinate)) return null
      return { how: 'narrowed', what: `\`${coordinate}\` is no longer a member of the union \`${from}\`` }
    case 'IMPLEMENTED_INTERFACE_REMOVED':
      return { how: 'narrowed', what: `\`${coordinate}\` no longer implements the interface \`${from}\`` }
    case 'REQUIRED_INPUT_FIELD_ADDED':
      return { how: 'required', what: 'the input field is new and required' }
    case 'REQUIRED_ARG_ADDED':
      return { how: 'required', what: 'the argument is new and required' }
    default:
      return isSameOnTheWire(from, to) ? null : typeChange(from, to)
  }
}

const memberWord: Record<string, string> = {
  FIELD_REMOVED: 'the field',
  ARG_REMOVED: 'the argument',
  VALUE_REMOVED_FROM_ENUM: 'the enum value',
}

function removed(what: string, renamedTo: string | null): Told {
  if (renamedTo === null) return { how: 'removed', what: `${what} was removed` }
  return { how: 'renamed', renamedTo, what: `${what} is now named \`${renamedTo}\`` }
}

function typeChange(from: string, to: string): Told {
  const how = to === `${from}!` ? 'required' : 'changed'
  return { how, what: `the type changed from \`${from}\` to \`${to}\`` }
}

/** Both are strings in JSON. */
function isSameOnTheWire(from: string, to: string): boolean {
  return from.replace(/\bID\b/, 'String') === to.replace(/\bID\b/, 'String')
}

// Renames: the one that went and the one that came have the same form.

function newName(old: GraphQLSchema, now: GraphQLSchema, coordinate: string): string | null {
  const owner = coordinate.replace(/\(\w+:\)$|\.\w+$/, '')
  const [before, after] = [membersOf(old, owner), membersOf(now, owner)]
  const gone = [...before.keys()].filter((name) => !after.has(name))
  const came = [...after].filter(([name]) => !before.has(name))
  const [[name, form] = ['', '']] = came
  if (gone.length !== 1 || came.length !== 1 || before.get(gone[0] ?? '') !== form) return null
  return coordinate.endsWith(')') ? `${owner}(${name}:)` : `${owner}.${name}`
}

function newTypeName(old: GraphQLSchema, now: GraphQLSchema, name: string): string | null {
  const members = formOf(membersOf(old, name))
  const came = Object.keys(now.getTypeMap()).filter((one) => !old.getType(one))
  const same = came.filter((one) => formOf(membersOf(now, one)) === members)
  return members !== '' && same.length === 1 ? (same[0] ?? null) : null
}

function formOf(members: ReadonlyMap<string, string>): string {
  return [...members].map((member) => member.join(': ')).join('\n')
}

/** Fields, arguments or values by name, with their types. */
function membersOf(schema: GraphQLSchema, owner: string): Map<string, string> {
  const [typeName = '', fieldName] = owner.split('.')
  const type = schema.getType(typeName)
  if (fieldName !== undefined)
    return new Map(argumentsOf(fieldsOf(type)[fieldName]).map(({ name, type }) => [name, `${type}`]))
  if (graphql().isEnumType(type)) return new Map(type.getValues().map(({ name }) => [name, '']))
  return new Map(Object.values(fieldsOf(type)).map((field) => [field.name, signatureOf(field)]))
}

function signatureOf(field: Field): string {
  return `(${argumentsOf(field).map(({ name, type }) => `${name}: ${type}`)}) ${field.type}`
}

type Field = GraphQLField<unknown, unknown> | GraphQLInputField

function fieldsOf(type: GraphQLNamedType | undefined): Record<string, Field> {
  const { isObjectType, isInterfaceType, isInputObjectType } = graphql()
  return isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? type.getFields() : {}
}

function argumentsOf(field: Field | undefined): readonly GraphQLArgument[] {
  return field && 'args' in field ? field.args : []
}

/** Names under which requests have what changed. */
function ownKeys(old: GraphQLSchema, { type, coordinate }: Change): string[] {
  const [, owner = '', field, argument] = /^(\w+)(?:\.(\w+)(?:\((\w+):\))?)?$/.exec(coordinate) ?? []
  if (type === 'TYPE_CHANGED_KIND') return [owner, ...Object.keys(fieldsOf(old.getType(owner)))]
  return argument === undefined ? [field ?? owner] : [argument, field ?? '']
}

/** An input type or enum, and the input types that hold it. */
function carriersOf(schema: GraphQLSchema, name: string): string[] {
  const holders = new Map<string, string[]>()
  for (const type of Object.values(schema.getTypeMap()))
    if (graphql().isInputObjectType(type))
      for (const field of Object.values(type.getFields())) {
        const inner = graphql().getNamedType(field.type).name
        remembered(holders, inner, (): string[] => []).push(type.name)
      }
  const found = new Set([name])
  for (const one of found) for (const holder of holders.get(one) ?? []) found.add(holder)
  return [...found]
}

/** Names of arguments and input fields that take values of an input type. */
function slotsOf(schema: GraphQLSchema, name: string): string[] {
  return [...(slotsByType(schema).get(name) ?? [])]
}

const slotsByType = oncePer((schema: GraphQLSchema) => {
  const found = new Map<string, Set<string>>()
  for (const type of Object.values(schema.getTypeMap()))
    for (const argument of Object.values(fieldsOf(type)).flatMap(argumentsOf)) {
      const inner = graphql().getNamedType(argument.type).name
      remembered(found, inner, () => new Set<string>()).add(argument.name)
    }
  return found
})

/** What became of a result without parts of its own. */
function leavesOf(old: GraphQLSchema, now: GraphQLSchema, { from, to }: Change): GraphqlBreak['leaves'] {
  const nameIn = (type: string) => type.replace(/[[\]!]/g, '')
  const isLeaf = (schema: GraphQLSchema, type: string) => graphql().isLeafType(schema.getType(nameIn(type)))
  if (from.replaceAll('!', '') === to.replaceAll('!', '')) return 'nullable'
  const sameName = nameIn(from) === nameIn(to)
  return sameName || (isLeaf(old, from) && isLeaf(now, to)) ? 'changed' : null
}
