/**
 * Stands between a server's output and the reader of messages: lets well-formed frames of bounded size through, and
 * fails the stream for all else, so that garbage or a flood costs neither memory nor time.
 */
import { Transform, type TransformCallback } from 'node:stream'

const longestHeader = 4096
const largestMessage = 64 * 2 ** 20
/** Received since the last request of ours. */
const largestTurn = 128 * 2 ** 20

export class FrameGuard extends Transform {
  private header = ''
  private bodyLeft = 0
  private turnBytes = 0

  /** To be called with each request: what came before does not count any more. */
  startTurn(): void {
    this.turnBytes = 0
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const fault = this.faultIn(chunk)
    if (fault) done(new Error(fault))
    else done(null, chunk)
  }

  private faultIn(chunk: Buffer): string | null {
    this.turnBytes += chunk.length
    if (this.turnBytes > largestTurn) return 'it sent more than was asked for'
    let at = 0
    while (at < chunk.length) {
      if (this.bodyLeft > 0) {
        const taken = Math.min(this.bodyLeft, chunk.length - at)
        this.bodyLeft -= taken
        at += taken
        continue
      }
      const before = this.header.length
      this.header += chunk.toString('latin1', at, at + longestHeader)
      const end = this.header.indexOf('\r\n\r\n')
      if (end < 0) return this.header.length >= longestHeader ? notProtocol : null
      const length = /^content-length: *(\d{1,12})\r?$/im.exec(this.header.slice(0, end))?.[1]
      if (length === undefined) return notProtocol
      if (Number(length) > largestMessage) return 'it sent a message that is too large'
      at += end + 4 - before
      this.header = ''
      this.bodyLeft = Number(length)
    }
    return null
  }
}

const notProtocol = 'what it sent is not the language server protocol'
