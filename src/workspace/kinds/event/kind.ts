/** Events: topics and queues that one repository publishes to and others read, in AsyncAPI documents and in code. */
import { isTestPath, isUnwrittenPath, isVendoredPath } from '../../../base/file-paths.ts'
import type { ContractKind, Provided, SourceFile, SourceTree, Use } from '../../contract.ts'
import { readLinked } from '../reading/linked-documents.ts'
import { asyncApiChannels, asyncApiMark, type Channel } from './asyncapi.ts'
import { type EventBreak, eventBreaks, judgeEvent } from './breaks.ts'
import { eventCue, publishedIn, subscribedIn } from './code-events.ts'
import type { EventShape, EventUse } from './event.ts'

const documentPath = /\.(?:json|ya?ml)$/i
const codePath = /\.(?:[cm]?[jt]sx?|py|go|java|kt|rb|rs|cs)$/
const isRead = (path: string): boolean =>
  (documentPath.test(path) || codePath.test(path)) &&
  !(isUnwrittenPath(path) || isVendoredPath(path) || isTestPath(path))

export const eventContracts: ContractKind<EventShape, EventUse, EventBreak> = {
  kind: 'event',
  mayProvide: isRead,
  mayUse: isRead,
  cue: eventCue,
  provided,
  uses,
  breaks: eventBreaks,
  judge: (broken, use) => judgeEvent(broken.shape, use.shape),
}

async function provided(paths: readonly string[], tree: SourceTree): Promise<Provided<EventShape>[]> {
  const found: Provided<EventShape>[] = []
  for (const file of await tree.read(paths)) {
    if (codePath.test(file.path)) found.push(...publishedIn(file))
    else
      for (const { topic, fields, sends, path, line, endLine } of await channelsOf(file, tree))
        if (sends)
          found.push({ path, line, endLine, name: topic, shape: { topic, fields, source: 'document' } })
  }
  return found
}

async function uses(file: SourceFile): Promise<Use<EventUse>[]> {
  if (codePath.test(file.path)) return subscribedIn(file)
  const channels = await channelsOf(file, null)
  return channels.flatMap(({ topic, fields, receives, path, line, endLine }) => {
    if (!receives) return []
    // What the document requires of a message, it reads.
    const reads =
      fields?.fields.flatMap(({ name, required }) => (required && name !== '' ? [name] : [])) ?? []
    const shape = { topic, reads }
    return [{ path, line, endLine, key: topic, name: topic, how: 'received, by the document', shape }]
  })
}

async function channelsOf({ path, text }: SourceFile, tree: SourceTree | null): Promise<Channel[]> {
  return asyncApiMark.test(text) ? asyncApiChannels(path, await readLinked(path, text, tree)) : []
}
