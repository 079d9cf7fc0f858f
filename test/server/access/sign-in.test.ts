/** Signing in with GitHub, GitLab and OpenID Connect: who gets in, with which role, for how long, and every known way to cheat. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { pathWithin } from '../../../src/server/access/sign-in/routes.ts'
import {
  AuditPage,
  ReviewPage,
  Session,
  SignInProviders,
} from '../../../src/server/api/contract/operation.ts'
import { type Resource, resources } from '../../../src/server/api/contract/resources.ts'
import { Browser } from '../../helpers/identity/browser.ts'
import { type SignInWorld, startSignInWorld } from './sign-in-world.ts'

let world: SignInWorld
const admin = { admin: true, push: true, pull: true }
const writer = { push: true, pull: true }
const reader = { pull: true }

beforeAll(async () => {
  world = await startSignInWorld()
})
afterAll(() => world.close())
afterEach(() => {
  for (const identity of Object.values(world.providers)) {
    identity.lies = {}
    identity.person.repositories.clear()
    identity.person.groups = []
  }
})

const open = () => new Browser(world.url)
const may = (roles: Record<number, Record<string, boolean>>) => {
  for (const [id, role] of Object.entries(roles))
    world.providers.github.person.repositories.set(Number(id), role)
}
const session = async (browser: Browser) =>
  Session.parse(await (await browser.call('GET', '/session')).json())
const status = async (browser: Browser, path = '/session') => (await browser.call('GET', path)).status
const signedIn = async (provider = 'github') => {
  const browser = open()
  expect((await browser.signIn(provider)).landed).toBe('/')
  return browser
}
/** As if so many minutes had gone by since the provider was last asked. */
const later = (minutes: number) =>
  world.database.query(
    'update web_session set checked_at = now() - make_interval(mins => $1), checking_until = null',
    [minutes],
  )
const actions = async () =>
  (await world.database.query<{ action: string; detail: object }>(
    'select action, detail from audit_entry order by id desc limit 3',
  )) ?? []

test('the sign-in page learns whom people sign in with', async () => {
  const answer = await fetch(`${world.url}/api/v1/session/providers`)
  expect(SignInProviders.parse(await answer.json()).providers).toEqual([
    { name: 'github', title: 'GitHub', url: '/auth/github' },
    { name: 'gitlab', title: 'GitLab', url: '/auth/gitlab' },
    { name: 'oidc', title: 'Example SSO', url: '/auth/oidc' },
  ])
})

test('GitHub: what somebody may do in each repository is their role there, and in all of them their role', async () => {
  may({ 1: writer, 2: admin, 3: reader })
  const browser = await signedIn()
  expect(await session(browser)).toMatchObject({
    ...{ tenant: 'acme', tenants: ['acme', 'globex'], role: 'reviewer' },
    user: { name: 'octocat', provider: 'github' },
  })
  const { csrf } = await session(browser)
  const headers = { 'x-sightline-csrf': csrf }
  const change = (id: string) =>
    browser.call('PATCH', `/repositories/github/${id}`, { isEnabled: true }, headers)
  expect([(await change('1')).status, (await change('2')).status]).toEqual([403, 200])
  expect((await browser.call('PATCH', '/session', { tenant: 'globex' }, headers)).status).toBe(200)
  expect(await session(browser)).toMatchObject({ tenant: 'globex', role: 'viewer' })
  expect((await browser.call('PATCH', '/session', { tenant: 'platform' }, headers)).status).toBe(404)
  expect((await actions()).map(({ action }) => action)).toEqual([
    'session.switch',
    'repository.update',
    'session.begin',
  ])
})

test('GitLab: levels of access become roles, and guests get nothing', async () => {
  const { person } = world.providers.gitlab
  for (const [level, role] of [
    [40, 'admin'],
    [30, 'reviewer'],
    [20, 'viewer'],
  ] as const) {
    person.repositories.set(4, level)
    expect(await session(await signedIn('gitlab'))).toMatchObject({ tenant: 'platform', role })
  }
  person.repositories.set(4, 10)
  expect((await open().signIn('gitlab')).landed).toBe('/sign-in?error=no-access')
})

test('OpenID Connect: groups give the roles of the settings, also for some repositories only', async () => {
  const { person } = world.providers.oidc
  person.groups = ['admins', 'partners']
  expect(await session(await signedIn('oidc'))).toMatchObject({ role: 'admin', tenants: ['acme', 'globex'] })
  person.groups = ['readers']
  const browser = await signedIn('oidc')
  const { items } = (await (await browser.call('GET', '/runs')).json()) as { items: { run: string }[] }
  expect(items.map(({ run }) => run)).toEqual([world.shopRun])
  person.groups = ['strangers']
  expect((await open().signIn('oidc')).landed).toBe('/sign-in?error=no-access')
})

const filled = (path: string, run: string, id: string) =>
  path
    .replace(/\{(run|before|after)\}/g, run)
    .replace('{call}', '0')
    .replace('{connection}', 'github')
    .replace('{id}', id)
    .replace('{review}', reviewOf(id))
const reviewOf = (repository: string) => `00000000-0000-4000-8000-00000000000${repository}`
const bodies: Record<string, unknown> = {
  'POST /runs/{run}/ask': { question: 'why?' },
  'POST /runs/{run}/replay': {},
  'POST /tokens': { name: 'made', scopes: ['read'] },
  'PATCH /repositories/{connection}/{id}': { isEnabled: true },
  'PATCH /session': { tenant: 'acme' },
}
/** What paths may name. Another one needs a rule in `scopesOn` that says in which repository it is. */
const knownParameters = [
  '',
  'run',
  'run,call',
  'before,after',
  'connection,id',
  'review',
  'id of /tokens',
  'id of /sessions',
]

test('every resource: only for those who are signed in, have the role, and may see the repository', async () => {
  const nobody = open()
  may({ 1: reader })
  const viewer = await signedIn()
  may({ 1: writer })
  const reviewer = await signedIn()
  const csrfOf = async (browser: Browser) => ({ 'x-sightline-csrf': (await session(browser)).csrf })
  const tokens = new Map([
    [viewer, await csrfOf(viewer)],
    [reviewer, await csrfOf(reviewer)],
  ])
  for (const [id, name] of [
    ['1', 'acme/shop'],
    ['2', 'acme/vault'],
  ] as const)
    await world.database.query(
      `insert into review_trigger (id, tenant, connection, repository, repository_name, number, kind,
         head, received_at, decision, state, reason)
       values ($1, 'acme', 'github', $2, $3, 7, 'opened', null, now(), $3, 'skipped', 'policy')`,
      [reviewOf(id), id, name],
    )
  const own = await viewer.call('GET', '/reviews')
  expect(ReviewPage.parse(await own.json()).items.map(({ repository }) => repository)).toEqual(['acme/shop'])
  for (const { method, path, scope } of Object.values<Resource>(resources)) {
    if (['public', 'signed', 'operator'].includes(scope) || path === '/queue/events') continue
    if (method === 'DELETE' && path === '/session') continue
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).join(',')
    expect(knownParameters).toContain(names === 'id' ? `id of ${path.replace('/{id}', '')}` : names)
    const what = `${method} ${path}`
    const ask = async (browser: Browser, run: string, id: string) => {
      const answer = await browser.call(method, filled(path, run, id), bodies[what], tokens.get(browser))
      return { status: answer.status, text: await answer.text() }
    }
    expect((await ask(nobody, world.shopRun, '1')).status, what).toBe(401)
    const [seen, hidden] = [await ask(viewer, world.shopRun, '1'), await ask(viewer, world.vaultRun, '2')]
    expect(seen.status === 403, `${what} as viewer: ${seen.text}`).toBe(scope !== 'read')
    expect(hidden.text, what).not.toContain('vault')
    if (/run|before|connection|review/.test(names)) expect(hidden.status, what).toBe(404)
    const asReviewer = await ask(reviewer, world.shopRun, '1')
    expect(asReviewer.status === 403, `${what} as reviewer`).toBe(scope === 'admin')
    expect(asReviewer.text, what).not.toContain('vault')
  }
})

test('a policy, a trend or a run of a repository that somebody may not see does not exist', async () => {
  may({ 1: reader })
  const browser = await signedIn()
  expect(await status(browser, '/policy?repository=acme/vault')).toBe(404)
  const host = new URL(world.providers.github.url).host
  const trends = async (query: string) =>
    (await (await browser.call('GET', `/trends?from=2026-11-01&to=2026-12-01${query}`)).json()) as {
      totals: { runs: number }
    }
  expect((await trends('')).totals.runs).toBe(1)
  expect((await trends(`&repository=${host}/acme/vault`)).totals.runs).toBe(0)
})

test('login CSRF: the way back works in the browser that began it, once, and for its own provider', async () => {
  may({ 1: admin })
  const attacker = open()
  const returned = await attacker.toReturn('github')
  const victim = open()
  // Nobody began in this browser; then somebody began another sign-in.
  expect((await victim.open(returned)).headers.get('location')).toBe('/sign-in?error=expired')
  await victim.open(`${world.url}/auth/github`)
  expect((await victim.open(returned)).headers.get('location')).toBe('/sign-in?error=expired')
  expect(victim.cookies.size).toBe(0)
  const before = new Map(attacker.cookies)
  expect((await attacker.open(returned)).headers.get('location')).toBe('/')
  // The same address again, with the cookies of before: the code was used.
  const again = open()
  for (const [name, value] of before) again.cookies.set(name, value)
  expect((await again.open(returned)).headers.get('location')).toBe('/sign-in?error=failed')
  expect(again.cookies.size).toBe(0)
})

test('mix-up: the answer of one provider is not taken for that of another', async () => {
  may({ 1: admin })
  world.providers.oidc.person.groups = ['admins']
  const browser = open()
  const fromOidc = await browser.toReturn('oidc')
  const sentTo = (name: string) => browser.open(fromOidc.replace('/auth/oidc/', `/auth/${name}/`))
  expect((await sentTo('github')).headers.get('location')).toBe('/sign-in?error=expired')
  world.providers.oidc.lies = { returnedIssuer: 'https://attacker.example' }
  expect((await open().signIn('oidc')).landed).toBe('/sign-in?error=failed')
})

test.each([
  ['an audience that is not us', { claims: { aud: 'client-of-somebody' } }],
  ['another issuer', { claims: { iss: 'https://attacker.example' } }],
  ['another nonce', { claims: { nonce: 'n'.repeat(43) } }],
  ['no nonce', { claims: { nonce: undefined } }],
  ['an id token that has ended', { claims: { exp: 1_600_000_000 } }],
  ['no subject', { claims: { sub: undefined } }],
  ['the id token of one and the user info of another', { claims: { sub: '8' } }],
  ['a key that is not published', { signature: 'other' as const }],
  ['no signature', { signature: 'none' as const }],
  ['the client secret as key', { signature: 'client secret' as const }],
  ['no id token', { withoutIdToken: true }],
])('an id token is refused: %s', async (_, lies) => {
  const { oidc } = world.providers
  oidc.person.groups = ['admins']
  oidc.lies = lies
  const browser = open()
  expect((await browser.signIn('oidc')).landed).toBe('/sign-in?error=failed')
  expect(await status(browser)).toBe(401)
})

test('only the redirect address of the settings is used, whatever host the browser names', async () => {
  const begun = await fetch(`${world.url}/auth/github`, {
    redirect: 'manual',
    headers: { 'x-forwarded-host': 'attacker.example' },
  })
  const sent = new URL(begun.headers.get('location') ?? '')
  expect(sent.searchParams.get('redirect_uri')).toBe(`${world.url}/auth/github/callback`)
  expect(sent.searchParams.get('code_challenge_method')).toBe('S256')
  expect(begun.headers.getSetCookie()[0]).toMatch(/HttpOnly; SameSite=Lax/)
})

test('open redirect: after sign-in people land on this server', async () => {
  may({ 1: admin })
  expect((await open().signIn('github', '/runs/abc?x=1#f')).landed).toBe('/runs/abc?x=1#f')
  for (const away of [
    ...['https://attacker.example/', '//attacker.example', '/\\attacker.example', '\\\\attacker.example'],
    ...[
      '/%0d%0aLocation:x',
      'javascript:alert(1)',
      '/api/v1/session',
      '/auth/github',
      '/\t/attacker.example',
    ],
    ...['/.//attacker.example', '/x/..//attacker.example', ' //attacker.example', ''],
  ])
    expect(new URL(pathWithin(away), world.url).origin, away).toBe(world.url)
  expect(pathWithin('/api/v1/session')).toBe('/')
  expect((await open().signIn('github', '//attacker.example')).landed).toBe('/')
})

test('session fixation: signing in makes a new session, and the one before ends', async () => {
  may({ 1: admin })
  const victim = open()
  victim.cookies.set('sightline', 'chosen-by-an-attacker')
  await victim.signIn('github')
  const first = victim.cookies.get('sightline')
  expect(first).not.toBe('chosen-by-an-attacker')
  const stolen = open()
  stolen.cookies.set('sightline', first ?? '')
  expect(await status(stolen)).toBe(200)
  await victim.signIn('github')
  expect(await status(stolen)).toBe(401)
  expect(await status(victim)).toBe(200)
})

test('a cookie that was stolen is worth nothing after signing out, and never to another site', async () => {
  may({ 1: admin, 2: admin })
  const victim = await signedIn()
  const thief = open()
  thief.cookies.set('sightline', victim.cookies.get('sightline') ?? '')
  const fromSite = await thief.call('GET', '/runs', undefined, { 'sec-fetch-site': 'cross-site' })
  expect(fromSite.status).toBe(403)
  const { csrf } = await session(victim)
  expect((await victim.call('DELETE', '/session')).status).toBe(403)
  expect((await victim.call('DELETE', '/session', undefined, { 'x-sightline-csrf': csrf })).status).toBe(200)
  expect(await status(thief)).toBe(401)
})

test('an admin sees who is signed in, and ends a session', async () => {
  may({ 1: admin, 2: admin })
  const browser = await signedIn()
  const other = await signedIn()
  const { items } = (await (await other.call('GET', '/sessions')).json()) as {
    items: { id: string; name: string; provider: string }[]
  }
  expect(items[0]).toMatchObject({ name: 'octocat', provider: 'github' })
  const headers = { 'x-sightline-csrf': (await session(other)).csrf }
  // The last one used is this one; the one before it is the other.
  await other.call('DELETE', `/sessions/${items[1]?.id}`, undefined, headers)
  expect(await status(browser)).toBe(401)
  expect((await actions())[0]?.action).toBe('session.revoke')
})

test('a session ends when it was not used, and after its hours, whatever happens', async () => {
  may({ 1: admin })
  const browser = await signedIn()
  await world.database.query("update web_session set seen_at = now() - interval '121 minutes'")
  expect(await status(browser)).toBe(401)
  const second = await signedIn()
  const { expiresAt } = await session(second)
  expect(Date.parse(expiresAt ?? '') - Date.now()).toBeLessThanOrEqual(12 * 3_600_000)
  await world.database.query('update web_session set expires_at = now()')
  expect(await status(second)).toBe(401)
})

test('a role that is lost on the host is lost here at the next check; one that changed ends the session', async () => {
  may({ 1: admin, 2: admin })
  const browser = await signedIn()
  await later(5)
  may({ 1: writer, 2: writer })
  expect(await session(browser)).toMatchObject({ role: 'admin' })
  await later(11)
  expect(await status(browser)).toBe(401)
  expect((await actions())[0]).toMatchObject({
    action: 'session.end',
    detail: { why: 'role changed', from: 'admin', to: 'reviewer' },
  })
  const again = await signedIn()
  // The token of before has ended; a new one is asked for, and the old refresh token is replaced.
  world.providers.github.endAccess()
  await later(11)
  expect(await session(again)).toMatchObject({ role: 'reviewer' })
  world.providers.github.person.repositories.clear()
  await later(11)
  expect(await status(again)).toBe(401)
})

test('a repository that is taken away disappears, though the role stays', async () => {
  may({ 1: reader, 2: reader })
  const browser = await signedIn()
  expect(await (await browser.call('GET', '/runs')).text()).toContain('vault')
  world.providers.github.person.repositories.delete(2)
  await later(11)
  expect(await (await browser.call('GET', '/runs')).text()).not.toContain('vault')
})

test('OpenID Connect: groups are read again from a new id token', async () => {
  const { person } = world.providers.oidc
  person.groups = ['admins']
  const browser = await signedIn('oidc')
  await later(11)
  expect(await session(browser)).toMatchObject({ role: 'admin' })
  person.groups = []
  await later(11)
  expect(await status(browser)).toBe(401)
})

test('a provider that does not answer is waited for a while; one that withdrew its tokens is believed at once', async () => {
  may({ 1: admin })
  const browser = await signedIn()
  world.providers.github.lies = { isDown: true }
  await later(11)
  expect(await status(browser)).toBe(200)
  await later(41)
  expect(await status(browser)).toBe(503)
  world.providers.github.lies = {}
  await later(11)
  expect(await status(browser)).toBe(200)
  world.providers.github.revokeTokens()
  await later(11)
  expect(await status(browser)).toBe(401)
})

test('a person who says no, and a provider that is down, lead to a page that says so', async () => {
  const browser = open()
  const begun = await browser.toReturn('github')
  const denied = new URL(begun)
  denied.searchParams.delete('code')
  denied.searchParams.set('error', 'access_denied')
  expect((await browser.open(denied.href)).headers.get('location')).toBe('/sign-in?error=denied')
  const next = open()
  const returned = await next.toReturn('gitlab')
  world.providers.gitlab.lies = { isDown: true }
  expect((await next.open(returned)).headers.get('location')).toBe('/sign-in?error=unavailable')
})

test('no token, code, cookie or secret is in the log or, unsealed, in the database', async () => {
  may({ 1: admin })
  const browser = await signedIn()
  const rows = JSON.stringify(await world.database.query('select * from web_session'))
  const text = world.log.join('\n') + rows
  expect(text).toContain('signed-in')
  for (const { clientSecret } of Object.values(world.providers)) expect(text).not.toContain(clientSecret)
  expect(text).not.toContain(browser.cookies.get('sightline') ?? '-')
  expect(rows).not.toMatch(/"access"/)
})

test('the audit log names who did what', async () => {
  may({ 1: admin, 2: admin })
  const browser = await signedIn()
  const headers = { 'x-sightline-csrf': (await session(browser)).csrf }
  await browser.call('POST', '/tokens', { name: 'ci', scopes: ['read'] }, headers)
  const { items } = AuditPage.parse(await (await browser.call('GET', '/audit')).json())
  expect(items[0]).toMatchObject({
    actor: { kind: 'person', name: 'octocat (github)' },
    action: 'token.create',
    target: 'ci',
  })
  const tokens = (await (await browser.call('GET', '/tokens')).json()) as { items: { createdBy: string }[] }
  expect(tokens.items.map(({ createdBy }) => createdBy)).toContain('octocat (github)')
})
