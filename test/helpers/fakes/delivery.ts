/** How an answer travels: steadily, slowly, or in one of the ways in which networks and servers fail. */
import type { ServerResponse } from 'node:http'
import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises'
import type { HttpAnswer } from './server.ts'

/** `afterFrames` counts the events of a stream that still arrive; half of them when not given. */
export type Delivery =
  | { kind: 'steady' }
  | { kind: 'slow'; delayMs: number }
  | { kind: 'held'; until: Promise<unknown> }
  /** Takes the request and sends nothing, not even headers. */
  | { kind: 'silence' }
  /** Keeps the connection open and says nothing more. */
  | { kind: 'stall'; afterFrames?: number }
  /** Ends the connection in the middle, without the end of the body. */
  | { kind: 'cut'; afterFrames?: number }
  /** Ends the connection before a single byte. */
  | { kind: 'reset' }

export type Outcome = 'answered' | 'aborted' | 'broken'

/** Odd sizes, so that events, lines and even letters arrive in pieces. */
const pieceSizes = [7, 61, 3, 1021, 131, 4093, 17]

export async function deliver(response: ServerResponse, answer: HttpAnswer): Promise<Outcome> {
  const delivery = answer.delivery ?? { kind: 'steady' }
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  if (delivery.kind === 'reset') {
    response.socket?.resetAndDestroy()
    return 'broken'
  }
  if (delivery.kind === 'silence') {
    await closed(gone.signal)
    return 'aborted'
  }
  if (delivery.kind === 'held') await Promise.race([delivery.until, closed(gone.signal)])
  response.writeHead(answer.status, { ...answer.headers })
  if (delivery.kind === 'slow') return writeSlowly(response, answer.frames, delivery.delayMs, gone.signal)
  if (delivery.kind === 'steady' || delivery.kind === 'held') {
    await writePieces(response, answer.frames, gone.signal)
    if (gone.signal.aborted) return 'aborted'
    response.end()
    return 'answered'
  }
  await writePieces(response, firstPart(answer.frames, delivery.afterFrames), gone.signal)
  if (delivery.kind === 'stall') {
    response.flushHeaders()
    await closed(gone.signal)
    return 'aborted'
  }
  response.flushHeaders()
  await sleep(5)
  response.destroy()
  return 'broken'
}

function closed(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })
}

async function writeSlowly(
  response: ServerResponse,
  frames: readonly Uint8Array[],
  delayMs: number,
  signal: AbortSignal,
): Promise<Outcome> {
  for (const frame of frames) {
    await sleep(delayMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return 'aborted'
    response.write(frame)
  }
  response.end()
  return 'answered'
}

async function writePieces(
  response: ServerResponse,
  frames: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<void> {
  const bytes = Buffer.concat(frames)
  for (let start = 0, turn = 0; start < bytes.length && !signal.aborted; turn += 1) {
    const size = pieceSizes[turn % pieceSizes.length] ?? 64
    response.write(bytes.subarray(start, start + size))
    start += size
    // Writes of one turn of the event loop would be sent as one chunk.
    await breathe()
  }
}

/** A single frame, as of an answer that is no stream, is cut in its middle. */
function firstPart(frames: readonly Uint8Array[], afterFrames: number | undefined): readonly Uint8Array[] {
  if (frames.length > 1) return frames.slice(0, afterFrames ?? Math.floor(frames.length / 2))
  const [only = new Uint8Array()] = frames
  return afterFrames === 0 ? [] : [only.subarray(0, Math.floor(only.length / 2))]
}
