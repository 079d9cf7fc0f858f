/** The Action as its runner starts it: one process for each step, with the rights that the workflow files declare. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Change } from './hosts/engine/change.ts'
import type { Project } from './hosts/engine/world.ts'
import type { FakeGitHub } from './hosts/github/server.ts'
import type { Permissions } from './hosts/github/state.ts'

const root = join(import.meta.dirname, '../..')
const action = join(root, 'action/main.ts')

/** What a job of a workflow file may do. */
export function permissionsOf(workflow: string, job: string): Permissions {
  const { jobs } = parse(readFileSync(join(root, 'examples/ci', workflow), 'utf8'))
  const declared: Record<string, 'read' | 'write'> = jobs[job].permissions
  return Object.fromEntries(
    Object.entries(declared)
      .filter(([name]) => name !== 'actions')
      .map(([name, access]) => [name.replaceAll('-', '_'), access]),
  )
}

export type Job = {
  github: FakeGitHub
  project: Project
  /** The step's inputs. */
  inputs: Record<string, string>
  event: object
  /** In the job's environment, as secrets and the runner put them there. */
  environment?: Record<string, string>
}

/** One step of a job. `folder`: where it works; files of the runner lie in it. */
export async function runStep(folder: string, { github, project, inputs, event, environment = {} }: Job) {
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

/** What the runner says of a pull request. */
export const pullEvent = (github: FakeGitHub, { number, project }: Change) => ({
  pull_request: { html_url: `${github.url}/${project.fullName}/pull/${number}` },
})

/** What the runner says of a finished workflow of a fork. */
export const runEvent = ({ head, from, branch }: Change, owner: string) => ({
  workflow_run: {
    head_sha: head,
    head_branch: branch,
    head_repository: { id: from?.id, owner: { login: owner } },
  },
})
