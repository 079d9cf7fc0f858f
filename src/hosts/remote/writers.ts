/** What of ours is on a change request, in the form that all hosts share, and which accounts besides ours are believed. */
import { type ActorTrust, mayWrite } from '../../domain/review-request.ts'
import { unlessRefused } from './answers.ts'
import { markerStart, mayBeOurs, type OwnThread, type Posted, type PublishedState } from './contract.ts'

/** A comment where a host lists all of them one after the other. */
export type ListedComment = Posted & {
  id: string
  /** The comment that begins its thread, which may be itself. */
  root: string
  /** Null in the conversation. */
  place: Pick<OwnThread, 'path' | 'line' | 'posted'> | null
  isResolved: boolean
  url: string
}

/** Those on lines begin threads; the others are bodies. */
export function splitComments(all: readonly ListedComment[]): Pick<PublishedState, 'bodies' | 'threads'> {
  const first = all.filter(({ id, root }) => id === root)
  return {
    bodies: first.flatMap(({ id, author, body, place }) => (place ? [] : [{ id, author, body }])),
    threads: first.flatMap(({ id, root: _, place, ...one }) => {
      const replies = all.filter(({ root, id: own }) => root === id && own !== id)
      if (!place) return []
      return [
        {
          ...{ ...one, ...place, id, comment: id },
          replies: replies.map(({ author, body }) => ({ author, body })),
        },
      ]
    }),
  }
}

/** The earliest; strangers who come later cannot keep them from being asked about, nor make us ask without end. */
const mostAsked = 10

/** Of `state`, with everybody's bodies and threads, what may be ours. `readTrust` may be refused. */
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
  const trusts = await Promise.all(others.map((author) => unlessRefused(() => readTrust(author))))
  return others.filter((_, at) => mayWrite(trusts[at] ?? 'unknown'))
}
