/** Accounts besides ours whose markers need no signature: they may decide about findings in any case, by the host's word. */
import { type ActorTrust, mayWrite } from '../../domain/review-request.ts'
import { markerStart, type PublishedState } from './contract.ts'

/** The earliest; strangers who come later cannot keep them from being asked about, nor make us ask without end. */
const mostAsked = 10

export async function readWriters(
  { me, bodies, threads }: Pick<PublishedState, 'me' | 'bodies' | 'threads'>,
  readTrust: (author: string) => Promise<ActorTrust>,
): Promise<string[]> {
  const posted = [...bodies, ...threads, ...threads.flatMap(({ replies }) => replies)]
  const marked = posted.filter(({ author, body }) => ![me, ''].includes(author) && body.includes(markerStart))
  const others = [...new Set(marked.map(({ author }) => author))].slice(0, mostAsked)
  const trusts = await Promise.all(others.map(readTrust))
  return others.filter((_, at) => mayWrite(trusts[at] ?? 'unknown'))
}
