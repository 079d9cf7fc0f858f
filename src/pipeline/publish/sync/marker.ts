/**
 * The signed line at the end of everything we post: which findings it is about. It is believed only in what the host says
 * that this very identity wrote (`viewerDidAuthor` and its like), and only with a signature for this repository and change
 * request. The text of a change cannot write one into our own comments, because foreign text loses its `<` there.
 *
 * With a secret, the signature also keeps out other programs that write with the same identity (the bot of a CI system).
 * Without one, it only finds markers that were copied from elsewhere or damaged.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { markerStart } from '../../../hosts/remote/contract.ts'
import { FindingRecord } from '../../../ledger/record.ts'

const Marker = z.discriminatedUnion('kind', [
  /** In the body of a review: every finding that it put on a line, and those that it only lists. */
  z.strictObject({
    kind: z.literal('review'),
    head: z.string(),
    inline: z.array(FindingRecord),
    listed: z.array(FindingRecord),
  }),
  /** In a comment on a line. */
  z.strictObject({ kind: z.literal('finding'), head: z.string(), record: FindingRecord }),
  /** In the answer that closes a thread. */
  z.strictObject({ kind: z.literal('closed'), head: z.string() }),
])
export type Marker = z.infer<typeof Marker>

/** What a signature is for. */
export type MarkerScope = { secret: string; repositoryId: string; number: number }

const pattern = /<!-- sightline:1 ([A-Za-z0-9+/=]{4,120000}) ([0-9a-f]{32}) -->/g

export function writeMarker(marker: Marker, scope: MarkerScope): string {
  const payload = Buffer.from(JSON.stringify(marker)).toString('base64')
  return `${markerStart}1 ${payload} ${signatureOf(payload, scope)} -->`
}

/** The line that an answer to a comment ends with: always the same for one comment, and no `Marker`. */
export function answerMark(comment: string, scope: MarkerScope): string {
  const payload = Buffer.from(`answer to ${comment}`).toString('base64')
  return `${markerStart}1 ${payload} ${signatureOf(payload, scope)} -->`
}

/** The last genuine one; null when there is none. */
export function readMarker(body: string, scope: MarkerScope): Marker | null {
  for (const [, payload = '', signature = ''] of [...body.matchAll(pattern)].reverse()) {
    const expected = Buffer.from(signatureOf(payload, scope))
    if (!timingSafeEqual(expected, Buffer.from(signature))) continue
    const marker = Marker.safeParse(parsed(payload))
    if (marker.success) return marker.data
  }
  return null
}

function signatureOf(payload: string, { secret, repositoryId, number }: MarkerScope): string {
  const hash = createHmac('sha256', `sightline marker ${secret}`)
  return hash.update(`${repositoryId} ${number} ${payload}`).digest('hex').slice(0, 32)
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, 'base64').toString('utf8'))
  } catch {
    return null
  }
}
