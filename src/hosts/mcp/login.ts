/**
 * A login at an MCP server in the operator's browser: the authorization code flow with a proof key, and the answer at an
 * address of this machine that exists only meanwhile.
 */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Client } from '@modelcontextprotocol/client'
import { withinSeconds } from '../../base/time-budget.ts'
import { boundedFetch, connectClient } from './connect.ts'
import { beginLogin, type LoginPlace } from './login-provider.ts'

export type LoginParts = {
  fetch: typeof globalThis.fetch
  /** Shows the operator the address to open. */
  show(address: URL): void
}

/** People look for a password, and confirm on a phone. */
const secondsForPeople = 300
const secondsForServers = 30

/** Returns when the tokens are kept. False when the server answers without a login. Throws a plain sentence. */
export async function logIn(place: LoginPlace, parts: LoginParts, signal: AbortSignal): Promise<boolean> {
  // Every command loads this module, and this import alone would cost it 60 ms: Node then loads its own `fetch`.
  const { createServer } = await import('node:http')
  const callback = createServer()
  await listen(callback, place.settings.port ?? 0)
  try {
    const { port } = callback.address() as AddressInfo
    const redirectUrl = `http://127.0.0.1:${port}/callback`
    const attempt = beginLogin(place, redirectUrl)
    const { StreamableHTTPClientTransport, UnauthorizedError } = await import('@modelcontextprotocol/client')
    const open = () =>
      new StreamableHTTPClientTransport(new URL(place.url), {
        authProvider: attempt.provider,
        redirectPolicy: 'same-origin',
        fetch: boundedFetch(parts.fetch),
      })
    const tryOut = async (transport: ReturnType<typeof open>) =>
      await withinSeconds(secondsForServers, signal, (inner) =>
        connectClient(transport, 'auto', inner, async (client: Client) => {
          await client.listTools(undefined, { signal: inner })
        }),
      )
    const first = open()
    try {
      await tryOut(first)
      return false
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error
    }
    const address = attempt.address()
    if (!address || !/^https?:$/.test(address.protocol))
      throw new Error('the address for the login that it names is none of the web')
    parts.show(address)
    const answer = await withinSeconds(secondsForPeople, signal, (inner) =>
      nextAnswer(callback, attempt.state, inner),
    )
    await withinSeconds(secondsForServers, signal, () => first.finishAuth(answer))
    await tryOut(open())
    return true
  } finally {
    callback.closeAllConnections()
    callback.close()
  }
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      fail(
        error.code === 'EADDRINUSE'
          ? new Error(`port ${port} of this machine is in use: ${error.code}`)
          : error,
      ),
    )
    server.listen(port, '127.0.0.1', done)
  })
}

const page = (text: string) => `<!doctype html><meta charset="utf-8"><title>Sightline</title><p>${text}\n`

/** What the browser brings back, once it carries our state. Everything else that comes to this address changes nothing. */
async function nextAnswer(server: Server, state: string, signal: AbortSignal): Promise<URLSearchParams> {
  return await new Promise((done, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason), { once: true })
    server.on('request', (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
      const isAnswer =
        request.method === 'GET' && pathname === '/callback' && searchParams.get('state') === state
      response.writeHead(isAnswer ? 200 : 404, {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        connection: 'close',
      })
      const refusal = searchParams.get('error')
      if (!isAnswer) response.end(page('Nothing here.'))
      else if (refusal !== null)
        response.end(page('The login was refused. You can close this window.'), () =>
          fail(new Error(`the authorization server refused the login: ${refusal.slice(0, 100)}`)),
        )
      else
        response.end(page('You can close this window and return to the terminal.'), () => done(searchParams))
    })
  })
}
