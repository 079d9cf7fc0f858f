/** Bodies within one budget: who sends much for long gives way, and what no one could have signed is not read at all. */
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { BodyReader } from '../../../src/server/http/bodies.ts'
import { Refused } from '../../../src/server/http/contract.ts'

const most = 200_000
const budget = 1_000_000

async function open() {
  const reader = new BodyReader(budget)
  const server = createServer((request, response) => {
    const body = reader.begin(request, most)
    body
      .read()
      .then(
        (bytes) => response.end(String(bytes.byteLength)),
        (error: unknown) => {
          response.statusCode = error instanceof Refused ? error.status : 500
          response.setHeader('connection', 'close')
          response.end((error as Error).message)
        },
      )
      .finally(() => body.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const begin = (headers: string) => {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString()
    })
    socket.on('error', () => {})
    socket.write(`POST / HTTP/1.1\r\nhost: a\r\n${headers}\r\n`)
    return {
      write: (bytes: string | Buffer) => socket.write(bytes),
      status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0),
    }
  }
  const post = async (body: Buffer, headers: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    })
    return { status: answer.status, text: await answer.text() }
  }
  return { begin, post }
}

test('a body arrives whole, and one that is too large, compressed or cut in tiny pieces is refused', async () => {
  const { begin, post } = await open()
  expect(await post(Buffer.alloc(150_000, 'x'))).toEqual({ status: 200, text: '150000' })
  expect((await post(Buffer.alloc(most + 1, 'x'))).status).toBe(413)
  expect((await post(Buffer.from('x'), { 'content-encoding': 'gzip' })).status).toBe(415)
  const endless = begin('transfer-encoding: chunked\r\n')
  for (let sent = 0; sent <= most; sent += 16_000) endless.write(`3e80\r\n${'x'.repeat(16_000)}\r\n`)
  await expect.poll(endless.status).toBe(413)
  const tiny = begin('transfer-encoding: chunked\r\n')
  tiny.write('1\r\nx\r\n'.repeat(1_000))
  await expect.poll(tiny.status).toBe(400)
})

test('those who hold the budget for long give way to others, whether they announce a length or not', async () => {
  const { begin, post } = await open()
  const slow = Array.from({ length: 20 }, (_, number) =>
    begin(number % 2 === 0 ? 'transfer-encoding: chunked\r\n' : `content-length: ${most}\r\n`),
  )
  // Together they would hold two budgets, and none ever ends.
  for (const [number, one] of slow.entries())
    one.write(
      number % 2 === 0
        ? `${(100_000).toString(16)}\r\n${'x'.repeat(100_000)}\r\n`
        : Buffer.alloc(100_000, 'x'),
    )
  await expect.poll(() => slow.filter(({ status }) => status() === 503).length).toBeGreaterThanOrEqual(10)
  for (let turn = 0; turn < 20; turn++)
    expect(await post(Buffer.alloc(25_000, 'x'))).toEqual({ status: 200, text: '25000' })
  // What they held is free again.
  expect(slow.filter(({ status }) => status() === 0).length).toBeGreaterThan(0)
})
