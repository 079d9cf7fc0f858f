/**
 * The GitHub Action: one to three steps of the command, each as a process of its own that gets the token or the keys of
 * models, never both. It adds nothing to a review.
 */
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findChange } from './find-change.ts'
import { type InputName, readInputs } from './inputs.ts'

const steps = ['collect', 'analyze', 'publish'] as const
type Step = (typeof steps)[number]

type Given = Record<InputName, string>

const command = join(import.meta.dirname, commandFrom(import.meta.filename))

/** From the sources, and from the bundle (`dist/action/main.js`). */
function commandFrom(file: string): string {
  return file.endsWith('.ts') ? '../bin/sightline.js' : '../../bin/sightline.js'
}

async function runAction(environment: NodeJS.ProcessEnv): Promise<number> {
  const given = readInputs(environment)
  const wanted = steps.filter((step) => given.step === 'all' || given.step === step)
  if (wanted.length === 0) {
    report('error', `step: \`${given.step}\` is not one of all, ${steps.join(', ')}.`)
    return 2
  }
  const address = wanted.every((step) => step === 'analyze') ? '' : await addressOf(given, environment)
  if (address === null) return 0
  for (const step of wanted) {
    const code = await run(argumentsOf(step, given, address), environmentOf(step, given, environment))
    if (step === 'publish') await writeResults(given, environment)
    // An incomplete review is published all the same, and publishing it ends with the same code.
    if (code !== 0 && !(isIncomplete(code) && wanted.includes('publish') && step === 'analyze')) {
      report('error', `sightline ${step} ended with exit code ${code}; the lines above say why.`)
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
async function addressOf(given: Given, environment: NodeJS.ProcessEnv): Promise<string | null> {
  if (given.change !== '') return given.change
  const found = await findChange(environment, given.token)
  if ('address' in found) return found.address
  report('notice', `Nothing to review: ${found.reason}.`)
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
async function writeResults(given: Given, environment: NodeJS.ProcessEnv): Promise<void> {
  const review = join(given.folder, 'review.json')
  if (!existsSync(review)) return
  const { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output } = environment
  const bare = environmentOf('publish', { ...given, token: '' }, environment)
  const render = (format: string, file: string) =>
    run(['publish', review, '--request', given.folder, '--format', format, '--output', file, '-q'], bare)
  if (summary) {
    const page = join(given.folder, 'summary.md')
    await render('markdown', page)
    if (existsSync(page)) appendFileSync(summary, readFileSync(page, 'utf8'))
  }
  if (given.sarif !== '') await render('sarif', given.sarif)
  if (!output) return
  const { conclusion, findings } = JSON.parse(readFileSync(review, 'utf8'))
  // Our own words only: a line of somebody else's could set further outputs.
  appendFileSync(
    output,
    `conclusion=${/^[A-Z_]+$/.exec(conclusion.word)?.[0] ?? ''}\nfindings=${Number(findings.length)}\nreview=${review}\n`,
  )
}

function run(argv: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, ...argv], { env: environment, stdio: ['ignore', 2, 2] })
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 3))
  })
}

/** Not a line that the review writes: those cannot begin a command of the runner, since they are safe text. */
function report(level: 'error' | 'notice', text: string): void {
  process.stdout.write(
    `::${level}::${text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}\n`,
  )
}

try {
  process.exitCode = await runAction(process.env)
} catch (error) {
  report('error', error instanceof Error ? error.message : String(error))
  process.exitCode = 3
}
