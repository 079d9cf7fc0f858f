/** What of ours is on a change request, in the form that all hosts share, and which accounts besides ours are believed. */
import { type ActorTrust, mayWrite } from '../../domain/review-request.ts'
import { markerStart, mayBeOurs, type PublishedState } from './contract.ts'

/** The earliest; strangers who come later cannot keep them from being asked about, nor make us ask without end. */
const mostAsked = 10

/** Of `state`, with everybody's bodies and threads, what may be ours. */
export async function publishedState(
  state: Omit<PublishedState, 'writers'>,
  readTrust: (author: string) => Promise<ActorTrust>,
): Promise<PublishedState> {
  const { me } = state
  const bodies = state.bodies.filter((body) => mayBeOurs(body, me))
  const threads = state.threads.filter((thread) => mayBeOurs(thread, me))
  return { ...state, bodies, threads, writers: await readWriters({ me, bodies, threads }, readTrust) }
}

/** Markers of these need no signature: they may decide about findings in any case, by the host's word. */
async function readWriters(
  { me, bodies, threads }: Pick<PublishedState, 'me' | 'bodies' | 'threads'>,
  readTrust: (author: string) => Promise<ActorTrust>,
): Promise<string[]> {
  const posted = [...bodies, ...threads, ...threads.flatMap(({ replies }) => replies)]
  const marked = posted.filter(({ author, body }) => ![me, ''].includes(author) && body.includes(markerStart))
  const others = [...new Set(marked.map(({ author }) => author))].slice(0, mostAsked)
  const trusts = await Promise.all(others.map(readTrust))
  return others.filter((_, at) => mayWrite(trusts[at] ?? 'unknown'))
}
