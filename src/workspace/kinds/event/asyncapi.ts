/** Channels of AsyncAPI documents of versions 2 and 3, with the payloads of their messages. */
import type { SharedPlace } from '../../../domain/shared-contract.ts'
import type { Fields } from '../payload/field.ts'
import { type FollowReference, type Located, schemaFields } from '../payload/json-schema.ts'
import { childOf, type DataNode, entriesOf, itemsOf, textOf } from '../reading/data-tree.ts'
import { followIn, resolved } from '../reading/linked-documents.ts'
import { isTopic, topicName } from './event.ts'

export const asyncApiMark = /^[ \t]{0,9}["']?asyncapi["']?[ \t]{0,9}:/m

/** Which way the messages of the program of the document go. */
export type Channel = SharedPlace & {
  topic: string
  fields: Fields | null
  sends: boolean
  receives: boolean
}

export function asyncApiChannels(path: string, documents: ReadonlyMap<string, DataNode>): Channel[] {
  const root = documents.get(path)
  const version = textOf(childOf(root, 'asyncapi'))
  if (!root || version === null) return []
  const follow = followIn(documents)
  return entriesOf(childOf(root, 'channels')).flatMap(([key, { line, endLine, value }]): Channel[] => {
    const channel = resolved({ path, node: value }, follow)
    const topic = textOf(childOf(channel.node, 'address')) ?? key
    if (!isTopic(topic)) return []
    const { sends, receives, messages } = version.startsWith('2')
      ? oldOperations(channel, follow)
      : newOperations(root, channel, key, path, follow)
    const [message, another] = messages
    // Of several messages a reader takes those that it knows.
    const payload = message && !another ? childOf(message.node, 'payload') : null
    const fields = message && payload ? schemaFields({ path: message.path, node: payload }, follow) : null
    return [{ path, line, endLine, topic: topicName(topic), fields, sends, receives }]
  })
}

type Operations = { sends: boolean; receives: boolean; messages: Located[] }

/**
 * Version 2 names what others may do: who can `subscribe` gets what the program sends. People write `publish` for either, so
 * that a channel counts as sent whatever it says.
 */
function oldOperations({ path, node }: Located, follow: FollowReference): Operations {
  const messages = ['subscribe', 'publish'].flatMap((key) => {
    const message = childOf(childOf(node, key), 'message')
    if (!message) return []
    const choices = itemsOf(childOf(message, 'oneOf'))
    return (choices.length > 0 ? choices : [message]).map((one) => resolved({ path, node: one }, follow))
  })
  return { sends: true, receives: childOf(node, 'publish') !== null, messages: unique(messages) }
}

function newOperations(
  root: DataNode,
  { path, node }: Located,
  key: string,
  rootPath: string,
  follow: FollowReference,
): Operations {
  const messages = entriesOf(childOf(node, 'messages')).map(([, { value }]) =>
    resolved({ path, node: value }, follow),
  )
  const actions = entriesOf(childOf(root, 'operations')).flatMap(([, { value }]) => {
    const { node: operation } = resolved({ path: rootPath, node: value }, follow)
    const of = textOf(childOf(childOf(operation, 'channel'), '$ref')) ?? ''
    return of.endsWith(`/channels/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
      ? [textOf(childOf(operation, 'action'))]
      : []
  })
  const receives = actions.includes('receive')
  return { sends: actions.includes('send') || !receives, receives, messages: unique(messages) }
}

function unique(messages: readonly Located[]): Located[] {
  return [...new Map(messages.map((one) => [one.node, one])).values()]
}
