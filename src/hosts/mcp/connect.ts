/**
 * A connection to one of the operator's MCP servers, open for one piece of work: a program in a sandbox, or an address.
 * Whatever comes over it is bounded, and nothing of ours is offered to the server: no files, no models, no questions.
 */
import { accessSync, constants, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import type { Client as McpClient, Transport } from '@modelcontextprotocol/client'
import { packageVersion } from '../../base/package-root.ts'
import { usePrivateFolder } from '../../base/private-folders.ts'
import { killTree } from '../../base/process-tree.ts'
import type { Sandbox } from '../../base/sandbox/contract.ts'
import { withinSeconds } from '../../base/time-budget.ts'
import type { McpServerSettings } from '../../config/settings/mcp.ts'
import { openLogin } from './login-provider.ts'

export type ConnectParts = {
  environment: NodeJS.ProcessEnv
  /** Null when none works here; then no program is started. */
  findSandbox(): Promise<Sandbox | null>
  fetch: typeof globalThis.fetch
  /** The operator's state folder: what was trusted is kept there, and the tokens of logins. */
  stateFolder: string
}

/** A server of the settings, with its name there. */
export type NamedServer = { name: string; settings: McpServerSettings }

/** Descriptions and results together. */
const mostBytes = 4 * 1024 * 1024
const mostPages = 10

/** Connects, works, and closes again, all within the server's time. Throws a plain sentence for what the operator can fix. */
export async function withServer<Result>(
  { name, settings }: NamedServer,
  parts: ConnectParts,
  signal: AbortSignal,
  work: (client: McpClient, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return await withinSeconds(settings.seconds, signal, async (inner) => {
    if ('url' in settings)
      return await connectClient(await remote(name, settings, parts, inner), 'auto', inner, work)
    return await usePrivateFolder('mcp', async (folder) => {
      const { transport, kill, afterwards } = await program(settings, parts, folder)
      // The caller goes on at once, and may end before the program has been asked to.
      inner.addEventListener('abort', kill, { once: true })
      try {
        // Asking for the newest protocol first would start the program twice.
        return await connectClient(transport, 'legacy', inner, work)
      } finally {
        inner.removeEventListener('abort', kill)
        await afterwards()
      }
    })
  })
}

/** One session over a transport, closed again when the work is done. */
export async function connectClient<Result>(
  transport: Transport,
  mode: 'auto' | 'legacy',
  signal: AbortSignal,
  work: (client: McpClient, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { Client } = await import('@modelcontextprotocol/client')
  const client = new Client(
    { name: 'sightline', version: packageVersion },
    {
      capabilities: {},
      versionNegotiation: { mode },
      listMaxPages: mostPages,
      // Schemas of strangers are not compiled: what a tool returns is text for a fence, whatever shape it promises.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
    },
  )
  const close = () => client.close().catch(() => {})
  signal.addEventListener('abort', close, { once: true })
  try {
    await client.connect(transport, { signal })
    return await work(client, signal)
  } finally {
    signal.removeEventListener('abort', close)
    await close()
  }
}

type Program = Extract<McpServerSettings, { command: string[] }>
type Remote = Extract<McpServerSettings, { url: string }>

async function program(
  { command: [name = '', ...args], passEnvironment, readOnlyPaths, network }: Program,
  { environment, findSandbox }: ConnectParts,
  folder: string,
): Promise<{ transport: Transport; kill: () => void; afterwards: () => Promise<void> }> {
  const found = onPath(name, environment)
  const real = realpathSync(found)
  // A link would lead to what cannot be seen inside; yet some programs go by the name they are called.
  const path = basename(real) === basename(found) ? real : found
  const sandbox = await findSandbox()
  if (!sandbox) throw new Error('no sandbox works on this machine, and programs are started only in one')
  const passed = passEnvironment.flatMap((variable) => {
    const value = environment[variable]
    return value === undefined ? [] : [[variable, value] as const]
  })
  const launch = sandbox.launch({
    command: [path, ...args],
    cwd: folder,
    readOnlyPaths: [...new Set([dirname(path), ...readOnlyPaths])],
    writablePaths: [folder],
    environment: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder, ...Object.fromEntries(passed) },
    hasNetwork: network,
  })
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
  const transport = new StdioClientTransport({
    command: launch.command,
    args: [...launch.arguments],
    env: { ...launch.environment },
    stderr: 'ignore',
    maxBufferSize: mostBytes,
  })
  const kill = () => {
    if (transport.pid !== null) killTree(transport.pid)
  }
  // It would be given two seconds to end, and could go on saying too much all the while.
  transport.onerror = ({ message }) => {
    if (message.includes('exceeded maximum size')) kill()
  }
  return { transport, kill, afterwards: () => launch.afterwards() }
}

function onPath(name: string, { PATH = '' }: NodeJS.ProcessEnv): string {
  const places = isAbsolute(name) ? [name] : PATH.split(delimiter).map((folder) => join(folder, name))
  const found = places.find((place) => {
    try {
      accessSync(place, constants.X_OK)
      return isAbsolute(place)
    } catch {
      return false
    }
  })
  if (!found) throw new Error(`the program ${name} was not found`)
  return found
}

async function remote(
  server: string,
  { url, token, oauth, login }: Remote,
  { environment, fetch, stateFolder }: ConnectParts,
  signal: AbortSignal,
): Promise<Transport> {
  const { ClientCredentialsProvider, StreamableHTTPClientTransport } = await import(
    '@modelcontextprotocol/client'
  )
  const secretIn = (name: string) => {
    const value = environment[name]
    if (!value) throw new Error(`the environment variable ${name} is not set`)
    return value
  }
  const headers = token === undefined ? {} : { authorization: `Bearer ${secretIn(token)}` }
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers, signal },
    redirectPolicy: 'same-origin',
    fetch: boundedFetch(fetch),
    ...(login ? { authProvider: openLogin({ server, url, settings: login, stateFolder }) } : {}),
    ...(oauth
      ? {
          authProvider: new ClientCredentialsProvider({
            // The server under question must not choose who gets the secret.
            expectedIssuer: oauth.issuer,
            clientId: oauth.clientId,
            clientSecret: secretIn(oauth.secret),
            ...(oauth.scope === undefined ? {} : { scope: oauth.scope }),
          }),
        }
      : {}),
  })
}

/** All answers of one connection together have a limit, also where the server streams. */
export function boundedFetch(
  send: typeof globalThis.fetch,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  let left = mostBytes
  return async (url, init) => {
    const { status, headers, body } = await send(url, init)
    const bounded = body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          left -= chunk.byteLength
          if (left < 0) controller.error(new Error(`the server sent more than ${mostBytes} bytes`))
          else controller.enqueue(chunk)
        },
      }),
    )
    return new Response(bounded ?? null, { status, headers })
  }
}
