/**
 * Takes secrets out of an answer in the binary frames of AWS: each has its lengths with a checksum, headers, a payload of
 * JSON, and a checksum over all of it. A payload may itself hold an event in base64.
 */
import { crc32 } from 'node:zlib'
import { blankSecrets, type TextPiece, textPieces } from './text-pieces.ts'

const preludeBytes = 12
const sumBytes = 4

/** The same bytes when there is nothing to blank, or when they are no such frames. */
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
