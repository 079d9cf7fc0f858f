/**
 * What the Action does: one to three steps of the command, each of which gets the token or the keys of models, never both.
 * It adds nothing to a review.
 */
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findChange } from './find-change.ts'
import { type InputName, readInputs } from './inputs.ts'

const steps = ['collect', 'analyze', 'publish'] as const
type Step = (typeof steps)[number]

type Given = Record<InputName, string>

/** What the steps do is said and done through it. */
export type Job = {
  environment: NodeJS.ProcessEnv
  /** Where the job works: paths of inputs are relative to it. */
  folder: string
  /** The command, with this environment and no other. Resolves to its exit code. */
  run(argv: readonly string[], environment: NodeJS.ProcessEnv): Promise<number>
  /** Writes a line to the log of the job. */
  log(line: string): void
}

/** Resolves to the exit code of the step. */
export async function runAction(job: Job): Promise<number> {
  try {
    return await runSteps(job)
  } catch (error) {
    report(job, 'error', error instanceof Error ? error.message : String(error))
    return 3
  }
}

async function runSteps(job: Job): Promise<number> {
  const { environment } = job
  const given = readInputs(environment)
  const wanted = steps.filter((step) => given.step === 'all' || given.step === step)
  if (wanted.length === 0) {
    report(job, 'error', `step: \`${given.step}\` is not one of all, ${steps.join(', ')}.`)
    return 2
  }
  const address = wanted.every((step) => step === 'analyze') ? '' : await addressOf(given, job)
  if (address === null) return 0
  for (const step of wanted) {
    if (step === 'analyze') removeStale(job, join(given.folder, 'review.json'))
    const code = await job.run(argumentsOf(step, given, address), environmentOf(step, given, environment))
    if (step === 'publish') await writeResults(given, job)
    // An incomplete review is published all the same, and publishing it ends with the same code.
    if (code !== 0 && !(isIncomplete(code) && wanted.includes('publish') && step === 'analyze')) {
      report(job, 'error', `sightline ${step} ended with exit code ${code}; the lines above say why.`)
      return code
    }
  }
  return 0
}

/** docs/exit-codes.md: a model that could not be asked, or a budget that ran out. There is a review. */
function isIncomplete(code: number): boolean {
  return code === 4 || code === 5
}

/** Null when there is nothing to review. */
async function addressOf(given: Given, job: Job): Promise<string | null> {
  if (given.change !== '') return given.change
  const found = await findChange(job.environment, given.token)
  if ('address' in found) return found.address
  report(job, 'notice', `Nothing to review: ${found.reason}.`)
  return null
}

function argumentsOf(step: Step, given: Given, address: string): string[] {
  const review = join(given.folder, 'review.json')
  const option = (name: InputName) => (given[name] === '' ? [] : [`--${name}=${given[name]}`])
  switch (step) {
    case 'collect':
      return ['collect', address, '--out', given.folder]
    case 'analyze':
      return ['analyze', given.folder, '--output', review, ...option('depth'), ...option('budget')]
    case 'publish': {
      const target = given.post === 'true' ? ['--to', address] : []
      const gate = target.length > 0 && given['fail-on'] !== 'never' ? ['--gate'] : []
      return [
        'publish',
        review,
        '--request',
        given.folder,
        ...target,
        ...option('fail-on'),
        ...gate,
        '--no-color',
      ]
    }
  }
}

/** What any program needs, and where the host is. */
const plain =
  /^(?:PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|RUNNER_TEMP|RUNNER_DEBUG|XDG_\w+|CI|GITHUB_ACTIONS|GITHUB_SERVER_URL|GITHUB_API_URL|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|(?:HTTPS?|NO|ALL)_PROXY|SystemRoot)$/i

/** What lets a process act on the host, or as this workflow elsewhere. */
const powers = /^(?:GITHUB_TOKEN|GH_TOKEN|SIGHTLINE_\w+_(?:TOKEN|APP_ID|APP_KEY)|ACTIONS_\w+|INPUT_.*)$/i

/** The step that calls models gets no token of the host, and the others no key of a model. */
function environmentOf(step: Step, given: Given, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isKept = (name: string) => (step === 'analyze' ? !powers.test(name) : plain.test(name))
  return {
    ...Object.fromEntries(Object.entries(environment).filter(([name]) => isKept(name))),
    ...(given.settings && { SIGHTLINE_SETTINGS: given.settings }),
    ...(step !== 'analyze' && given.token && { SIGHTLINE_GITHUB_TOKEN: given.token }),
  }
}

/** Summary, SARIF and outputs, from the review as it lies in the folder: nothing that a token is needed for. */
async function writeResults(given: Given, { environment, folder, run }: Job): Promise<void> {
  const review = join(given.folder, 'review.json')
  if (!existsSync(resolve(folder, review))) return
  const { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output } = environment
  const bare = environmentOf('publish', { ...given, token: '' }, environment)
  const render = (format: string, file: string) =>
    run(['publish', review, '--request', given.folder, '--format', format, '--output', file, '-q'], bare)
  if (summary) {
    const page = join(given.folder, 'summary.md')
    removeStale({ folder }, page)
    await render('markdown', page)
    const written = resolve(folder, page)
    if (existsSync(written)) appendFileSync(summary, readFileSync(written, 'utf8'))
  }
  if (given.sarif !== '') await render('sarif', given.sarif)
  if (!output) return
  const { conclusion, findings } = JSON.parse(readFileSync(resolve(folder, review), 'utf8'))
  // Our own words only: a line of somebody else's could set further outputs.
  appendFileSync(
    output,
    `conclusion=${/^[A-Z_]+$/.exec(conclusion.word)?.[0] ?? ''}\nfindings=${Number(findings.length)}\nreview=${review}\n`,
  )
}

/** The folder may lie in a checkout of the change: what a step did not write must not pass for its result, nor a link. */
function removeStale({ folder }: Pick<Job, 'folder'>, path: string): void {
  rmSync(resolve(folder, path), { force: true })
}

/** Not a line that the review writes: those cannot begin a command of the runner, since they are safe text. */
function report({ log }: Job, level: 'error' | 'notice', text: string): void {
  log(`::${level}::${text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}`)
}
