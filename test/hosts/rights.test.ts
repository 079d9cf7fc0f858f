/** What a token and its account lack, as each host tells it. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type BuiltInHostKind, hostKinds } from '../../src/domain/host-kind.ts'
import { factsOf } from '../../src/hosts/remote/facts.ts'
import { hostOf } from '../../src/hosts/remote/registry.ts'
import { openTransport } from '../../src/hosts/remote/transport.ts'
import { writeScopes } from '../helpers/hosts/azure/server.ts'
import type { Role } from '../helpers/hosts/engine/world.ts'
import { type ConnectedHost, connectHost } from '../helpers/served/hosts.ts'

const { signal } = new AbortController()

async function missing(host: Pick<ConnectedHost, 'url' | 'kind'>, token: string, repositories: string[]) {
  const place = { apiUrl: `${host.url}${factsOf(host.kind).apiPath}`, repositories }
  const all = await hostOf(host.kind).rights.readMissing(place, { token, fetch: openTransport() }, signal)
  return all.map(({ right }) => right)
}

type Account = { scopes: string[]; role: Role }
const accounts: Readonly<Record<BuiltInHostKind, [Account, string[]][]>> = {
  github: [
    [{ scopes: ['repo'], role: 'write' }, []],
    [{ scopes: ['repo'], role: 'read' }, ['write access of the account in acme/shop']],
    [{ scopes: ['public_repo'], role: 'write' }, ['scope repo']],
    [{ scopes: [], role: 'write' }, ['scope public_repo', 'scope repo']],
  ],
  gitlab: [
    [{ scopes: ['api'], role: 'write' }, []],
    [{ scopes: ['api'], role: 'read' }, ['role Developer in acme/shop']],
    [{ scopes: ['read_api', 'read_repository'], role: 'write' }, ['scope api']],
    [
      { scopes: ['write_repository'], role: 'write' },
      ['scope read_api', 'scope read_repository', 'scope api'],
    ],
  ],
  forgejo: [
    [{ scopes: ['write:repository', 'write:issue', 'read:user'], role: 'admin' }, []],
    [
      { scopes: ['write:repository', 'read:user'], role: 'write' },
      ['account as an administrator in acme/shop'],
    ],
    [
      { scopes: ['write:repository', 'read:user'], role: 'read' },
      ['right of the account to write in acme/shop', 'account as an administrator in acme/shop'],
    ],
    [{ scopes: ['write:issue'], role: 'admin' }, ['scope write:repository', 'scope read:user']],
  ],
  bitbucket: [
    [{ scopes: ['account', 'repository', 'pullrequest:write'], role: 'admin' }, []],
    [
      { scopes: ['account', 'repository'], role: 'write' },
      ['scope pullrequest (`read:pullrequest:bitbucket`)', 'account as an administrator in acme/shop'],
    ],
    [
      { scopes: ['account'], role: 'admin' },
      [
        'scope repository (`read:repository:bitbucket`)',
        'scope pullrequest (`read:pullrequest:bitbucket`)',
        'account as an administrator in acme/shop',
      ],
    ],
  ],
  'bitbucket-dc': [
    [{ scopes: ['users'], role: 'read' }, []],
    [{ scopes: [], role: 'write' }, ['permission to list users in acme/shop']],
  ],
  azure: [
    [{ scopes: writeScopes, role: 'write' }, []],
    [
      { scopes: ['vso.code', 'vso.threads_full', 'vso.code_status'], role: 'read' },
      [
        'permission Contribute to pull requests in acme/Our web/shop',
        'scope Identity (Read) in acme/Our web/shop',
        'scope Work Items (Read) in acme/Our web/shop',
      ],
    ],
  ],
}

for (const kind of hostKinds)
  test(`${kind}: scopes and roles`, async () => {
    for (const [account, lacks] of accounts[kind]) {
      const host = await connectHost(kind, { account })
      onTestFinished(() => host.close())
      expect(await missing(host, host.token(), [host.project.fullName]), JSON.stringify(account)).toEqual(
        lacks,
      )
      expect(host.violations).toEqual([])
    }
  })

for (const kind of hostKinds)
  test(`${kind}: a token that is not valid, and a repository that the account does not see`, async () => {
    const host = await connectHost(kind, { account: {} })
    onTestFinished(() => host.close())
    await expect(missing(host, 'not-a-token', [host.project.fullName])).rejects.toThrow(/not valid/)
    const lacks = await missing(host, host.token(), ['acme/elsewhere'])
    expect(lacks).toEqual([
      kind === 'gitlab' ? 'role Developer in acme/elsewhere' : 'access of the account in acme/elsewhere',
    ])
  })

test('forgejo: Gitea names all scopes of the token when it refuses one', async () => {
  const message =
    'token does not have at least one of required scope(s), required=[read:user], token scope=read:repository,write:issue'
  const server = createServer((_, response) => {
    response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ message }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await missing({ url, kind: 'forgejo' }, 'a-token', [])).toEqual([
    'scope write:repository',
    'scope read:user',
  ])
})
