/** What belongs to an App and not to a repository: installations, deliveries of its webhooks, and its making by a manifest. */
import { randomBytes } from 'node:crypto'
import type { ApiAnswer, ApiRequest } from '../engine/server.ts'
import type { Project } from '../engine/world.ts'
import type { Hooks } from './hooks.ts'
import type { Renderer } from './render.ts'
import { type Call, listAnswer, notFound, page } from './routes.ts'
import { type GitHubApp, type GitHubState, type Installation, type Permissions, Refusal } from './state.ts'

type AppCall = Call & { hooks: Hooks }

/** By the name of the operation. */
export const appRoutes: Readonly<Record<string, (call: AppCall) => ApiAnswer>> = {
  'GET /app': (call) => {
    const app = appOf(call)
    return { status: 200, body: call.render.app(app, app.bot) }
  },
  'GET /app/installations': (call) => {
    const app = appOf(call)
    const own = call.state.installations.filter((one) => one.app === app)
    return listAnswer(call, own, (one) => showInstallation(one, call.render))
  },
  'GET /app/hook/deliveries': (call) => {
    const app = appOf(call)
    const { cursor, per_page: size = '30' } = call.request.query
    const own = call.hooks.log.filter((one) => one.app === app).reverse()
    const from = cursor === undefined ? 0 : own.findIndex(({ id }) => String(id) === cursor)
    const rows = own.slice(from, from + Number(size))
    const next = own[from + rows.length]
    const link = `<${call.api}/app/hook/deliveries?per_page=${size}&cursor=${next?.id}>; rel="next"`
    const headers: Record<string, string> = next ? { link } : {}
    return {
      status: 200,
      headers,
      body: rows.map((one) => ({
        id: one.id,
        guid: one.guid,
        delivered_at: one.deliveredAt,
        redelivery: one.isRedelivery,
        duration: 0.1,
        status: one.status >= 200 && one.status < 300 ? 'OK' : 'failed to connect to host',
        status_code: one.status,
        event: one.event,
        action: one.action,
        installation_id: one.installationId,
        repository_id: one.repositoryId,
      })),
    }
  },
  'POST /app/hook/deliveries/{delivery_id}/attempts': (call) => {
    if (!call.hooks.redeliver(appOf(call), Number(call.parameters.delivery_id))) throw notFound()
    return { status: 202, body: {} }
  },
  'GET /installation/repositories': (call) => {
    const { identity, state } = call
    if (identity.kind !== 'installation')
      throw new Refusal(403, 'You must authenticate with an installation access token')
    const projects = identity.projects ?? []
    const { rows, headers } = page<Project>(call, projects)
    const repositories = rows.map((project) => call.render.repository(project))
    const chosen = { total_count: projects.length, repositories, repository_selection: 'selected' }
    return { status: state.apps.length > 0 ? 200 : 404, headers, body: chosen }
  },
  'POST /app-manifests/{code}/conversions': (call) => convert(call),
}

function appOf({ identity }: Call): GitHubApp {
  if (!identity.app || identity.kind !== 'app')
    throw new Refusal(401, 'A JSON web token could not be decoded')
  return identity.app
}

export function showInstallation({ id, app, projects, isSuspended }: Installation, render: Renderer) {
  const owner = projects[0]?.world.person(projects[0].owner) ?? app.bot
  return {
    ...{ id, app_id: app.id, app_slug: app.slug, target_id: owner.id, target_type: 'User' },
    ...{ repository_selection: 'selected', account: render.user(owner), permissions: app.permissions },
    suspended_at: isSuspended ? '2026-01-02T00:00:00Z' : null,
  }
}

type Manifest = {
  name: string
  url: string
  redirect_url?: string
  hook_attributes?: { url: string; active?: boolean }
  default_permissions?: Permissions
  default_events?: string[]
}

const made = new WeakMap<GitHubState, Map<string, Manifest>>()

/** The page that a browser sends a manifest to; GitHub asks the person and sends the browser back with a code. */
export function takeManifest(state: GitHubState, request: ApiRequest): ApiAnswer | null {
  if (request.method !== 'POST' || !/^\/(?:organizations\/[\w-]+\/)?settings\/apps\/new$/.test(request.path))
    return null
  const manifest = JSON.parse(new URLSearchParams(request.text).get('manifest') ?? '{}') as Manifest
  if (!manifest.name || !manifest.url || !manifest.redirect_url)
    return { status: 422, body: 'The manifest is not complete' }
  const code = randomBytes(20).toString('hex')
  made.set(state, (made.get(state) ?? new Map()).set(code, manifest))
  const parameters = new URLSearchParams({ code, state: request.query.state ?? '' })
  return { status: 302, headers: { location: `${manifest.redirect_url}?${parameters}` } }
}

/** A code works once. */
function convert({ state, parameters, render, hooks }: AppCall): ApiAnswer {
  const manifest = made.get(state)?.get(parameters.code ?? '')
  if (!manifest) throw notFound()
  made.get(state)?.delete(parameters.code ?? '')
  const app = state.addApp(
    manifest.name.toLowerCase().replace(/\W+/g, '-'),
    manifest.default_permissions ?? {},
  )
  const secret = randomBytes(20).toString('hex')
  if (manifest.hook_attributes) hooks.targets.set(app, { url: manifest.hook_attributes.url, secret })
  return {
    status: 201,
    body: {
      ...render.app(app, app.bot),
      events: manifest.default_events ?? [],
      ...{
        client_id: `Iv1.${app.id}`,
        client_secret: 'made-up',
        webhook_secret: secret,
        pem: app.privateKey,
      },
    },
  }
}
