/**
 * Reads the bodies of requests, all within one budget of bytes, counted as they arrive and until they were answered. When
 * it is used up, whoever holds much for long gives way: a webhook is small and arrives at once, so its sender is never
 * the one, however many others send slowly or without end.
 */
import type { IncomingMessage } from 'node:http'
import { Refused } from './contract.ts'

type Reading = { bytes: number; since: number; giveWay: ((why: Refused) => void) | null }

export class BodyReader {
  private readonly mostBytes: number
  private readonly readings = new Set<Reading>()
  private held = 0

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes
  }

  /** Throws `Refused`. Bytes count as held until `use` has resolved. */
  async use<Result>(
    request: IncomingMessage,
    most: number,
    use: (body: Buffer) => Promise<Result>,
  ): Promise<Result> {
    const { 'content-length': announced = '0', 'content-encoding': encoding = 'identity' } = request.headers
    if (encoding !== 'identity') throw new Refused(415, 'Send the body without a content encoding.')
    if (Number(announced) > most) throw tooLarge(most)
    const reading: Reading = { bytes: 0, since: performance.now(), giveWay: null }
    this.readings.add(reading)
    try {
      return await use(await this.read(request, most, reading))
    } finally {
      this.held -= reading.bytes
      this.readings.delete(reading)
    }
  }

  private async read(request: IncomingMessage, most: number, reading: Reading): Promise<Buffer> {
    const chunks: Buffer[] = []
    await new Promise<void>((resolve, reject) => {
      const end = (error?: Error): void => {
        request.pause()
        for (const [event, heard] of Object.entries(listeners)) request.off(event, heard)
        reading.giveWay = null
        if (error) reject(error)
        else resolve()
      }
      const listeners = {
        data: (chunk: Buffer) => {
          reading.bytes += chunk.byteLength
          this.held += chunk.byteLength
          chunks.push(chunk)
          if (reading.bytes > most) end(tooLarge(most))
          else if (this.held > this.mostBytes) this.makeRoom()
        },
        end: () => end(),
        error: () => end(endedEarly()),
        close: () => end(endedEarly()),
      }
      if (request.destroyed) return reject(endedEarly())
      reading.giveWay = end
      for (const [event, heard] of Object.entries(listeners)) request.on(event, heard)
    })
    return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
  }

  private makeRoom(): void {
    const now = performance.now()
    const weight = ({ bytes, since }: Reading) => bytes * (now - since)
    const heaviest = [...this.readings]
      .filter(({ giveWay, bytes }) => giveWay !== null && bytes > 0)
      .reduce((one, other) => (weight(other) > weight(one) ? other : one))
    heaviest.giveWay?.(new Refused(503, 'Too much is being sent at a time.'))
    // Its chunks go with its promise; what it held is free from here on.
    this.held -= heaviest.bytes
    heaviest.bytes = 0
  }
}

function endedEarly(): Refused {
  return new Refused(400, 'The body ended early.')
}

function tooLarge(most: number): Refused {
  return new Refused(413, `The body has more than ${most} bytes.`)
}
