/**
 * Making a GitHub App with one click: the operator signs in with the admin token, GitHub is sent a manifest, and the code
 * that it sends the browser back with is exchanged for the App's credentials, which are stored encrypted. What comes back
 * must carry a state that this server signed for this very browser.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { UserError } from '../../base/errors.ts'
import { isSameSecret } from '../../base/secrets/same-secret.ts'
import { convertManifest } from '../../hosts/github/app.ts'
import { factsOf } from '../../hosts/remote/facts.ts'
import { hostOf } from '../../hosts/remote/registry.ts'
import { type Child, element, type Markup } from '../../pipeline/publish/html/markup.ts'
import { recordChange } from '../api/audit.ts'
import { rates, readOnly } from '../api/contract/common.ts'
import { appPermissions, describeRights } from '../connections/app-rights.ts'
import { describeApp, storeApp } from '../connections/app-store.ts'
import type { HostConnection } from '../connections/connections.ts'
import { repositoriesOf } from '../connections/read-rights.ts'
import type { Sealer } from '../connections/sealed-secrets.ts'
import type { Database } from '../database/contract.ts'
import type { Log } from '../log.ts'
import { operator } from './caller.ts'
import { type Answer, type Call, Refused, type Route } from './contract.ts'
import { cookieIn } from './cookies.ts'

export type SetupParts = {
  connections: ReadonlyMap<string, HostConnection>
  database: Database
  sealer: Sealer
  secretKey: string
  isOperator(token: string): boolean
  /** Public address of this server, without a slash at its end; null when the operator gave none. */
  url: string | null
  fetch: typeof globalThis.fetch
  now: () => number
  log: Log
}

const cookieName = 'sightline_setup'
const validMs = 60 * 60_000
const largestForm = 8 * 1024

export function setupRoutes(parts: SetupParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/setup',
      ...{ scope: 'public', tenant: 'none', audit: readOnly, bodyBytes: 0, rate: rates.anybody },
      handle: async () => page('Set up Sightline', signInForm(parts), "'self'"),
    },
    {
      method: 'POST',
      path: '/setup',
      ...{ scope: 'signed', tenant: 'none', audit: { none: 'it only shows the next page' } },
      ...{ bodyBytes: largestForm, rate: rates.signIn },
      handle: (call) => offerApp(parts, call),
    },
    {
      method: 'GET',
      path: '/setup/created',
      ...{ scope: 'signed', tenant: 'none', audit: 'app.create', bodyBytes: 0, rate: rates.signIn },
      handle: (call) => keepApp(parts, call),
    },
  ]
}

function signInForm({ connections }: SetupParts): Markup[] {
  const options = [...connections.values()].map(({ name, host }) =>
    element('option', { value: name }, `${name} (${host})`),
  )
  const field = (label: string, input: Markup) => paragraph(element('label', {}, `${label} `, input))
  return [
    paragraph('Create a GitHub App for this server. It gets these permissions:'),
    list(describeRights()),
    paragraph(
      'For a connection that has an App or a token, the next page says which of its rights are missing.',
    ),
    element(
      'form',
      { method: 'post', action: '/setup' },
      field('Connection', element('select', { name: 'connection' }, options)),
      field(
        'Organization (empty for your own account)',
        element('input', { name: 'organization', maxlength: 100 }),
      ),
      field(
        'Admin token',
        element('input', { name: 'token', type: 'password', required: true, autocomplete: 'off' }),
      ),
      paragraph(element('button', {}, 'Continue')),
    ),
  ]
}

async function offerApp(parts: SetupParts, call: Call): Promise<Answer> {
  const { url, connections, database } = parts
  const origin = call.headers.origin
  // Browsers send it with every form; another site's form must not reach us with somebody's typing.
  if (url !== null && origin !== undefined && origin !== new URL(url).origin)
    throw new Refused(403, 'Wrong origin.')
  const form = new URLSearchParams(call.body.toString('utf8'))
  if (!parts.isOperator(form.get('token') ?? '')) throw new Refused(401, 'The admin token is wrong.')
  const connection = connections.get(form.get('connection') ?? '')
  if (!connection) throw new Refused(400, 'No such connection.')
  const isSetUp =
    connection.hasToken || (await describeApp(database, connection.name)) || (await connection.app())
  if (isSetUp) return await rightsPage(parts, connection, call.signal)
  if (!factsOf(connection.kind).app)
    throw new Refused(409, 'Set `token` of this connection in the settings of the server first.')
  if (url === null) throw new Refused(409, 'Set `url` in the settings of the server first.')
  const organization = form.get('organization') ?? ''
  if (!/^[A-Za-z0-9-]{0,100}$/.test(organization)) throw new Refused(400, 'No organization has this name.')
  const browser = randomBytes(24).toString('base64url')
  const state = signState(parts, connection.name, browser, parts.now() + validMs)
  const where = organization === '' ? 'settings/apps/new' : `organizations/${organization}/settings/apps/new`
  const content = [
    paragraph('GitHub shows you the App and its permissions before it is created.'),
    element(
      'form',
      { method: 'post', action: `${connection.webUrl}/${where}?state=${encodeURIComponent(state)}` },
      element('input', {
        ...{ type: 'hidden', name: 'manifest' },
        value: JSON.stringify(manifest(url, connection.name)),
      }),
      paragraph(element('button', {}, 'Create the GitHub App')),
    ),
  ]
  const answer = page('Create the GitHub App', content, `'self' ${new URL(connection.webUrl).origin}`)
  const secure = url.startsWith('https:') ? '; Secure' : ''
  const cookie = `${cookieName}=${browser}; HttpOnly; SameSite=Lax; Path=/setup; Max-Age=${validMs / 1000}${secure}`
  return { ...answer, cookies: [cookie] }
}

/** What the App or the token should have, and what it lacks. */
async function rightsPage(
  { database }: SetupParts,
  connection: HostConnection,
  signal: AbortSignal,
): Promise<Answer> {
  const { name, kind, hasToken } = connection
  const about = { installation: null, repositories: await repositoriesOf(database, connection) }
  const missing = await connection
    .missingRights(about, signal)
    .then((all) => all.map(({ right, without }) => `${right}: ${without}`))
    .catch((error: unknown) => {
      if (error instanceof UserError) return [`could not be read: ${error.message}`]
      throw error
    })
  const needed = hasToken
    ? hostOf(kind).rights.needed.map(({ right, isFor }) => `${right}: ${isFor}`)
    : describeRights()
  const content = [
    paragraph(`What ${hasToken ? 'the token' : 'the App'} needs:`),
    list(needed),
    ...(missing.length === 0
      ? [paragraph('Nothing is missing, as far as the host tells.')]
      : [paragraph('What is missing:'), list(missing)]),
  ]
  return page(`Rights of ${name}`, content, "'none'")
}

function list(lines: readonly string[]): Markup {
  return element(
    'ul',
    {},
    lines.map((line) => element('li', {}, line)),
  )
}

function paragraph(...children: Child[]): Markup {
  return element('p', {}, ...children)
}

/** What GitHub makes the App from. */
export function manifest(url: string, connection: string) {
  return {
    name: 'Sightline',
    url,
    hook_attributes: { url: `${url}/webhooks/${connection}`, active: true },
    redirect_url: `${url}/setup/created`,
    description: 'Evidence-first code review.',
    public: false,
    default_permissions: appPermissions,
    default_events: ['pull_request', 'issue_comment', 'pull_request_review_comment', 'check_run'],
  }
}

async function keepApp(parts: SetupParts, { query, headers, signal }: Call): Promise<Answer> {
  const { connections, database, sealer, log } = parts
  const browser = cookieIn(headers.cookie, cookieName)
  const name = readState(parts, query.get('state') ?? '', browser)
  const connection = name === null ? undefined : connections.get(name)
  if (!connection) throw new Refused(403, 'This link is not valid any more; begin again at /setup.')
  const code = query.get('code') ?? ''
  if (!/^[\w-]{1,200}$/.test(code)) throw new Refused(400, 'The code is missing.')
  const made = await convertManifest({ apiUrl: connection.apiUrl, fetch: parts.fetch }, code, signal).catch(
    (error: unknown) => {
      if (error instanceof UserError)
        throw new Refused(502, 'GitHub did not accept the code; begin again at /setup.')
      throw error
    },
  )
  if (!(await storeApp(database, sealer, connection.name, made)))
    throw new Refused(409, 'This connection has an App already.')
  await recordChange(database, operator, {
    action: 'app.create',
    target: made.slug,
    detail: { connection: name },
  })
  log.info('github-app-created', { connection: connection.name, app: made.id, slug: made.slug })
  const content = [
    paragraph('The App ', element('b', {}, made.slug), ' was created and its key is stored encrypted.'),
    paragraph(
      element('a', { href: `${made.webUrl}/installations/new` }, 'Install it'),
      ' and choose repositories.',
    ),
  ]
  return page('The GitHub App was created', content, "'none'")
}

function signState({ secretKey }: SetupParts, connection: string, browser: string, until: number): string {
  const text = `${connection}.${until}`
  return `${text}.${macOf(secretKey, `${text}.${browser}`)}`
}

/** The connection; null when it was not signed for this browser, or is too old. */
function readState({ secretKey, now }: SetupParts, state: string, browser: string): string | null {
  const [, text = '', connection = '', until = '', mac = ''] =
    /^(([a-z0-9-]{1,41})\.(\d{1,15}))\.([\w-]{43})$/.exec(state) ?? []
  if (browser === '' || !isSameSecret(mac, macOf(secretKey, `${text}.${browser}`))) return null
  return Number(until) >= now() ? connection : null
}

function macOf(secretKey: string, text: string): string {
  return createHmac('sha256', secretKey).update(`setup state ${text}`).digest('base64url')
}

function page(title: string, content: Markup[], formAction: string): Answer {
  const { html } = element(
    'html',
    { lang: 'en' },
    element('meta', { charset: 'utf-8' }),
    element('title', {}, title),
    element('h1', {}, title),
    content,
  )
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    body: `<!doctype html>${html}\n`,
    headers: {
      'content-security-policy': `default-src 'none'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
    },
  }
}
