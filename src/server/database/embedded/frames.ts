/**
 * What the embedded engine and its clients say to each other over a socket of this machine: frames of a length (four bytes)
 * and a value in Node's own serialization, which keeps dates and bytes. Only processes of the same user can connect.
 */
import type { Socket } from 'node:net'
import { deserialize, serialize } from 'node:v8'
import type { Parameter, Row } from '../contract.ts'

/** `transaction` is a number of the client's choice, null for a statement by itself. */
export type Request =
  | { type: 'begin' | 'commit' | 'rollback'; id: number; transaction: number }
  | {
      type: 'query'
      id: number
      transaction: number | null
      statement: string
      parameters: readonly Parameter[]
    }
  | { type: 'listen'; id: number; channel: string }

export type Reply =
  | { type: 'rows'; id: number; rows: Row[] }
  | { type: 'refused'; id: number; message: string; code: string; constraint: string | null }
  | { type: 'notice'; channel: string }

/** Sends one value; what cannot be sent any more is dropped, since the end of a socket is an event of its own. */
export function send(socket: Socket, value: Request | Reply): void {
  if (!socket.writable) return
  const body = serialize(value)
  const frame = Buffer.allocUnsafe(4 + body.length)
  frame.writeUInt32BE(body.length)
  frame.set(body, 4)
  socket.write(frame)
}

/** Calls `onValue` for each value, in order. */
export function receive<T extends Request | Reply>(socket: Socket, onValue: (value: T) => void): void {
  let rest: Buffer[] = []
  let length = 0
  socket.on('data', (chunk: Buffer) => {
    rest.push(chunk)
    length += chunk.length
    while (length >= 4) {
      if ((rest[0]?.length ?? 0) < 4) rest = [Buffer.concat(rest)]
      const size = 4 + (rest[0]?.readUInt32BE() ?? 0)
      if (length < size) return
      const whole = rest.length === 1 ? (rest[0] ?? Buffer.alloc(0)) : Buffer.concat(rest)
      rest = [whole.subarray(size)]
      length -= size
      onValue(deserialize(whole.subarray(4, size)) as T)
    }
  })
}
