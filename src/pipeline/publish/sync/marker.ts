/**
 * The line at the end of everything we post: which findings it is about. Whether it is ours is the host's word: what this
 * account wrote is ours, whoever signed it and with what, so no lost or rotated key makes anything be said twice. The text
 * of a change cannot write a marker into our own comments, because foreign text loses its `<` there.
 *
 * Signatures are for the two cases in which the account does not say enough: a token of another account, when the earlier one
 * was replaced (the signature then vouches for the account that wrote), and an account that other programs write with too
 * (the bot of a CI system). Without one, a marker of another account is ours and old if that account may write to the
 * repository, since it could dismiss the finding anyway. The marker must be the last thing in the comment, as ours are, so that
 * quoting or answering a stranger does not pass on a stranger's marker.
 */
import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import { isSameSecret } from '../../../base/secrets/same-secret.ts'
import { markerStart, type Posted } from '../../../hosts/remote/contract.ts'
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
  /** In the one comment of the conversation; `key` is what it shows, hashed. */
  z.strictObject({ kind: z.literal('overview'), head: z.string(), key: z.string() }),
  /** In the answer that closes a thread. */
  z.strictObject({ kind: z.literal('closed'), head: z.string() }),
])
export type Marker = z.infer<typeof Marker>

/** The keys of whoever publishes; `markerKeyOf` makes one of a secret that outlives data folders and databases. */
export type MarkerKeys = {
  /** The first signs, all are believed. */
  keys: readonly string[]
  /** What versions without vouchers sign with: they are to know ours again while both are at work. */
  legacy: string
  /** Other programs write with the same account, so what no key signed is not ours. */
  isShared?: boolean
}

export type MarkerScope = MarkerKeys & {
  /** See `PublishedState`. */
  me: string
  writers: readonly string[]
  repositoryId: string
  number: number
}

const pattern = /<!-- sightline:1 ([A-Za-z0-9+/=]{4,120000}) ([0-9a-f]{32}) -->/g
/** Behind a marker: that this account wrote it. */
const voucher = /^\s*<!-- sightline:by ([\w-]{1,40}) ([0-9a-f]{32}) -->/

/** A key for signatures, from which nobody learns the secret. */
export function markerKeyOf(secret: string): string {
  return createHash('sha256').update(`sightline marker ${secret}`).digest('hex')
}

export function writeMarker(marker: Marker, scope: Omit<MarkerScope, 'writers'>): string {
  const payload = Buffer.from(JSON.stringify(marker)).toString('base64')
  const line = `${markerStart}1 ${payload} ${signatureOf(scope.legacy, payload, scope)} -->`
  const [key] = scope.keys
  if (key === undefined) return line
  return `${line}\n${markerStart}by ${scope.me} ${signatureOf(key, `${payload} ${scope.me}`, scope)} -->`
}

/** The line that an answer to a comment ends with, always the same for one comment and no `Marker`; then its earlier forms. */
export function answerMarks(
  comment: string,
  scope: Omit<MarkerScope, 'me' | 'writers' | 'isShared'>,
): [string, ...string[]] {
  const payload = Buffer.from(`answer to ${comment}`).toString('base64')
  const markBy = (key: string) => `${markerStart}1 ${payload} ${signatureOf(key, payload, scope)} -->`
  const [first = scope.legacy, ...others] = [...scope.keys, scope.legacy]
  return [markBy(first), ...others.map(markBy)]
}

/** The last one of ours; null when there is none. */
export function readMarker({ author, body }: Posted, scope: MarkerScope): Marker | null {
  for (const match of [...body.matchAll(pattern)].reverse()) {
    const [line, payload = '', signature = ''] = match
    const rest = body.slice(match.index + line.length)
    const isOwn = author === scope.me
    const isSigned =
      isVouchedFor({ author, payload }, rest, scope) ||
      // From before there were vouchers.
      (isOwn && isSameSecret(signature, signatureOf(scope.legacy, payload, scope)))
    const isEnd = /(?:^|\n)$/.test(body.slice(0, match.index)) && rest.replace(voucher, '').trim() === ''
    const isBelieved = isOwn ? !scope.isShared : isEnd && scope.writers.includes(author)
    if (!isSigned && !isBelieved) continue
    const marker = Marker.safeParse(parsed(payload))
    if (marker.success) return marker.data
  }
  return null
}

function isVouchedFor(
  { author, payload }: { author: string; payload: string },
  rest: string,
  scope: MarkerScope,
): boolean {
  const [, by, signature = ''] = voucher.exec(rest) ?? []
  // A copy of the two lines in a comment of somebody else names an account that did not write it.
  if (by === undefined || by !== author) return false
  return scope.keys.some((key) => isSameSecret(signature, signatureOf(key, `${payload} ${by}`, scope)))
}

function signatureOf(
  key: string,
  words: string,
  { repositoryId, number }: Pick<MarkerScope, 'repositoryId' | 'number'>,
): string {
  const hash = createHmac('sha256', `sightline marker ${key}`)
  return hash.update(`${repositoryId} ${number} ${words}`).digest('hex').slice(0, 32)
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, 'base64').toString('utf8'))
  } catch {
    return null
  }
}
