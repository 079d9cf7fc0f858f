/**
 * A process whose connections try to use up a server that takes webhooks: each in one of seven ways, again and again.
 * `webhooks.ts` starts it. Goes to 127.0.0.1 only.
 */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const [address = '', count = '0'] = process.argv.slice(2)
const { port, hostname } = new URL(address)
if (hostname !== '127.0.0.1') throw new Error('only for a server on this machine')

const signature = `x-hub-signature-256: sha256=${'0'.repeat(64)}\r\n`
const json = 'content-type: application/json\r\n'
const headTo = (connection: string, rest: string) =>
  `POST /webhooks/${connection} HTTP/1.1\r\nhost: ${hostname}\r\n${json}${rest}\r\n`
const filling = Buffer.alloc(16_000, 'x')
const chunk = Buffer.concat([Buffer.from(`${filling.length.toString(16)}\r\n`), filling, Buffer.from('\r\n')])
const chunked = 'transfer-encoding: chunked\r\n'

/** What is sent first, and then every so many milliseconds. */
const ways: Readonly<Record<string, { head: string; more: Buffer; everyMs: number }>> = {
  'to nobody': { head: headTo('nobody', chunked), more: chunk, everyMs: 50 },
  unsigned: { head: headTo('github', chunked), more: chunk, everyMs: 50 },
  'forged, chunked': { head: headTo('github', `${signature}${chunked}`), more: chunk, everyMs: 200 },
  'forged, slow': {
    head: headTo('github', `${signature}content-length: 900000\r\n`),
    more: Buffer.alloc(2_000, 'x'),
    everyMs: 200,
  },
  'one byte a chunk': {
    head: headTo('github', `${signature}${chunked}`),
    more: Buffer.from('1\r\nx\r\n'.repeat(500)),
    everyMs: 100,
  },
  compressed: {
    head: headTo('github', `${signature}${chunked}content-encoding: gzip\r\n`),
    more: chunk,
    everyMs: 50,
  },
  'no end of headers': {
    head: 'POST /webhooks/github HTTP/1.1\r\n',
    more: Buffer.from('x-a: b\r\n'),
    everyMs: 500,
  },
}
const names = Object.keys(ways)
const begun: Record<string, number> = {}
let isOver = false

async function attack(number: number): Promise<void> {
  const name = names[number % names.length] ?? ''
  const { head, more, everyMs } = ways[name] ?? { head: '', more: chunk, everyMs: 100 }
  while (!isOver) {
    begun[name] = (begun[name] ?? 0) + 1
    await new Promise<void>((resolve) => {
      // Of an address of their own, as strangers have.
      const localAddress = `127.0.1.${(number % 10) + 1}`
      const socket = connect({ port: Number(port), host: hostname, localAddress }, () => socket.write(head))
      const timer = setInterval(() => {
        // No more than the server takes; what waits here would be memory of the attacker.
        if (isOver) socket.destroy()
        else if (socket.writableLength < 64_000) socket.write(more)
      }, everyMs)
      socket.on('data', () => {})
      socket.on('error', () => {})
      socket.on('close', () => {
        clearInterval(timer)
        resolve()
      })
    })
    await sleep(1_000)
  }
}

for (let number = 0; number < Number(count); number++) void attack(number)
setTimeout(() => process.send?.('attacking'), 3_000)
process.on('disconnect', () => process.exit(1))
process.on('message', () => {
  isOver = true
  process.send?.(begun)
})
