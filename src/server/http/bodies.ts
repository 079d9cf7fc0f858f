/**
 * Reads the bodies of requests, all within one budget of bytes, counted as they arrive and until they were answered. When
 * it is used up, whoever holds much for long gives way: a webhook is small and arrives at once, so its sender is never
 * the one, however many others send slowly or without end.
 */
import type { IncomingMessage } from 'node:http'
import { Refused } from './contract.ts'

/** What each chunk costs besides its bytes: a body of one byte a chunk is hundreds of times as large as it says. */
const chunkBytes = 512
/** No sender cuts a body so small, and more chunks of such a size than this. */
const tinyBytes = 64
const mostTinyChunks = 256

export class BodyReader {
  private readonly mostBytes: number
  private readonly bodies = new Set<Body>()
  private held = 0

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes
  }

  /** To be called before anything is waited for, since a body may be there already. It is counted until its `end`. */
  begin(request: IncomingMessage, most: number): Body {
    const body = new Body(request, most, (bytes) => {
      this.held += bytes
      if (this.held > this.mostBytes) this.makeRoom()
    })
    this.bodies.add(body)
    body.whenEnded = () => this.bodies.delete(body)
    return body
  }

  private makeRoom(): void {
    const now = performance.now()
    const coming = [...this.bodies].filter(({ isComing }) => isComing)
    if (coming.length === 0) return
    const heaviest = coming.reduce((one, other) => (other.weight(now) > one.weight(now) ? other : one))
    heaviest.refuse(new Refused(503, 'Too much is being sent at a time.'))
  }
}

export class Body {
  private readonly most: number
  private readonly count: (bytes: number) => void
  private readonly since = performance.now()
  private chunks: Buffer[] = []
  private bytes = 0
  private held = 0
  private isDropped = false
  private readonly arrived = Promise.withResolvers<void>()
  isComing = true
  whenEnded: () => void = () => {}

  constructor(request: IncomingMessage, most: number, count: (bytes: number) => void) {
    this.most = most
    this.count = count
    this.arrived.promise.catch(() => {})
    const { 'content-length': announced = '0', 'content-encoding': encoding = 'identity' } = request.headers
    if (encoding !== 'identity') this.refuse(new Refused(415, 'Send the body without a content encoding.'))
    else if (Number(announced) > most) this.refuse(tooLarge(most))
    // What comes after a refusal is heard and dropped; were it not heard, it would be kept by the request.
    request.on('data', (chunk: Buffer) => this.take(chunk))
    request.once('end', () => {
      this.isComing = false
      this.arrived.resolve()
    })
    const cut = () => this.refuse(new Refused(400, 'The body ended early.'))
    request.once('error', cut)
    request.once('close', cut)
  }

  /** Throws `Refused`. */
  async read(): Promise<Buffer> {
    await this.arrived.promise
    return Buffer.concat(this.chunks)
  }

  weight(now: number): number {
    return this.held * (now - this.since)
  }

  refuse(why: Refused): void {
    if (!this.isComing) return
    this.isComing = false
    this.end()
    this.arrived.reject(why)
  }

  /** It was answered: nothing of it is needed any more, nor of what still comes. */
  end(): void {
    this.chunks = []
    this.count(-this.held)
    this.held = 0
    this.isDropped = true
    this.whenEnded()
  }

  private take(chunk: Buffer): void {
    if (this.isDropped) return
    const cost = chunk.byteLength + chunkBytes
    this.chunks.push(chunk)
    this.bytes += chunk.byteLength
    this.held += cost
    // May refuse this very body.
    this.count(cost)
    if (this.bytes > this.most) this.refuse(tooLarge(this.most))
    else if (this.chunks.length > mostTinyChunks && this.bytes < this.chunks.length * tinyBytes)
      this.refuse(new Refused(400, 'The body comes in too small chunks.'))
  }
}

function tooLarge(most: number): Refused {
  return new Refused(413, `The body has more than ${most} bytes.`)
}
