/**
 * The Action with the rights that the workflow files declare: as its runner starts it, with one process for each step, or inside
 * the test's process, where modules and parsers are warm.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { parse } from 'yaml'
import { runAction } from '../../action/run.ts'
import { runCommand } from '../../src/cli/main.ts'
import type { Change } from './hosts/engine/change.ts'
import type { Project } from './hosts/engine/world.ts'
import type { FakeGitHub } from './hosts/github/server.ts'
import type { Permissions } from './hosts/github/state.ts'
import { sharedFacts } from './shared-facts.ts'

const root = join(import.meta.dirname, '../..')
const { SIGHTLINE_TEST_PRODUCT: product } = process.env
/** As it is packed, where `npm test` has made that. */
const action = product === undefined ? join(root, 'action/main.ts') : join(product, 'dist/action/main.js')

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

type Ended = { code: number | null; log: string; summary: string; output: string }

/** One step of a job. `folder`: where it works; files of the runner lie in it. */
export async function runStep(folder: string, job: Job): Promise<Ended> {
  const environment = environmentOf(folder, job)
  let log = ''
  const sink = () =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        log += chunk
        done()
      },
    })
  const code = await runAction({
    ...{ environment, folder },
    run: (argv, own) => {
      const [stdin, stdout, stderr] = [Readable.from([]), sink(), sink()]
      const shell = { environment: own, folder, stdin, stdout, stderr, facts: sharedFacts() }
      return runCommand(argv, shell, new AbortController().signal)
    },
    log: (line) => {
      log += `${line}\n`
    },
  })
  return { code, log, ...filesOf(folder) }
}

/** The same, as the runner does it. */
export async function runStepProcess(folder: string, job: Job): Promise<Ended> {
  const child = spawn(process.execPath, [action], { cwd: folder, env: environmentOf(folder, job) })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, log, ...filesOf(folder) }
}

function environmentOf(folder: string, { github, project, inputs, event, environment = {} }: Job) {
  const file = (name: string) => join(folder, name)
  writeFileSync(file('event.json'), JSON.stringify(event))
  const named = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])
  return {
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
  }
}

function filesOf(folder: string) {
  const read = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : ''
  return { summary: read('summary'), output: read('output') }
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
