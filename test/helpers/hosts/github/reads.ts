/** The reading half of GitHub's REST API: repositories, pull requests, files, issues, people. */
import type { Person, Project, roles } from '../engine/world.ts'
import { hasRole } from './access.ts'
import { changeOf, listAnswer, notFound, type ProjectCall, page, type Routes } from './routes.ts'
import { Refusal } from './state.ts'

const repo = '/repos/{owner}/{repo}'

export const readRoutes: Routes = {
  [`GET ${repo}`]: {
    needs: ['metadata', 'read'],
    handle: ({ project, render, identity }) => {
      const body = { ...render.fullRepository(project), ...permissionsOf(project, identity.person) }
      return { status: 200, body }
    },
  },
  [`GET ${repo}/collaborators/{username}/permission`]: {
    needs: ['metadata', 'read'],
    handle: showPermission,
  },
  [`GET ${repo}/pulls`]: { needs: ['pull_requests', 'read'], handle: listPulls },
  [`GET ${repo}/pulls/{pull_number}`]: { needs: ['pull_requests', 'read'], handle: showPull },
  [`GET ${repo}/pulls/{pull_number}/files`]: {
    needs: ['pull_requests', 'read'],
    handle: (call) => {
      const change = changeOf(call)
      return listAnswer(call, change.diff, (file) => call.render.file(file), 3000)
    },
  },
  [`GET ${repo}/pulls/{pull_number}/commits`]: {
    needs: ['pull_requests', 'read'],
    handle: (call) => {
      const change = changeOf(call)
      const commits = change.repository.commits(change.mergeBase, change.head)
      return listAnswer(call, commits, (commit) => call.render.commit(commit), 250)
    },
  },
  [`GET ${repo}/commits/{commit_sha}/pulls`]: { needs: ['pull_requests', 'read'], handle: listPullsOfCommit },
  [`GET ${repo}/compare/{basehead}`]: { needs: ['contents', 'read'], handle: compare },
  [`GET ${repo}/issues`]: { needs: ['issues', 'read'], handle: listIssues },
  [`GET ${repo}/issues/{issue_number}`]: { needs: ['issues', 'read'], handle: showIssue },
}

/** Of whoever asks; nothing for who is nobody. */
function permissionsOf(project: Project, person: Person | null) {
  if (!person) return {}
  const may = (role: (typeof roles)[number]) => hasRole(project, person.login, role)
  const [admin, maintain, push, triage] = [may('admin'), may('maintain'), may('write'), may('triage')]
  return { permissions: { admin, maintain, push, triage, pull: !project.isPrivate || may('read') } }
}

function showPermission({ project, parameters, identity, render }: ProjectCall) {
  const { person, kind } = identity
  if (kind !== 'installation' && !hasRole(project, person?.login ?? '', 'write'))
    throw new Refusal(403, 'Must have push access to view collaborator permission.')
  const login = parameters.username ?? ''
  const who = project.world.people.get(login)
  if (!who) throw new Refusal(404, `${login} is not a user`)
  const role = project.roleOf(login)
  const permission = role === 'maintain' ? 'write' : role === 'triage' ? 'read' : role
  const user = { ...render.user(who), role_name: role }
  return { status: 200, body: { permission, role_name: role, user } }
}

function listPulls(call: ProjectCall) {
  const { state = 'open', head, base } = call.request.query
  const changes = [...call.project.changes.values()]
    .filter((change) => state === 'all' || (state === 'open') === (change.state === 'open'))
    .filter((change) => base === undefined || change.base === base)
    .filter(
      (change) =>
        head === undefined || head === `${change.from?.owner ?? change.author.login}:${change.branch}`,
    )
    .reverse()
  return listAnswer(call, changes, (change) => call.render.pullSimple(change))
}

function showPull(call: ProjectCall) {
  const change = changeOf(call)
  const accept = call.request.headers.accept ?? ''
  if (!/application\/vnd\.github(?:\.v3)?\.diff/.test(accept))
    return { status: 200, body: call.render.pull(change) }
  const files = change.diff
  const lines = files.reduce((sum, { patch }) => sum + (patch === '' ? 0 : patch.split('\n').length), 0)
  const tooMuch = (what: string) =>
    new Refusal(
      406,
      `Sorry, the diff exceeded the maximum number of ${what}. Consider using 'List pull requests files' API or locally cloning the repository instead.`,
      {
        errors: [{ resource: 'PullRequest', field: 'diff', code: 'too_large' }],
      },
    )
  if (files.length > 300) throw tooMuch('files (300)')
  if (lines > 20_000) throw tooMuch('lines (20000)')
  const body = change.repository.diffText(change.mergeBase, change.head)
  return { status: 200, body, headers: { 'content-type': 'application/vnd.github.diff; charset=utf-8' } }
}

function listPullsOfCommit(call: ProjectCall) {
  const { project, parameters } = call
  const sha = parameters.commit_sha ?? ''
  if (project.repository.resolve(sha) === null) throw new Refusal(422, `No commit found for SHA: ${sha}`)
  const changes = [...project.changes.values()].filter(
    (change) =>
      change.head === sha ||
      change.repository.commits(change.mergeBase, change.head).some(({ id }) => id === sha),
  )
  return listAnswer(call, changes, (change) => call.render.pullSimple(change))
}

function compare(call: ProjectCall) {
  const { project, render, parameters } = call
  const { repository } = project
  const range = parameters.basehead ?? ''
  const [base, head] = range
    .split('...')
    .map((name) => repository.resolve(name) ?? repository.resolve(`refs/heads/${name}`))
  if (!base || !head) throw notFound()
  const mergeBase = repository.mergeBase(base, head)
  if (!mergeBase) throw new Refusal(404, 'No common ancestor between the two.')
  const [ahead, behind] = [repository.commits(base, head), repository.commits(head, base)]
  const status =
    ahead.length === 0
      ? behind.length === 0
        ? 'identical'
        : 'behind'
      : behind.length === 0
        ? 'ahead'
        : 'diverged'
  const url = `${render.repoUrl(project)}/compare/${range}`
  const show = (id: string) => {
    const [commit] = repository.commits(null, id)
    return render.commit(commit ?? { id, tree: '', parents: [], author: '', date: '', message: '' })
  }
  const { rows, headers } = page(call, ahead)
  return {
    status: 200,
    headers,
    body: {
      ...{ url, html_url: url, permalink_url: url, diff_url: `${url}.diff`, patch_url: `${url}.patch` },
      base_commit: show(base),
      merge_base_commit: show(mergeBase),
      ...{ status, ahead_by: ahead.length, behind_by: behind.length, total_commits: ahead.length },
      commits: rows.map((commit) => render.commit(commit)),
    },
  }
}

function listIssues(call: ProjectCall) {
  const { project, render } = call
  const { state = 'open' } = call.request.query
  const wanted = (one: { state: string }) => state === 'all' || (state === 'open') === (one.state === 'open')
  const issues = [...project.issues.values()]
    .filter(wanted)
    .map((issue) => ({ number: issue.number, shown: render.issue(project, issue) }))
  const changes = [...project.changes.values()]
    .filter(wanted)
    .map((change) => ({ number: change.number, shown: render.changeAsIssue(change) }))
  const all = [...issues, ...changes].sort((a, b) => b.number - a.number)
  return listAnswer(call, all, ({ shown }) => shown)
}

function showIssue({ project, render, parameters }: ProjectCall) {
  const number = Number(parameters.issue_number)
  const [issue, change] = [project.issues.get(number), project.changes.get(number)]
  if (issue) return { status: 200, body: render.issue(project, issue) }
  if (change) return { status: 200, body: render.changeAsIssue(change) }
  throw notFound()
}
