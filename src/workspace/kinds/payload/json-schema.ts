/** The fields of a JSON Schema, and of the schemas of OpenAPI and AsyncAPI, with references followed. */
import type { SharedPlace } from '../../../domain/shared-contract.ts'
import { childOf, type DataNode, entriesOf, entryOf, isTrue, itemsOf, textOf } from '../reading/data-tree.ts'
import { type Field, type Fields, memberOf } from './field.ts'

/** A node and the file that it stands in. */
export type Located = { path: string; node: DataNode }

/** What a `$ref` of this file leads to; null for what is not there. */
export type FollowReference = (reference: string, from: Located) => Located | null

const maximumFields = 400
const maximumDepth = 7
const maximumHops = 20

type Flat = {
  at: Located
  isNullable: boolean
  /** Parts of `allOf`, which all hold. */
  parts: Located[]
  /** Of `oneOf` and `anyOf`: one of them holds. */
  alternatives: Located[]
}

export function schemaFields(root: Located, follow: FollowReference): Fields {
  const fields: Field[] = []
  const state = { isWhole: true, steps: 0 }
  read(root, { name: '', required: true, line: root.node.line, endLine: root.node.endLine }, [])
  return { fields, isWhole: state.isWhole }

  function read(
    start: Located,
    field: Pick<Field, 'name' | 'required' | 'line' | 'endLine' | 'requiredAt'>,
    above: readonly DataNode[],
  ): void {
    if (fields.length >= maximumFields || above.length > maximumDepth || ++state.steps > 4 * maximumFields) {
      state.isWhole = false
      return
    }
    const flat = flatten(start, follow)
    const own = fieldOf(flat, start, field)
    fields.push(own)
    // A schema that contains itself ends here.
    if (above.includes(flat.at.node)) return
    const deeper = [...above, flat.at.node]
    for (const [key, { member, required, requiredAt }] of membersOf(flat, follow)) {
      const { path, node, line, endLine } = member
      const name = memberOf(field.name, key)
      read({ path, node }, { name, required, line, endLine, ...(requiredAt && { requiredAt }) }, deeper)
    }
    for (const [mark, key] of [
      ['[]', 'items'],
      ['{}', 'additionalProperties'],
    ] as const) {
      const part = flat.parts.find(({ node }) => childOf(node, key)?.kind === 'map')
      const inner = part && childOf(part.node, key)
      if (!part || !inner) continue
      const { line, endLine } = inner
      read(
        { path: part.path, node: inner },
        { name: `${field.name}${mark}`, required: true, line, endLine },
        deeper,
      )
    }
  }
}

function fieldOf(
  flat: Flat,
  start: Located,
  member: Pick<Field, 'name' | 'required' | 'line' | 'endLine' | 'requiredAt'>,
): Field {
  const types = unique(flat.parts.flatMap(({ node }) => typesOf(node)))
  const enums = flat.parts.map(({ node }) => valuesOf(node)).filter((values) => values !== null)
  const says = (key: string): boolean => flat.parts.some(({ node }) => isTrue(childOf(node, key)))
  const only = says('readOnly') ? 'read' : says('writeOnly') ? 'write' : undefined
  return {
    path: start.path,
    ...member,
    type: flat.alternatives.length > 0 ? '' : types.sort().join('|'),
    nullable: flat.isNullable || says('nullable') || says('x-nullable'),
    values: enums.length === 1 ? (enums[0] ?? null) : null,
    hasDefault: flat.parts.some(({ node }) => childOf(node, 'default') !== null),
    ...(only && { only }),
  }
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}

/** Without `null`, which is told apart. */
function typesOf(node: DataNode): string[] {
  const type = childOf(node, 'type')
  const written = type?.kind === 'list' ? type.items.map(textOf) : [textOf(type)]
  const types = written.filter((one) => one !== null && one !== 'null').map(String)
  if (types.length > 0) return types
  if (childOf(node, 'properties')) return ['object']
  return childOf(node, 'items') ? ['array'] : []
}

function valuesOf(node: DataNode): string[] | null {
  const values = childOf(node, 'enum')
  if (values?.kind === 'list') return values.items.map((one) => textOf(one) ?? 'null')
  const constant = textOf(childOf(node, 'const'))
  return constant === null ? null : [constant]
}

function saysNull(node: DataNode): boolean {
  const type = childOf(node, 'type')
  return (type?.kind === 'list' ? type.items : [type]).some((one) => textOf(one) === 'null')
}

/** References followed, `allOf` taken together, `null` among alternatives told apart. */
function flatten(start: Located, follow: FollowReference): Flat {
  const flat: Flat = { at: start, isNullable: false, parts: [], alternatives: [] }
  const waiting: Located[] = [start]
  const seen = new Set<DataNode>()
  for (let hops = 0; waiting.length > 0 && hops < maximumHops * 2; hops++) {
    const at = waiting.shift()
    if (!at || seen.has(at.node)) continue
    seen.add(at.node)
    const reference = textOf(childOf(at.node, '$ref'))
    const target = reference === null ? null : follow(reference, at)
    if (target) {
      if (at.node === flat.at.node) flat.at = target
      waiting.push(target)
    }
    flat.parts.push(at)
    flat.isNullable ||= saysNull(at.node)
    for (const node of itemsOf(childOf(at.node, 'allOf'))) waiting.push({ path: at.path, node })
    const choices = ['oneOf', 'anyOf'].flatMap((key) => itemsOf(childOf(at.node, key)))
    const real = choices.filter((node) => !(saysNull(node) && typesOf(node).length === 0))
    if (real.length < choices.length) flat.isNullable = true
    const [single] = real
    if (single && real.length === 1) waiting.push({ path: at.path, node: single })
    else flat.alternatives.push(...real.map((node) => ({ path: at.path, node })))
  }
  return flat
}

type Member = {
  member: Located & { line: number; endLine: number }
  required: boolean
  requiredAt?: SharedPlace
}

/** Of all parts; of alternatives, those that any has, required where all require them. */
function membersOf(flat: Flat, follow: FollowReference): Map<string, Member> {
  const found = membersOfParts(flat.parts)
  const choices = flat.alternatives
    .slice(0, maximumHops)
    .map((one) => membersOfParts(flatten(one, follow).parts))
  for (const choice of choices)
    for (const [key, { member }] of choice)
      if (!found.has(key))
        found.set(key, { member, required: choices.every((other) => other.get(key)?.required === true) })
  return found
}

function membersOfParts(parts: readonly Located[]): Map<string, Member> {
  const required = new Map<string, SharedPlace>()
  for (const { path, node } of parts)
    for (const one of itemsOf(childOf(node, 'required')))
      required.set(textOf(one) ?? '', { path, line: one.line, endLine: one.endLine })
  const found = new Map<string, Member>()
  for (const { path, node } of parts)
    for (const [key, { value, line, endLine }] of entriesOf(entryOf(node, 'properties')?.value)) {
      const requiredAt = required.get(key)
      found.set(key, {
        member: { path, node: value, line, endLine },
        required: requiredAt !== undefined,
        ...(requiredAt && { requiredAt }),
      })
    }
  return found
}
