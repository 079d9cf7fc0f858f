/** Check runs, commit statuses and the app's own endpoints. */
import type { CommitStatus } from '../engine/world.ts'
import { showInstallation } from './apps.ts'
import { author, invalid, listAnswer, notFound, type ProjectCall, page, type Routes, text } from './routes.ts'
import { type CheckRun, type GitHubState, type Permissions, Refusal } from './state.ts'

const repo = '/repos/{owner}/{repo}'

type Output = {
  title?: string
  summary?: string
  text?: string
  annotations?: { [key: string]: unknown }[]
}

export const checkRoutes: Routes = {
  [`POST ${repo}/check-runs`]: { needs: ['checks', 'write'], handle: create },
  [`PATCH ${repo}/check-runs/{check_run_id}`]: { needs: ['checks', 'write'], handle: update },
  [`GET ${repo}/commits/{ref}/check-runs`]: {
    needs: ['checks', 'read'],
    handle: (call) => {
      const commit = commitOf(call, call.parameters.ref ?? '')
      const { check_name, app_id, status, filter = 'latest' } = call.request.query
      const runs = call.state.checks
        .filter((run) => run.project === call.project && run.commit === commit)
        .filter((run) => check_name === undefined || run.name === check_name)
        .filter((run) => app_id === undefined || String(run.app.id) === app_id)
        .filter((run) => status === undefined || run.status === status)
        .reverse()
      const shown =
        filter === 'all'
          ? runs
          : runs.filter(
              (run, index) =>
                runs.findIndex(({ name, app }) => name === run.name && app === run.app) === index,
            )
      const { rows, headers } = page(call, shown)
      return {
        status: 200,
        headers,
        body: { total_count: shown.length, check_runs: rows.map((run) => call.render.checkRun(run)) },
      }
    },
  },
  [`GET ${repo}/commits/{ref}/statuses`]: {
    needs: ['statuses', 'read'],
    handle: (call) => {
      const commit = commitOf(call, call.parameters.ref ?? '')
      const own = call.project.statuses.filter((status) => status.commit === commit).reverse()
      return listAnswer(call, own, (status) => call.render.status(status))
    },
  },
  [`POST ${repo}/statuses/{sha}`]: {
    needs: ['statuses', 'write'],
    handle: (call) => {
      const { project, body } = call
      const description = body.description === undefined ? null : text(body.description)
      if ((description ?? '').length > 140)
        throw invalid('Status', 'description', 'description is too long (maximum is 140 characters)')
      const status: CommitStatus = {
        id: project.world.nextId(),
        commit: commitOf(call, call.parameters.sha ?? ''),
        context: text(body.context) || 'default',
        state: text(body.state),
        description,
        targetUrl: typeof body.target_url === 'string' ? body.target_url : null,
        creator: author(call),
        createdAt: project.world.stamp(),
      }
      project.statuses.push(status)
      return { status: 201, body: call.render.status(status) }
    },
  },
  [`GET ${repo}/installation`]: {
    needs: null,
    handle: (call) => {
      const { identity, state, project, render } = call
      if (identity.kind !== 'app') throw new Refusal(401, 'A JSON web token could not be decoded')
      const found = state.installations.find(
        ({ app, projects }) => app === identity.app && projects.includes(project),
      )
      if (!found) throw notFound()
      return { status: 200, body: showInstallation(found, render) }
    },
  },
}

/** `POST /app/installations/{installation_id}/access_tokens`, with the app's own token. */
export function createInstallationToken(
  state: GitHubState,
  appId: number,
  installationId: number,
  wanted: { permissions?: Permissions; repositories?: string[]; repository_ids?: number[] },
) {
  const installation = state.installations.find(({ id, app }) => id === installationId && app.id === appId)
  if (!installation) throw notFound()
  if (installation.isSuspended) throw new Refusal(403, 'This installation has been suspended')
  const { repositories, repository_ids: ids, permissions } = wanted
  const projects = installation.projects.filter(
    ({ name, id }) => (repositories?.includes(name) ?? true) && (ids?.includes(id) ?? true),
  )
  if (projects.length < (repositories?.length ?? ids?.length ?? 0))
    throw new Refusal(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    )
  const { token, identity } = state.addInstallationToken(installation, {
    projects,
    ...(permissions ? { permissions } : {}),
  })
  return {
    status: 201,
    body: {
      token,
      expires_at: new Date(identity.expiresAt).toISOString(),
      permissions: identity.permissions,
      repository_selection: 'selected',
    },
  }
}

function create(call: ProjectCall) {
  const { project, state, identity, body } = call
  const { app } = identity
  if (!app) throw new Refusal(403, 'You must authenticate via a GitHub App.')
  const run: CheckRun = {
    ...{ id: project.world.nextId(), project, app },
    commit: commitOf(call, text(body.head_sha)),
    ...{ name: '', status: 'queued', conclusion: null, externalId: '', detailsUrl: null },
    ...{ title: null, summary: null, text: null, annotations: [] },
    startedAt: project.world.stamp(),
    completedAt: null,
  }
  apply(call, run)
  state.checks.push(run)
  return { status: 201, body: call.render.checkRun(run) }
}

/** Annotations are added to those that are there; the rest is replaced. */
function update(call: ProjectCall) {
  const run = runOf(call)
  if (run.app !== call.identity.app)
    throw new Refusal(
      403,
      `Invalid app_id \`${call.identity.app?.id ?? ''}\` - check run can only be modified by the GitHub App that created it.`,
    )
  apply(call, run)
  return { status: 200, body: call.render.checkRun(run) }
}

function apply(call: ProjectCall, run: CheckRun): void {
  const { body } = call
  const output = body.output as Output | undefined
  for (const annotation of output?.annotations ?? []) checkAnnotation(annotation)
  if (body.status === 'completed' && body.conclusion === undefined)
    throw invalid('CheckRun', 'conclusion', 'conclusion is required when status is completed')
  run.name = text(body.name) || run.name
  run.externalId = typeof body.external_id === 'string' ? body.external_id : run.externalId
  run.detailsUrl = typeof body.details_url === 'string' ? body.details_url : run.detailsUrl
  run.conclusion = typeof body.conclusion === 'string' ? body.conclusion : run.conclusion
  run.status = body.conclusion === undefined ? text(body.status) || run.status : 'completed'
  if (run.status === 'completed') run.completedAt = call.project.world.stamp()
  if (!output) return
  run.title = output.title ?? run.title
  run.summary = output.summary ?? run.summary
  run.text = output.text ?? run.text
  run.annotations.push(...(output.annotations ?? []))
}

function checkAnnotation(one: { [key: string]: unknown }): void {
  const [start, end] = [Number(one.start_line), Number(one.end_line)]
  const wrong = (message: string) => new Refusal(422, `Invalid request.\n\n${message}`)
  if (start < 1 || end < start) throw wrong('end_line must be at or after start_line')
  if ((one.start_column ?? one.end_column) !== undefined && start !== end)
    throw wrong('start_column and end_column are only for annotations on one line')
  // 64 KB each; a title of 255 characters.
  for (const [name, most] of [
    ['message', 65_536],
    ['raw_details', 65_536],
    ['title', 255],
  ] as const)
    if (Buffer.byteLength(text(one[name])) > most) throw wrong(`${name} is too long`)
  if (text(one.path).startsWith('/') || text(one.path) === '')
    throw wrong('path is not relative to the repository')
}

function runOf({ state, project, parameters }: ProjectCall): CheckRun {
  const found = state.checks.find(
    (run) => run.project === project && run.id === Number(parameters.check_run_id),
  )
  if (!found) throw notFound()
  return found
}

function commitOf({ project }: ProjectCall, name: string): string {
  const commit = project.repository.resolve(name) ?? project.repository.resolve(`refs/heads/${name}`)
  if (!commit) throw new Refusal(422, `No commit found for SHA: ${name}`)
  return commit
}
