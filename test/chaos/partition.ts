/** A stretch of network between a process and PostgreSQL that can be cut: what is sent meanwhile is neither lost nor arrives. */
import { createConnection, createServer, type Socket } from 'node:net'

export type Network = {
  url: string
  cut(): void
  heal(): void
  close(): void
}

export async function openNetwork(target: string): Promise<Network> {
  const { port, hostname } = new URL(target)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    const far = createConnection({ port: Number(port), host: hostname })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (isCut) from.pause()
    }
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = new URL(target)
  url.port = String(address.port)
  return {
    url: url.href,
    cut() {
      isCut = true
      for (const socket of sockets) socket.pause()
    },
    heal() {
      isCut = false
      for (const socket of sockets) socket.resume()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
