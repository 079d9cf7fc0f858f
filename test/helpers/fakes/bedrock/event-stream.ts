/** The binary frames in which AWS streams: lengths, checksums, headers and a payload. */
import { crc32 } from 'node:zlib'

/** A frame of an event such as `chunk` or `contentBlockDelta`. */
export function eventFrame(type: string, payload: unknown): Uint8Array {
  return frame(
    { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' },
    payload,
  )
}

/** A frame that ends a stream with an error such as `throttlingException`. */
export function exceptionFrame(type: string, message: string): Uint8Array {
  const headers = {
    ':exception-type': type,
    ':content-type': 'application/json',
    ':message-type': 'exception',
  }
  return frame(headers, { message })
}

function frame(headers: Record<string, string>, payload: unknown): Uint8Array {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => headerBytes(name, value)))
  const body = Buffer.from(JSON.stringify(payload))
  const whole = Buffer.alloc(12 + head.length + body.length + 4)
  whole.writeUInt32BE(whole.length, 0)
  whole.writeUInt32BE(head.length, 4)
  whole.writeUInt32BE(crc32(whole.subarray(0, 8)), 8)
  head.copy(whole, 12)
  body.copy(whole, 12 + head.length)
  whole.writeUInt32BE(crc32(whole.subarray(0, whole.length - 4)), whole.length - 4)
  return whole
}

/** Type 7 is a string with two bytes of length. */
function headerBytes(name: string, value: string): Buffer {
  const text = Buffer.from(value)
  const bytes = Buffer.alloc(1 + name.length + 3 + text.length)
  bytes.writeUInt8(name.length, 0)
  bytes.write(name, 1)
  bytes.writeUInt8(7, 1 + name.length)
  bytes.writeUInt16BE(text.length, 2 + name.length)
  text.copy(bytes, 4 + name.length)
  return bytes
}
