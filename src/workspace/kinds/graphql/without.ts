/** A schema without one of its members, as its users would find it. */
import type { ConstDirectiveNode, DefinitionNode, NameNode } from 'graphql'
import { definitionsIn, graphql } from './documents.ts'
import { isTypeNode } from './schema.ts'

const coordinateForm = /^(\w+)(?:\.(\w+)(?:\((\w+):\))?)?$/

type Member = {
  name: NameNode
  arguments?: readonly { name: NameNode }[]
  directives?: readonly ConstDirectiveNode[]
}

/** `coordinate`: `User.email`, `Query.users(limit:)`. */
export function withoutCoordinate(sdl: string, coordinate: string): string {
  const [, owner, member, argument] = coordinateForm.exec(coordinate) ?? []
  const isNamed = ({ name }: { name: NameNode }, wanted: string | undefined) => name.value === wanted
  const left = (members: readonly Member[] = []) =>
    members.flatMap((one) => {
      if (!isNamed(one, member)) return [one]
      if (argument === undefined) return []
      return [{ ...one, arguments: one.arguments?.filter((inner) => !isNamed(inner, argument)) }]
    })
  const definitions = (definitionsIn(sdl) ?? []).map((node): DefinitionNode => {
    if (!isTypeNode(node) || !isNamed(node, owner)) return node
    const { fields, values } = node as { fields?: readonly Member[]; values?: readonly Member[] }
    const inner = { ...(fields ? { fields: left(fields) } : {}), ...(values ? { values: left(values) } : {}) }
    return { ...node, ...inner } as DefinitionNode
  })
  const { Kind, print } = graphql()
  return print({ kind: Kind.DOCUMENT, definitions })
}
