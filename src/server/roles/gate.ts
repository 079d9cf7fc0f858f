/**
 * The only way out of an analyzer: a socket in its folder, behind which the worker connects to addresses of models and
 * to no other. What goes through is encrypted between the analyzer and the model, so the gate sees no key and no code.
 */
import { rmSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Gate = {
  readonly socket: string
  /** `host:port` that were asked for and not allowed. */
  readonly refused: readonly string[]
  close(): Promise<void>
}

/** `allowed`: `host:port` each. */
export async function openGate(socket: string, allowed: ReadonlySet<string>): Promise<Gate> {
  const refused: string[] = []
  const open = new Set<Socket>()
  const server = createHttpServer((incoming, answer) => {
    // A model on this machine or in its network, without encryption.
    const target = URL.parse(incoming.url ?? '')
    if (target?.protocol !== 'http:' || !allowed.has(placeOf(target.hostname, target.port || '80'))) {
      refused.push(target?.host ?? '')
      answer.writeHead(403).end()
      return
    }
    const onward = request(target, { method: incoming.method, headers: incoming.headers }, (come) => {
      answer.writeHead(come.statusCode ?? 502, come.headers)
      come.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  server.on('connect', (incoming: IncomingMessage, near: Socket, early: Buffer) => {
    const place = incoming.url ?? ''
    if (!allowed.has(place)) {
      refused.push(place)
      near.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      return
    }
    const at = place.lastIndexOf(':')
    const far = connect(Number(place.slice(at + 1)), place.slice(0, at).replace(/^\[|\]$/g, ''), () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n')
      far.write(early)
      join(near, far)
    })
    far.on('error', () => near.destroy())
    near.on('error', () => far.destroy())
  })
  server.on('connection', (one: Socket) => {
    open.add(one)
    one.on('close', () => open.delete(one))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socket, resolve)
  })
  return {
    socket,
    refused,
    async close() {
      for (const one of open) one.destroy()
      await new Promise((resolve) => server.close(resolve))
      rmSync(socket, { force: true })
    },
  }
}

/** `host:port` as it stands in a request for a connection. */
export function placeOf(hostname: string, port: string): string {
  return `${hostname}:${port}`
}

/** Inside the analyzer: all that honours Node's switch for proxies goes through the socket from now on. */
export async function reachThroughGate(socket: string): Promise<void> {
  const server = createServer((near) => {
    const far = connect(socket)
    far.on('error', () => near.destroy())
    near.on('error', () => far.destroy())
    join(near, far)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  server.unref()
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  Object.assign(process.env, { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: address, HTTPS_PROXY: address })
}

function join(near: Socket, far: Socket): void {
  near.pipe(far)
  far.pipe(near)
  near.on('close', () => far.destroy())
  // What has come is still passed on.
  far.on('close', () => near.end())
}
