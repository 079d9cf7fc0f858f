/**
 * Takes secrets out of a streamed answer: server-sent events, lines of JSON, any other text, or the binary frames of AWS.
 * The pieces of one channel (the same block of the same choice) are searched as one text, so that a secret that is split
 * over several events is found, and blanked in each of them.
 */

import { crc32 } from 'node:zlib'
import { findSecrets } from './find-secrets.ts'
import { redactText, withoutValues } from './redact.ts'

const eventLine = /^(data:\s?)?(\{.*\})\s*$/

/** `known` are values that count as secrets wherever they occur. Lines without secrets stay byte for byte. */
export function redactStream(body: string, known: readonly string[] = []): string {
  const lines = body.split('\n')
  const events = lines.map(readEvent)
  const changed = blankSecrets(
    events.flatMap((event) => event?.pieces ?? []),
    known,
  )
  const clean = lines.map((line, index) => {
    const event = events[index]
    if (!event?.pieces.some((piece) => changed.has(piece))) return line
    return `${event.before}${JSON.stringify(event.value)}`
  })
  return redactText(withoutValues(clean.join('\n'), known))
}

type Event = { before: string; value: object; pieces: TextPiece[] }

function readEvent(line: string): Event | null {
  const match = eventLine.exec(line)
  if (!match) return null
  try {
    const value: object = JSON.parse(match[2] ?? '')
    return { before: match[1] ?? '', value, pieces: textPieces(value) }
  } catch {
    return null
  }
}

export type TextPiece = {
  channel: string
  text: string
  /** Puts another text in its place. */
  put: (text: string) => void
}

/** Keys under which protocols stream pieces of text. */
const textKeys = new Set([
  'text',
  'content',
  'delta',
  'partial_json',
  'thinking',
  'reasoning',
  'reasoning_content',
  'arguments',
  'input',
  'response',
  'refusal',
])

/** Keys whose numbers tell one block or choice from another. */
const indexKeys = new Set(['index', 'contentBlockIndex', 'output_index', 'content_index', 'summary_index'])

const blank = '*'
const separator = '\n\u0000\n'

/** In the order of the event, which is the order of the text. `event` is plain JSON, and is changed by `put`. */
export function textPieces(event: object): TextPiece[] {
  const pieces: TextPiece[] = []
  const visit = (value: object, channel: string): void => {
    const own = Object.entries(value).filter(
      ([key, inner]) => indexKeys.has(key) && typeof inner === 'number',
    )
    const here = [channel, ...own.map(([, index]) => `#${index}`)].join('')
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'string' && textKeys.has(key))
        pieces.push({
          channel: `${here}/${key}`,
          text: inner,
          put: (text) => void Reflect.set(value, key, text),
        })
      else if (typeof inner === 'object' && inner !== null) visit(inner, `${here}/${key}`)
    }
  }
  visit(event, '')
  return pieces
}

/** Blanks every secret, and every one of the `known` values; the lengths stay. Returns the pieces that changed. */
export function blankSecrets(
  pieces: readonly TextPiece[],
  known: readonly string[] = [],
): ReadonlySet<TextPiece> {
  const ordered = [...Map.groupBy(pieces, ({ channel }) => channel).values()]
  const joined = ordered.map((group) => group.map(({ text }) => text).join('')).join(separator)
  const characters = joined.split('')
  // No secret spans two channels.
  const found = findSecrets(joined).filter(({ value }) => !value.includes('\u0000'))
  for (const { start, end } of [...found, ...placesOf(joined, known)]) characters.fill(blank, start, end)
  const changed = new Set<TextPiece>()
  let at = 0
  for (const group of ordered) {
    for (const piece of group) {
      const text = characters.slice(at, at + piece.text.length).join('')
      at += piece.text.length
      if (text === piece.text) continue
      piece.put(text)
      changed.add(piece)
    }
    at += separator.length
  }
  return changed
}

function placesOf(text: string, known: readonly string[]): { start: number; end: number }[] {
  return known.flatMap((value) => {
    const places: { start: number; end: number }[] = []
    for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + value.length))
      places.push({ start, end: start + value.length })
    return places
  })
}

const preludeBytes = 12
const sumBytes = 4

/**
 * Of AWS: a frame has its lengths with a checksum, headers, a payload of JSON, and a checksum over all of it. A payload
 * may itself hold an event in base64. Returns the same bytes when there is nothing to blank, or for any other format.
 */
export function redactFrames(bytes: Uint8Array, known: readonly string[] = []): Uint8Array {
  const frames = readFrames(Buffer.from(bytes))
  if (!frames) return bytes
  const pieces = frames.flatMap((frame) => frame.pieces)
  const changed = blankSecrets(pieces, known)
  if (changed.size === 0) return bytes
  return Buffer.concat(
    frames.map((frame) =>
      frame.pieces.some((piece) => changed.has(piece)) ? writeFrame(frame) : frame.whole,
    ),
  )
}

type Frame = {
  whole: Buffer
  headers: Buffer
  /** Null for a payload that is no JSON. */
  payload: Record<string, unknown> | null
  /** What the payload holds in base64. */
  inner: object | null
  pieces: TextPiece[]
}

function readFrames(bytes: Buffer): Frame[] | null {
  const frames: Frame[] = []
  for (let at = 0; at < bytes.length; ) {
    if (bytes.length - at < preludeBytes + sumBytes) return null
    const [length, headersLength] = [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
    const smallest = preludeBytes + headersLength + sumBytes
    if (length < smallest || length > bytes.length - at) return null
    frames.push(readFrame(bytes.subarray(at, at + length), headersLength))
    at += length
  }
  return frames
}

function readFrame(whole: Buffer, headersLength: number): Frame {
  const headers = whole.subarray(preludeBytes, preludeBytes + headersLength)
  const payload = parse(whole.subarray(preludeBytes + headersLength, -sumBytes))
  const inner = typeof payload?.bytes === 'string' ? parse(Buffer.from(payload.bytes, 'base64')) : null
  const holder = inner ?? payload
  return { whole, headers, payload, inner, pieces: holder ? textPieces(holder) : [] }
}

function writeFrame({ headers, payload, inner }: Frame): Buffer {
  const event = inner ? { ...payload, bytes: Buffer.from(JSON.stringify(inner)).toString('base64') } : payload
  const body = Buffer.from(JSON.stringify(event))
  const whole = Buffer.alloc(preludeBytes + headers.length + body.length + sumBytes)
  whole.writeUInt32BE(whole.length, 0)
  whole.writeUInt32BE(headers.length, 4)
  whole.writeUInt32BE(crc32(whole.subarray(0, 8)), 8)
  headers.copy(whole, preludeBytes)
  body.copy(whole, preludeBytes + headers.length)
  whole.writeUInt32BE(crc32(whole.subarray(0, -sumBytes)), whole.length - sumBytes)
  return whole
}

function parse(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    // Any object may be looked into by its keys.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
