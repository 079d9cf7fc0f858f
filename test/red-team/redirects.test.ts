/**
 * Redirects as a way into the network of a server: whatever we ask answers with the address of a service that only we can
 * reach. Each way to ask is played; a listener counts who comes. What the operator names himself is asked, also on this machine.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { findChange } from '../../action/find-change.ts'
import { fetchCommitsInto, prepareGit } from '../../src/hosts/remote/remote-git.ts'
import { openTransport } from '../../src/hosts/remote/transport.ts'
import { openAsk } from '../../src/hosts/rights/contract.ts'
import { openTracker } from '../../src/hosts/trackers/client.ts'
import { openOidcFlow } from '../../src/server/access/sign-in/code-flow.ts'
import { readAs } from '../../src/server/access/sign-in/host-api.ts'
import { post } from '../../src/telemetry/post.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'

let inside: Server
let outside: Server
let reached = 0
let asked = 0
/** What the outside says; a redirect to the inside by default. */
let answer: { status: number; body: unknown }
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(async () => {
  inside = createServer((_, response) => response.end('{}')).on('connection', () => reached++)
  outside = createServer((request, response) => {
    asked++
    request.resume()
    const { status, body } = answer
    const location = `${addressOf(inside)}/latest/meta-data${request.url}`
    response.writeHead(status, { 'content-type': 'application/json', ...(status < 400 && { location }) })
    response.end(JSON.stringify(body))
  })
  for (const server of [inside, outside])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  for (const server of [inside, outside]) {
    server.closeAllConnections()
    server.close()
  }
})

const signal = AbortSignal.timeout(60_000)
const client = { clientId: 'us', clientSecret: 'secret', redirectUrl: 'http://127.0.0.1/cb', scopes: [] }
const secrets = { state: 's'.repeat(43), nonce: 'n'.repeat(43), verifier: 'v'.repeat(43) }
const head = 'a'.repeat(40)

/** Each rejects, or says why it did not work. */
const ways: Record<string, () => Promise<unknown>> = {
  'rights of a token': () =>
    openAsk({ apiUrl: addressOf(outside), repositories: [] }, { fetch, token: 'token' }, {}, signal)('/api'),
  'a host': () => openTransport({ sleep: async () => {} })(`${addressOf(outside)}/api`),
  'git of a host': () => {
    const origin = {
      ...{ url: `${addressOf(outside)}/a/b.git`, authorization: 'Bearer token' },
      ...{ forkUrl: null, headRef: 'refs/pull/1/head', baseRef: 'refs/heads/main' },
    }
    const wanted = { origin, head, signal }
    return fetchCommitsInto(prepareGit(temporaryFolder(), 'git', wanted), wanted, [], [head])
  },
  'a tracker': () =>
    openTracker({
      ...{ name: 'Jira', url: addressOf(outside), tokenName: 'JIRA_TOKEN', fetch },
      headers: { authorization: 'Bearer token' },
    }).get('/rest/api/3/issue/A-1', {}, signal),
  'an issuer of OpenID Connect': () => openOidcFlow(addressOf(outside), client).begin(secrets),
  'the host of somebody who signs in': () =>
    readAs({ apiUrl: addressOf(outside), token: 'token', signal }, '/user', z.unknown()),
  'a collector': async () => {
    const { why } = await post(
      { name: 'ours', url: addressOf(outside), headers: {} },
      '{}',
      'application/json',
      signal,
    )
    if (why !== null) throw new Error(why)
  },
  'the host of a workflow': () => {
    const event = join(temporaryFolder(), 'event.json')
    const from = { id: 1, owner: { login: 'eve' } }
    const run = { head_sha: head, head_branch: 'topic', head_repository: from }
    writeFileSync(event, JSON.stringify({ workflow_run: run }))
    const environment = {
      GITHUB_EVENT_PATH: event,
      GITHUB_API_URL: addressOf(outside),
      GITHUB_REPOSITORY: 'a/b',
    }
    return findChange(environment, 'token')
  },
}

test.each(Object.keys(ways))(
  '%s that redirects into the network of the server leads nowhere',
  async (way) => {
    for (const status of [302, 308]) {
      answer = { status, body: {} }
      const before = asked
      await expect(ways[way]?.(), String(status)).rejects.toThrow()
      // What the operator named is asked, on whatever network it is.
      expect(asked).toBeGreaterThan(before)
    }
    expect(reached).toBe(0)
  },
)

test('an issuer that calls itself by another name is not believed, and its addresses are not asked', async () => {
  const own = addressOf(inside)
  const [authorization_endpoint, token_endpoint, jwks_uri] = ['authorize', 'token', 'keys'].map(
    (name) => `${own}/${name}`,
  )
  const described = { issuer: own, authorization_endpoint, token_endpoint, jwks_uri }
  for (const issuer of [own, `${addressOf(outside)}/other`]) {
    answer = { status: 200, body: { ...described, issuer } }
    await expect(openOidcFlow(addressOf(outside), client).begin(secrets)).rejects.toThrow()
  }
  expect(reached).toBe(0)
})

test('every request of the product says what becomes of a redirect', () => {
  const silent = [...globSync('src/**/*.ts'), ...globSync('action/*.ts')].flatMap((path) => {
    const text = readFileSync(path, 'utf8')
    // Those that get their `fetch` from the transport of a host are held by it.
    const isDirect =
      /(?<![.\w])fetch\(/.test(text) && !/\bfetch\b[^(\n]*[:,}][^(\n]*(?:parts|access|api|typeof)/.test(text)
    return isDirect && !/\bredirect: '(?:error|manual)'/.test(text) ? [path] : []
  })
  expect(silent).toEqual([])
})
