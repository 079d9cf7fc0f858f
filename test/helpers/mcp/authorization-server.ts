/**
 * A strict OAuth authorization server that guards an MCP server on 127.0.0.1: metadata, dynamic registration of public
 * clients, codes bound to a proof key, a redirect address and a resource, used once, and refresh tokens that change.
 */
import { createHash, randomBytes } from 'node:crypto'
import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { startMcpServer } from './http-server.ts'

export type AuthorizationServer = {
  /** Of the MCP server. */
  url: string
  origin: string
  /** What was asked, in order: `register`, `authorize`, `code`, `refresh`; a refusal with its reason. */
  asked: string[]
  /** No access token that was given so far is accepted any more. */
  expireTokens(): void
  /** No refresh token either. */
  revokeAll(): void
  /** From now on the MCP server names this one as its authorization server. */
  moveTo(issuer: string): void
}

type Code = { client: string; redirect: string; challenge: string; resource: string; scope: string }

export async function startGuardedServer({ refuses = false } = {}): Promise<AuthorizationServer> {
  const asked: string[] = []
  const clients = new Map<string, string[]>()
  const codes = new Map<string, Code>()
  const access = new Set<string>()
  const refresh = new Map<string, string>()
  let issuer: string | null = null
  const make = () => {
    const server = new McpServer({ name: 'guarded', version: '1' })
    const inputSchema = z.object({ query: z.string() })
    server.registerTool('search', { description: 'Finds.', inputSchema }, async ({ query }) => ({
      content: [{ type: 'text', text: `found ${query}` }],
    }))
    return server
  }
  const token = () => randomBytes(16).toString('hex')
  const { url } = await startMcpServer(make, (request, response, body, origin) => {
    const json = (status: number, said: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(said))
      return true
    }
    const refuse = (why: string, error = 'invalid_grant') => {
      asked.push(`refused: ${why}`)
      return json(400, { error, error_description: why })
    }
    const grant = (client: string) => {
      const [minted, next] = [token(), token()]
      access.add(minted)
      refresh.set(next, client)
      return json(200, { access_token: minted, token_type: 'Bearer', expires_in: 3600, refresh_token: next })
    }
    const address = new URL(request.url ?? '/', origin)
    const asks = address.searchParams
    const form = new URLSearchParams(body.toString())
    if (address.pathname.startsWith('/.well-known/oauth-protected-resource'))
      return json(200, { resource: `${origin}/mcp`, authorization_servers: [issuer ?? origin] })
    if (address.pathname.startsWith('/.well-known/'))
      return json(200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        authorization_response_iss_parameter_supported: true,
      })
    if (address.pathname === '/register') {
      const { redirect_uris: redirects, token_endpoint_auth_method: method } = JSON.parse(body.toString())
      const isLoopback = (redirect: string) => /^http:\/\/127\.0\.0\.1:\d+\/callback$/.test(redirect)
      if (method !== 'none' || !redirects.every(isLoopback))
        return refuse('not a program of this machine', 'invalid_client_metadata')
      const client = `client-${token().slice(0, 6)}`
      clients.set(client, redirects)
      asked.push('register')
      return json(201, { client_id: client, redirect_uris: redirects, token_endpoint_auth_method: 'none' })
    }
    if (address.pathname === '/authorize') {
      const [client, redirect, challenge, state] = [
        ...['client_id', 'redirect_uri', 'code_challenge', 'state'].map((name) => asks.get(name) ?? ''),
      ]
      if (!client || !redirect || !clients.get(client)?.includes(redirect)) return refuse('unknown client')
      if (asks.get('code_challenge_method') !== 'S256' || !challenge) return refuse('no proof key')
      if (!state || asks.get('response_type') !== 'code') return refuse('no state')
      if (asks.get('resource') !== `${origin}/mcp`) return refuse('not for this resource')
      asked.push('authorize')
      const code = token()
      codes.set(code, { client, redirect, challenge, resource: `${origin}/mcp`, scope: '' })
      const back = new URL(redirect)
      if (refuses) back.searchParams.set('error', 'access_denied')
      else back.searchParams.set('code', code)
      back.searchParams.set('state', state)
      back.searchParams.set('iss', origin)
      response.writeHead(302, { location: back.href }).end()
      return true
    }
    if (address.pathname === '/token' && form.get('grant_type') === 'authorization_code') {
      const known = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      if (!known) return refuse('unknown code')
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (proof !== known.challenge) return refuse('wrong proof')
      if (form.get('redirect_uri') !== known.redirect) return refuse('another redirect')
      if (form.get('client_id') !== known.client) return refuse('another client')
      if (form.get('resource') !== known.resource) return refuse('another resource')
      asked.push('code')
      return grant(known.client)
    }
    if (address.pathname === '/token' && form.get('grant_type') === 'refresh_token') {
      const client = refresh.get(form.get('refresh_token') ?? '')
      if (!client || client !== form.get('client_id')) return refuse('unknown refresh token')
      refresh.delete(form.get('refresh_token') ?? '')
      asked.push('refresh')
      return grant(client)
    }
    const [, bearer = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
    if (address.pathname === '/mcp' && access.has(bearer)) return false
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`
    return json(401, {}, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` })
  })
  return {
    url: `${url}/mcp`,
    origin: url,
    asked,
    expireTokens: () => access.clear(),
    revokeAll: () => {
      access.clear()
      refresh.clear()
    },
    moveTo: (given) => {
      issuer = given
    },
  }
}
