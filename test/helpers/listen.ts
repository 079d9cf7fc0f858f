/** A server of a test, on 127.0.0.1 until the test ends. */
import type { Server } from 'node:http'
import type { AddressInfo, Server as SocketServer } from 'node:net'
import { onTestFinished } from 'vitest'

/** Returns its port. */
export async function listen(server: Server | SocketServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
