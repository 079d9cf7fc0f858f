/** MCP servers of strangers: what is offered of them, what a call may do, and what they cannot do whatever they try. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { McpServer } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Launch, LongRun, Sandbox } from '../../../src/base/sandbox/contract.ts'
import { findSandbox } from '../../../src/base/sandbox/probe.ts'
import { McpSettings } from '../../../src/config/settings/mcp.ts'
import {
  callsOf,
  type ForeignParts,
  offerTools,
  readTools,
  trustTools,
} from '../../../src/hosts/mcp/servers.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { startMcpServer } from '../../helpers/mcp/http-server.ts'
import { needs } from '../../helpers/needs/needs.ts'

const { signal } = new AbortController()
const script = join(import.meta.dirname, '../../helpers/mcp/server.mjs')

/** No walls: what is tested here is the client. */
const open = {
  name: 'none',
  launch: ({ command: [command = '', ...args], environment }: LongRun): Launch => ({
    command,
    arguments: args,
    environment: { ...environment },
    afterwards: async () => {},
  }),
} as unknown as Sandbox

function partsFor(stateFolder: string, mode: string, more: object = {}): ForeignParts {
  const command = [process.execPath, script, mode]
  return {
    settings: McpSettings.parse({
      servers: { docs: { command, tools: ['search', 'remove', 'nested', 'giant', 'absent'], ...more } },
    }),
    environment: { HOME_TOKEN: 'secret', GIVEN: 'given' },
    stateFolder,
    findSandbox: async () => open,
    fetch,
  }
}

async function trusted(stateFolder: string): Promise<void> {
  const tools = await readTools('docs', partsFor(stateFolder, 'good'), signal)
  trustTools(
    'docs',
    tools.map(({ tool }) => tool),
    stateFolder,
  )
}

test('only listed tools that were trusted as they are; a changed description asks the operator again', async () => {
  const folder = temporaryFolder()
  const before = await offerTools(partsFor(folder, 'good'), signal)
  expect(before.tools).toEqual([])
  expect(Object.fromEntries(before.missing.map(({ name, why }) => [name, why]))).toEqual({
    docs_search: 'the operator has not trusted it yet (`sightline mcp trust docs`)',
    docs_remove: 'the server says that it changes something',
    docs_nested: 'its argument q is neither text, number nor flag',
    docs_giant: 'its description is too large',
    docs_absent: 'the server docs has no such tool',
  })
  await trusted(folder)
  const { tools } = await offerTools(partsFor(folder, 'good'), signal)
  expect(tools).toEqual([
    {
      name: 'docs_search',
      server: 'docs',
      tool: 'search',
      about: 'Finds documents. By words.',
      arguments: [
        { name: 'query', type: 'text', isRequired: true },
        { name: 'limit', type: 'number', isRequired: false },
      ],
    },
  ])
  const changed = await offerTools(partsFor(folder, 'changed'), signal)
  expect(changed.tools).toEqual([])
  expect(changed.missing.find(({ name }) => name === 'docs_search')?.why).toBe(
    'it was changed since the operator trusted it (`sightline mcp trust docs`)',
  )
  const [search] = tools
  if (!search) throw new Error('search is not offered')
  const call = (mode: string, more: object = {}) =>
    callsOf(partsFor(folder, mode, more))(search, { query: 'retry' }, signal).catch(
      (error: Error) => error.message,
    )
  expect(await call('good', { passEnvironment: ['GIVEN'] })).toBe('retry: nothing, HOME_TOKEN=, GIVEN=given')
  expect(await call('changed')).toBe('the tool is not what the operator trusted any more')
  expect(await call('refuse')).toBe('the server refused: no such index')
  expect(await call('inject')).not.toContain('ghp_x7Kq2mVbT9')
  // Masked before it is cut.
  expect((await call('long')).slice(-20)).toMatch(/x ghp_…$/)
  // Two of them are waited for.
  const [hang, endless, deaf, endlessList] = await Promise.all([
    call('hang', { seconds: 1 }),
    call('endless', { seconds: 60 }),
    offerTools(partsFor(folder, 'deaf', { seconds: 1 }), signal),
    offerTools(partsFor(folder, 'endless-list', { seconds: 5 }), signal),
  ])
  expect(hang).toBe('it took longer than 1 s')
  expect(endless).toMatch(/exceed|larger|maximum|closed|buffer/i)
  expect(deaf.missing[0]?.why).toBe('the server docs did not answer: it took longer than 1 s')
  expect(endlessList.tools).toEqual([])
})

test(
  'in the sandbox a program sees neither the files nor the variables of the operator',
  needs('a sandbox (bubblewrap or a container)'),
  async () => {
    const sandbox = await findSandbox(undefined, signal)
    const folder = temporaryFolder()
    await trusted(folder)
    const secret = join(folder, 'secret.txt')
    writeFileSync(secret, 'top secret')
    const command = [process.execPath, script, 'good', secret]
    const parts = partsFor(folder, 'good', { command, readOnlyPaths: [join(script, '..')] })
    const confined = { ...parts, findSandbox: async () => sandbox }
    const { tools, missing } = await offerTools(confined, signal)
    const [search] = tools
    if (!search) throw new Error(JSON.stringify(missing))
    expect(await callsOf(confined)(search, { query: 'x' }, signal)).toBe('x: nothing, HOME_TOKEN=, GIVEN=')
    const without = { ...parts, findSandbox: async () => null }
    expect((await offerTools(without, signal)).missing[0]?.why).toBe(
      'the server docs did not answer: no sandbox works on this machine, and programs are started only in one',
    )
  },
)

test('over HTTP: a bearer token, OAuth with client credentials, and no redirect to another host', async () => {
  const asked: string[] = []
  const takenElsewhere: string[] = []
  const elsewhere = await startMcpServer(make, (request, response, body) => {
    takenElsewhere.push(`${request.url} ${body}`)
    response.writeHead(404).end()
    return true
  })
  function make() {
    const server = new McpServer({ name: 'remote', version: '1' })
    const inputSchema = z.object({ query: z.string() })
    server.registerTool('search', { description: 'Finds.', inputSchema }, async ({ query }) => ({
      content: [
        { type: 'text', text: `found ${query}` },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ],
    }))
    return server
  }
  const { url } = await startMcpServer(make, (request, response, body, origin) => {
    asked.push(`${request.method} ${request.url}`)
    const json = (status: number, said: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(said))
      return true
    }
    if (request.url === '/moved') return json(302, {}, { location: 'http://127.0.0.1:1/mcp' })
    if (request.url?.startsWith('/.well-known/oauth-protected-resource'))
      return json(200, { resource: `${origin}/mcp`, authorization_servers: [origin] })
    if (request.url?.startsWith('/.well-known/'))
      return json(200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        response_types_supported: ['code'],
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
      })
    if (request.url === '/token') {
      const basic = `Basic ${Buffer.from('id:oauth-secret').toString('base64')}`
      if (body.includes('scope=elsewhere')) return json(307, {}, { location: `${elsewhere.url}/token` })
      const isRight =
        request.headers.authorization === basic && body.includes('grant_type=client_credentials')
      return isRight
        ? json(200, { access_token: 'minted', token_type: 'Bearer', expires_in: 60 })
        : json(401, { error: 'invalid_client' })
    }
    if (['Bearer static', 'Bearer minted'].includes(request.headers.authorization ?? '')) return false
    const metadata = `${origin}/.well-known/oauth-protected-resource`
    return json(401, {}, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` })
  })
  const folder = temporaryFolder()
  const parts = (remote: object, environment: NodeJS.ProcessEnv): ForeignParts => ({
    ...partsFor(folder, 'good'),
    settings: McpSettings.parse({
      servers: { docs: { url: `${url}/mcp`, tools: ['search'], seconds: 10, ...remote } },
    }),
    environment,
  })
  const byToken = parts({ token: 'TOKEN' }, { TOKEN: 'static' })
  const questions = await readTools('docs', byToken, signal)
  expect(questions.map(({ state }) => state)).toEqual(['new'])
  trustTools(
    'docs',
    questions.map(({ tool }) => tool),
    folder,
  )
  const [search] = (await offerTools(byToken, signal)).tools
  if (!search) throw new Error('search is not offered')
  expect(await callsOf(byToken)(search, { query: 'this' }, signal)).toBe(
    'found this\n(a part that is not text is left out)',
  )
  const byOauth = parts(
    { oauth: { issuer: url, clientId: 'id', secret: 'SECRET' } },
    { SECRET: 'oauth-secret' },
  )
  expect(await callsOf(byOauth)(search, { query: 'that' }, signal)).toContain('found that')
  expect(asked).toContain('POST /token')
  const led = { issuer: url, clientId: 'id', secret: 'SECRET', scope: 'elsewhere' }
  expect((await offerTools(parts({ oauth: led }, { SECRET: 'oauth-secret' }), signal)).tools).toEqual([])
  expect(asked.at(-1)).toBe('POST /token')
  expect(takenElsewhere).toEqual([])
  const stranger = { issuer: 'http://127.0.0.1:1', clientId: 'id', secret: 'SECRET' }
  const minted = asked.filter((one) => one === 'POST /token').length
  expect((await offerTools(parts({ oauth: stranger }, { SECRET: 'oauth-secret' }), signal)).tools).toEqual([])
  expect(asked.filter((one) => one === 'POST /token')).toHaveLength(minted)
  const why = async (remote: object, environment: NodeJS.ProcessEnv) =>
    (await offerTools(parts(remote, environment), signal)).missing[0]?.why
  expect(await why({ token: 'TOKEN' }, {})).toContain('the environment variable TOKEN is not set')
  expect(await why({ token: 'TOKEN' }, { TOKEN: 'wrong' })).toMatch(/did not answer: .*(401|nauthorized)/i)
  expect(await why({ url: `${url}/moved`, token: 'TOKEN' }, { TOKEN: 'static' })).toContain('did not answer')
})
