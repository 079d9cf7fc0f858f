/**
 * What is wrong with a workflow of GitHub, by the names that zizmor, a maintained audit of workflows, gives its audits. Each has an
 * example that it must catch. `impostor-commit`, `known-vulnerable-actions`, `ref-version-mismatch` and `stale-action-refs`
 * ask GitHub, so they are not here; `unpinned-uses` leaves them little: every action is named by a commit.
 */
import { parse } from 'yaml'

type Step = {
  uses?: string
  run?: string
  with?: Record<string, unknown>
  env?: Record<string, unknown>
  if?: unknown
}
type Job = {
  permissions?: unknown
  'runs-on'?: unknown
  steps?: Step[]
  secrets?: unknown
  if?: unknown
  container?: unknown
  services?: Record<string, unknown>
}
type Workflow = {
  on?: unknown
  permissions?: unknown
  env?: Record<string, unknown>
  jobs?: Record<string, Job>
}

type Seen = { text: string; workflow: Workflow; jobs: readonly [string, Job][]; steps: readonly Step[] }
type Audit = { name: string; example: string; faults(seen: Seen): string[] }

const inJob = (steps: string, head = 'on: push') =>
  `${head}\npermissions: {}\njobs:\n  one:\n    runs-on: ubuntu-24.04\n    steps:\n${steps.replace(/^/gm, '      ')}\n`
const commit = '0123456789abcdef0123456789abcdef01234567'
/** Written so that Biome does not take it for a template. */
const expression = (words: string) => ['$', `{{ ${words} }}`].join('')
const when = (isSo: boolean, words: string) => (isSo ? [words] : [])
const isCheckout = ({ uses = '' }: Step) => uses.startsWith('actions/checkout@')
const eventOf = /\b(?:pull_request_target|workflow_run|issue_comment|issues|discussion)\b/
const isFromStrangers = ({ on }: Workflow) => eventOf.test(JSON.stringify(on ?? ''))
/** What nobody outside chooses: numbers, ids and names of the host. */
const harmless =
  /^\s*(?:github\.(?:token|sha|run_id|repository|server_url|event\.(?:number|pull_request\.number|workflow_run\.id))|secrets\.\w+|steps\.[\w-]+\.outcome)\s*$/
const scriptsOf = ({ run = '', uses = '', with: given = {} }: Step) =>
  uses.startsWith('actions/github-script@') ? `${run}${String(given.script ?? '')}` : run
const isWriting = (permissions: unknown, right: RegExp) => right.test(JSON.stringify(permissions ?? {}))

export const audits: readonly Audit[] = [
  {
    name: 'unpinned-uses',
    example: inJob('- uses: actions/setup-node@v4'),
    faults: ({ text }) =>
      [...text.matchAll(/\buses\s*:\s*["']?([\w./-]+)(?:@([\w./-]+))?/g)].flatMap(
        ([, name = '', version = '']) =>
          when(
            !name.startsWith('./') && !/^[0-9a-f]{40}$/.test(version),
            `${name}@${version} is not pinned to a commit`,
          ),
      ),
  },
  {
    name: 'unpinned-images',
    example: 'on: push\npermissions: {}\njobs:\n  one:\n    container: node:latest\n    steps: []\n',
    faults: ({ jobs }) =>
      jobs.flatMap(([, { container, services = {} }]) =>
        [container, ...Object.values(services)].flatMap((one) => {
          const image = typeof one === 'string' ? one : (one as { image?: string } | undefined)?.image
          return when(
            image !== undefined && !/@sha256:|:\d+\.\d+\.\d+/.test(image),
            `the image ${image} is not pinned`,
          )
        }),
      ),
  },
  {
    name: 'excessive-permissions',
    example: 'on: push\njobs:\n  one:\n    steps: []\n',
    faults: ({ workflow, jobs }) =>
      jobs.flatMap(([name, { permissions = workflow.permissions }]) => [
        ...when(permissions === undefined, `the job ${name} does not say which rights it needs`),
        ...when(permissions === 'write-all' || permissions === 'read-all', `the job ${name} has all rights`),
        ...when(
          isWriting(permissions, /"(?:contents|actions|packages|id-token)":"write"/),
          `the job ${name} may write too much`,
        ),
      ]),
  },
  {
    name: 'dangerous-triggers',
    example: inJob(
      `- uses: actions/checkout@${commit}\n  with: { persist-credentials: false }`,
      'on: pull_request_target',
    ),
    faults: ({ workflow, steps }) =>
      when(
        isFromStrangers(workflow) && steps.some((step) => isCheckout(step) || step.run !== undefined),
        'it checks out or runs something with the rights of the repository when strangers say so',
      ),
  },
  {
    name: 'template-injection',
    example: inJob(`- run: |\n    echo first\n    echo ${expression('github.event.issue.title')}`),
    faults: ({ steps }) =>
      steps.flatMap((step) =>
        [...scriptsOf(step).matchAll(/\$\{\{([\s\S]*?)\}\}/g)].flatMap(([, words = '']) =>
          when(!harmless.test(words), `${words.trim()} is pasted into a script`),
        ),
      ),
  },
  {
    name: 'artipacked',
    example: inJob(`- uses: actions/checkout@${commit}`),
    faults: ({ steps }) =>
      when(
        steps.some((step) => isCheckout(step) && step.with?.['persist-credentials'] !== false),
        'a checkout leaves its token in the folder',
      ),
  },
  {
    name: 'self-hosted-runner',
    example:
      'on: pull_request\npermissions: {}\njobs:\n  one:\n    runs-on: [self-hosted, linux]\n    steps: []\n',
    faults: ({ jobs }) =>
      when(
        jobs.some(([, job]) => JSON.stringify(job['runs-on'] ?? '').includes('self-hosted')),
        'it runs on a machine of your own',
      ),
  },
  {
    name: 'github-env',
    example: inJob('- run: echo "NODE_OPTIONS=$WORDS" >> "$GITHUB_ENV"', 'on: workflow_run'),
    faults: ({ workflow, steps }) =>
      when(
        isFromStrangers(workflow) && steps.some((step) => /GITHUB_(?:ENV|PATH)\b/.test(scriptsOf(step))),
        'it writes variables of later steps where strangers are heard',
      ),
  },
  {
    name: 'cache-poisoning',
    example: inJob(`- uses: actions/cache@${commit}`, 'on: release'),
    faults: ({ workflow, steps }) =>
      when(
        /release|tags|workflow_run|pull_request_target/.test(JSON.stringify(workflow.on ?? '')) &&
          steps.some(
            ({ uses = '', with: given = {} }) =>
              uses.startsWith('actions/cache@') || given.cache !== undefined,
          ),
        'what is released or has rights reads a cache that others fill',
      ),
  },
  {
    name: 'secrets-inherit',
    example: `on: push\npermissions: {}\njobs:\n  one:\n    uses: ./.github/workflows/other.yml\n    secrets: inherit\n`,
    faults: ({ jobs }) =>
      when(
        jobs.some(([, { secrets }]) => secrets === 'inherit'),
        'all secrets are handed on',
      ),
  },
  {
    name: 'overprovisioned-secrets',
    example: inJob(`- run: deploy\n  env: { ALL: "${expression('toJSON(secrets)')}" }`),
    faults: ({ text }) =>
      when(/toJSON\(\s*secrets\s*\)|secrets\[/.test(text), 'all secrets are in reach of one step'),
  },
  {
    name: 'secrets for a whole workflow',
    example: inJob('- run: test', `on: push\nenv: { KEY: "${expression('secrets.KEY')}" }`),
    faults: ({ workflow }) =>
      when(/secrets\./.test(JSON.stringify(workflow.env ?? {})), 'every step has the secret'),
  },
  {
    name: 'bot-conditions',
    example: `on: pull_request\npermissions: {}\njobs:\n  one:\n    if: github.actor == 'dependabot[bot]'\n    steps: []\n`,
    faults: ({ jobs, steps }) =>
      when(
        [...jobs.map(([, job]) => job), ...steps].some((one) =>
          /github\.(?:triggering_)?actor\b/.test(String(one.if ?? '')),
        ),
        'who started it last is taken for the author',
      ),
  },
  {
    name: 'unsound-contains',
    example: `on: push\npermissions: {}\njobs:\n  one:\n    if: contains('refs/heads/main', github.ref)\n    steps: []\n`,
    faults: ({ text }) => when(/contains\(\s*'/.test(text), 'a part of a word passes for the word'),
  },
  {
    name: 'hardcoded-container-credentials',
    example:
      'on: push\npermissions: {}\njobs:\n  one:\n    container: { image: "a:1.0.0", credentials: { username: a, password: hunter2 } }\n    steps: []\n',
    faults: ({ jobs }) =>
      when(
        jobs.some(([, { container, services }]) =>
          /"password":"(?!\$\{\{)/.test(JSON.stringify([container, services])),
        ),
        'a password is in the file',
      ),
  },
  {
    name: 'insecure-commands',
    example: inJob('- run: test', 'on: push\nenv: { ACTIONS_ALLOW_UNSECURE_COMMANDS: true }'),
    faults: ({ text }) => when(/ACTIONS_ALLOW_UNSECURE_COMMANDS/.test(text), 'printed lines are commands'),
  },
  {
    name: 'unpinned-tools',
    example: inJob('- run: npx --yes eslint .'),
    faults: ({ steps }) =>
      steps.flatMap(({ run = '' }) =>
        [...run.matchAll(/\b(?:npx(?: --yes| -y)?|npm (?:install|i)(?: -g| --global)) (?!-)(\S+)/g)].flatMap(
          ([, name = '']) =>
            when(!/@\d+\.\d+\.\d+/.test(name), `${name} is installed in whatever version is newest`),
        ),
      ),
  },
]

export type Recipe = { place: string; text: string }

/** In words, each with its audit. */
export function faultsOf({ place, text }: Recipe): string[] {
  const parsed = (parse(text) ?? {}) as Workflow | unknown[]
  const workflow: Workflow = Array.isArray(parsed) ? {} : parsed
  const jobs = Object.entries(workflow.jobs ?? {})
  const own = Array.isArray(parsed) ? (parsed as Step[]) : jobs.flatMap(([, { steps = [] }]) => steps)
  const composite = (parsed as { runs?: { steps?: Step[] } }).runs?.steps ?? []
  const seen = { text, workflow, jobs, steps: [...own, ...composite] }
  return audits.flatMap(({ name, faults }) => faults(seen).map((fault) => `${place}: ${name}: ${fault}`))
}
