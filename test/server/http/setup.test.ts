import { expect, onTestFinished, test } from 'vitest'
import { openConnections } from '../../../src/server/connections/connections.ts'
import { openSealer } from '../../../src/server/connections/sealed-secrets.ts'
import { openListener } from '../../../src/server/http/listen.ts'
import { setupRoutes } from '../../../src/server/http/setup-routes.ts'
import { webhookRoutes } from '../../../src/server/http/webhook-routes.ts'
import { openLog } from '../../../src/server/log.ts'
import { openMetrics } from '../../../src/server/metrics.ts'
import { ServerSettings } from '../../../src/server/settings/schema.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'
import { startGitHub } from '../../helpers/hosts/github/server.ts'
import { noSecrets } from '../../helpers/no-secrets.ts'

const adminToken = 'the-admin-token-of-this-test-long-enough'
const secretKey = 'the secret key of this test, long enough'

async function openSetup() {
  const github = await startGitHub()
  const database = await openEmptyDatabase()
  const settings = ServerSettings.parse({ connections: { github: { kind: 'github', url: github.url } } })
  const sealer = openSealer(secretKey)
  let clock = Date.now()
  const now = () => clock
  const connections = openConnections({ settings, secrets: noSecrets, database, sealer, now })
  const metrics = openMetrics()
  const lines: string[] = []
  const log = openLog({ level: 'debug', write: (line) => lines.push(line) })
  let url = ''
  const parts = {
    ...{ connections, database, sealer, secretKey, log, now, fetch: globalThis.fetch },
    isOperator: (token: string) => token === adminToken,
    get url() {
      return url
    },
  }
  const listener = await openListener({
    routes: [
      ...setupRoutes(parts),
      ...webhookRoutes({
        connections,
        writer: { write: async () => true },
        limits: settings.intake,
        ...{ metrics, log },
      }),
    ],
    ...{ host: '127.0.0.1', port: 0, proxies: 0, strangersPerMinute: 1000, metrics, log },
  })
  url = listener.url
  onTestFinished(async () => {
    await listener.close(0)
    await database.close()
    await github.close()
  })
  const signIn = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${url}/setup`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ connection: 'github', organization: '', token: adminToken, ...fields }),
    })
  return {
    ...{ github, database, connections, url, lines, signIn },
    pass: (milliseconds: number) => {
      clock += milliseconds
    },
  }
}

/** What a browser does with the page: sends the form to GitHub, which sends it back. Returns the way back and the cookie. */
async function click(answer: Response): Promise<{ back: string; cookie: string; page: string }> {
  const page = await answer.text()
  const decode = (text = '') =>
    text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
  const action = decode(/<form method="post" action="([^"]+)"/.exec(page)?.[1])
  const manifest = decode(/name="manifest" value="([^"]+)"/.exec(page)?.[1])
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const sent = await fetch(action, {
    method: 'POST',
    body: new URLSearchParams({ manifest }),
    redirect: 'manual',
  })
  return { back: sent.headers.get('location') ?? '', cookie, page }
}

test('one click creates the App, and its webhooks are accepted from then on', async () => {
  const { github, database, connections, url, lines, signIn } = await openSetup()
  const answer = await signIn({})
  expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax; Path=\/setup/)
  const { back, cookie } = await click(answer)
  const created = await fetch(back, { headers: { cookie } })
  expect([created.status, await created.text()]).toEqual([200, expect.stringContaining('/installations/new')])
  const [app] = github.state.apps
  expect(app?.permissions).toMatchObject({ contents: 'read', pull_requests: 'write', checks: 'write' })
  const row = JSON.stringify(await database.query('select * from github_app'))
  const { secret = '' } = (app && github.hooks.targets.get(app)) ?? {}
  for (const hidden of ['PRIVATE KEY', secret]) expect(`${row}${lines.join('')}`).not.toContain(hidden)
  // The connection knows it now: a webhook with its signature is genuine.
  const project = github.world.createProject('acme/shop')
  if (app) github.state.install(app, [project])
  const change = project.open({ branch: 'topic', files: { 'a.ts': 'export {}\n' } })
  expect(await github.hooks.pull(change, 'opened')).toEqual([202])
  expect(
    await connections
      .get('github')
      ?.tenantOf(String(github.state.installations[0]?.id), AbortSignal.timeout(5000)),
  ).toMatch(/^github-\d+$/)
  expect(await database.query('select actor_kind, action from audit_entry')).toEqual([
    { actor_kind: 'operator', action: 'app.create' },
  ])
  // There is one App for a connection, and a code works once.
  const known = await signIn({})
  expect([known.status, await known.text()]).toEqual([200, expect.stringContaining('Nothing is missing')])
  expect((await fetch(back, { headers: { cookie } })).status).toBe(502)
  expect(url).not.toBe('')
})

test('nobody else gets that far', async () => {
  const { github, signIn, pass } = await openSetup()
  expect((await signIn({ token: 'wrong' })).status).toBe(401)
  expect((await signIn({}, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await signIn({ connection: 'nobody' })).status).toBe(400)
  expect((await signIn({ organization: '../../evil' })).status).toBe(400)
  const { back, cookie } = await click(await signIn({}))
  const other = await click(await signIn({}))
  const forged = new URL(back)
  forged.searchParams.set('state', `${forged.searchParams.get('state')?.slice(0, -2)}xx`)
  const tries: [string, string][] = [
    [back, ''],
    [back, other.cookie],
    [forged.href, cookie],
    [back.replace(/state=[^&]+/, 'state='), cookie],
  ]
  for (const [address, sent] of tries)
    expect((await fetch(address, { headers: { cookie: sent } })).status).toBe(403)
  pass(61 * 60_000)
  expect((await fetch(back, { headers: { cookie } })).status).toBe(403)
  expect(github.state.apps).toEqual([])
})

test('what is sealed opens with its key and for its purpose only', () => {
  const sealer = openSealer(secretKey)
  const sealed = sealer.seal('a private key', 'github app of github')
  expect(sealed).not.toContain('a private key')
  expect(sealer.open(sealed, 'github app of github')).toBe('a private key')
  expect(() => sealer.open(sealed, 'github app of other')).toThrow('cannot be opened')
  expect(() => openSealer(`${secretKey}!`).open(sealed, 'github app of github')).toThrow('cannot be opened')
  const [version = '', nonce = '', ...rest] = sealed.split(':')
  const changed = [
    version,
    nonce,
    ...rest.map((part) => Buffer.from(part, 'base64').reverse().toString('base64')),
  ].join(':')
  expect(() => sealer.open(changed, 'github app of github')).toThrow('cannot be opened')
})
