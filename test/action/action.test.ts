/** The Action as its runner starts it: one process for each step, with the rights that the workflow files declare. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from '../helpers/git-repo.ts'
import type { Change } from '../helpers/hosts/engine/change.ts'
import type { Project } from '../helpers/hosts/engine/world.ts'
import { type FakeGitHub, startGitHub } from '../helpers/hosts/github/server.ts'
import type { Permissions } from '../helpers/hosts/github/state.ts'

const root = join(import.meta.dirname, '../..')
const action = join(root, 'action/main.ts')

const before = {
  'total.py': 'def total(items, tax):\n    return sum(items) * tax\n',
  'use.py': 'from total import total\n\nprint(total([1], 2))\n',
}
const broken = { 'total.py': 'def total(items):\n    return sum(items)\n' }

/** What a job of a workflow file may do. */
function permissionsOf(workflow: string, job: string): Permissions {
  const { jobs } = parse(readFileSync(join(root, 'examples/ci', workflow), 'utf8'))
  const declared: Record<string, 'read' | 'write'> = jobs[job].permissions
  return Object.fromEntries(
    Object.entries(declared)
      .filter(([name]) => name !== 'actions')
      .map(([name, access]) => [name.replaceAll('-', '_'), access]),
  )
}

type Job = {
  github: FakeGitHub
  project: Project
  /** The step's inputs. */
  inputs: Record<string, string>
  event: object
  /** In the job's environment, as secrets and the runner put them there. */
  environment?: Record<string, string>
}

/** One step of a job. `folder`: where it works; files of the runner lie in it. */
async function runStep(folder: string, { github, project, inputs, event, environment = {} }: Job) {
  const file = (name: string) => join(folder, name)
  writeFileSync(file('event.json'), JSON.stringify(event))
  const named = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])
  const child = spawn(process.execPath, [action], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_SERVER_URL: github.url,
      GITHUB_API_URL: github.apiUrl,
      GITHUB_REPOSITORY: project.fullName,
      GITHUB_EVENT_PATH: file('event.json'),
      GITHUB_STEP_SUMMARY: file('summary'),
      GITHUB_OUTPUT: file('output'),
      ...Object.fromEntries(named),
      ...environment,
    },
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  const read = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : '')
  return { code, log, summary: read('summary'), output: read('output') }
}

const pullEvent = (github: FakeGitHub, { number, project }: Change) => ({
  pull_request: { html_url: `${github.url}/${project.fullName}/pull/${number}` },
})

test('three jobs: collected with a token that reads, analyzed without any, published with one that comments', async () => {
  await using github = await startGitHub()
  const project = github.world.createProject('acme/shop', { files: before, isPrivate: true })
  const change = project.open({ branch: 'cheaper', files: broken })
  const folder = temporaryFolder()
  const event = pullEvent(github, change)
  const run = (step: 'collect' | 'analyze' | 'publish', environment: Record<string, string> = {}) => {
    const permissions = permissionsOf('github-three-jobs.yml', step)
    const token =
      Object.keys(permissions).length > 0 ? github.state.addActionsToken(project, permissions) : ''
    return runStep(folder, { github, project, event, inputs: { step, token }, environment })
  }
  expect(await run('collect')).toMatchObject({ code: 0 })
  expect(existsSync(join(folder, 'sightline-change/request.json'))).toBe(true)

  const asked = github.log.length
  const analyzed = await run('analyze', { GITHUB_TOKEN: 'leaked', ACTIONS_RUNTIME_TOKEN: 'leaked' })
  expect(analyzed).toMatchObject({ code: 0 })
  // It asks nothing of the host, whatever it was given.
  expect(github.log).toHaveLength(asked)
  expect(github.writes()).toEqual([])

  const published = await run('publish', { ANTHROPIC_API_KEY: 'sk-ant-unused' })
  expect(published).toMatchObject({ code: 0 })
  expect(change.threads.map(({ path }) => path)).toEqual(['total.py'])
  expect(published.summary).toContain('# ')
  expect(published.output).toMatch(/^conclusion=REQUEST_CHANGES\nfindings=1\nreview=\S+review\.json\n$/)
  expect(github.violations).toEqual([])
}, 600_000)

test('all steps in one job: the check fails where that was asked for, and so does the step', async () => {
  await using github = await startGitHub()
  const project = github.world.createProject('acme/shop', { files: before })
  const change = project.open({ branch: 'cheaper', files: broken })
  const token = github.state.addActionsToken(project, permissionsOf('github-one-job.yml', 'review'))
  const folder = temporaryFolder()
  const inputs = { token, 'fail-on': 'high', sarif: 'found.sarif' }
  const { code, log } = await runStep(folder, { github, project, inputs, event: pullEvent(github, change) })
  expect(code).toBe(1)
  expect(log).toContain('::error::sightline publish ended with exit code 1')
  expect(github.state.checks.map(({ conclusion }) => conclusion)).toEqual(['failure'])
  expect(JSON.parse(readFileSync(join(folder, 'found.sarif'), 'utf8')).runs[0].results).toHaveLength(1)
  expect(log).not.toContain(token)
  expect(github.violations).toEqual([])
}, 600_000)

test('a fork: the pull request is that of the event, whatever the artifact names', async () => {
  await using github = await startGitHub()
  const project = github.world.createProject('acme/shop', { files: before })
  const victims = project.open({
    branch: 'cheaper',
    files: broken,
    author: 'bert',
    from: project.fork('bert'),
  })
  const own = project.open({
    branch: 'mine',
    files: { 'note.txt': 'hello\n' },
    author: 'eve',
    from: project.fork('eve'),
  })
  const folder = temporaryFolder()
  const read = github.state.addActionsToken(project, permissionsOf('github-forks-collect.yml', 'analyze'), {
    fromFork: true,
  })
  // The fork's own workflow collects the pull request of somebody else.
  for (const step of ['collect', 'analyze'])
    expect(
      await runStep(folder, {
        github,
        project,
        inputs: { step, token: read, depth: step === 'analyze' ? 'offline' : '' },
        event: pullEvent(github, victims),
      }),
    ).toMatchObject({ code: 0 })
  const runOf = ({ head, from, branch }: Change, owner: string) => ({
    workflow_run: {
      head_sha: head,
      head_branch: branch,
      head_repository: { id: from?.id, owner: { login: owner } },
    },
  })
  const publish = (event: object) => {
    const token = github.state.addActionsToken(project, permissionsOf('github-forks-publish.yml', 'publish'))
    return runStep(folder, { github, project, inputs: { step: 'publish', token }, event })
  }
  const refused = await publish(runOf(own, 'eve'))
  expect(refused.code).not.toBe(0)
  expect(refused.log).toContain('it was made for a different head than this change has')
  expect(github.writes()).toEqual([])

  expect(await publish(runOf(victims, 'bert'))).toMatchObject({ code: 0 })
  expect(victims.threads).toHaveLength(1)
  expect(own.threads).toEqual([])

  const stale = runOf(victims, 'bert')
  victims.push({ 'more.txt': 'more\n' })
  const moved = await publish(stale)
  expect(moved).toMatchObject({ code: 0 })
  expect(moved.log).toMatch(
    /::notice::Nothing to review: no open pull request of bert:cheaper has [0-9a-f]{12}/,
  )
}, 600_000)

test('events without a pull request, and unknown steps', async () => {
  await using github = await startGitHub()
  const project = github.world.createProject('acme/shop', { files: before })
  const none = await runStep(temporaryFolder(), { github, project, inputs: {}, event: { ref: 'main' } })
  expect(none).toMatchObject({ code: 0, log: expect.stringContaining('is about no pull request') })
  const odd = await runStep(temporaryFolder(), { github, project, inputs: { step: 'x%\n::y::' }, event: {} })
  expect(odd).toMatchObject({ code: 2, log: expect.stringMatching(/^::error::step: `x%25%0A::y::` is not/) })
})
