/** Runs as real reviews leave them on record, and the dashboard that `sightline ui` serves over them. */
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough, Readable } from 'node:stream'
import { runCommand } from '../../src/cli/main.ts'
import { Review } from '../../src/domain/review.ts'
import type { RunSummary } from '../../src/storage/runs/contract.ts'
import { answersWith, asks, quiet, shopRepo, withQuietRest, wrongSum } from '../e2e/deep-world.ts'
import { emptyAnswer, fakeEnvironment, followUpSteps, retryRepo, waitFinding } from '../e2e/quick-world.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { createRepo, TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'
import { environment, sightline } from '../helpers/sightline.ts'

export type RecordedRuns = {
  env: Record<string, string>
  /** Names of runs: by code alone with many findings; with two readers; quick, with a follow-up; the same once more. */
  offline: string
  deep: string
  quick: string
  again: string
}

export async function recordRuns(): Promise<RecordedRuns> {
  const home = { XDG_STATE_HOME: temporaryFolder(), XDG_CACHE_HOME: temporaryFolder() }
  const demo = join(temporaryFolder(), 'parcel-desk')
  await sightline(['demo', '--into', demo, '--quiet'], { env: home })
  const offline = await review(demo, ['main..feature', '--depth', 'offline'], home)

  const deepFake = await startFakeProvider('anthropic', { steps: withQuietRest(deepSteps) })
  const settings = `workspace: ${JSON.stringify({ repositories: clientAndShop() })}`
  const deepEnv = { ...home, ...fakeEnvironment(deepFake, { settings }) }
  await sightline(['workspace', '--update', '--graph'], { env: deepEnv })
  const shop = named(shopRepo().path, 'corner-shop')
  const deep = await review(shop, ['HEAD', '--depth', 'deep'], deepEnv)

  await askTwice(deep, shop, deepEnv)
  await decideAndRemember(home)

  const repo = named(retryRepo().path, 'retry-later')
  const quickFake = await startFakeProvider('anthropic', { steps: followUpSteps })
  const quick = await review(repo, ['HEAD', '--depth', 'quick'], { ...home, ...fakeEnvironment(quickFake) })
  const otherFake = await startFakeProvider('anthropic', {
    steps: [
      {
        answer: 'good',
        value: { ...emptyAnswer, findings: [{ ...waitFinding, severity: 'low' }] },
        times: 'always',
      },
    ],
  })
  const again = await review(repo, ['HEAD', '--depth', 'quick', '--fresh'], {
    ...home,
    ...fakeEnvironment(otherFake),
  })
  return { env: deepEnv, offline, deep, quick, again }
}

/** A package, and a repository that uses a part of it. */
function clientAndShop(): string[] {
  const client = named(createRepo().path, 'price-client')
  const web = named(createRepo().path, 'web-shop')
  new TestRepo(client).commit({
    'package.json': '{ "name": "@parcels/price", "type": "module", "exports": "./index.ts" }\n',
    'index.ts': 'export function priceOf(): number {\n  return 1\n}\n\nexport function rebate(): void {}\n',
  })
  new TestRepo(web).commit({
    'package.json': '{ "name": "web-shop", "dependencies": { "@parcels/price": "^1.0.0" } }\n',
    'src/cart.ts': "import { priceOf } from '@parcels/price'\n\nexport const total = priceOf()\n",
  })
  return [client, web]
}

const question = (words: string, text: string, quotes: readonly object[]) => ({
  answer: 'good' as const,
  when: { lastTurnContains: words },
  if: answersWith('statements'),
  value: { statements: [{ text, quotes }], disputed: '', cannot: '' },
})

/** A conversation about a review: two questions, each with a quote. */
async function askTwice(run: string, cwd: string, env: Record<string, string>): Promise<void> {
  for (const words of ['Who shows the total?', 'Can it go below zero?']) {
    const { code, stdout, stderr } = await sightline(['ask', run, words], { cwd, env })
    if (code !== 0) throw new Error(`the question failed: ${stdout}${stderr}`)
  }
}

/** Three notes of a team: one tried and accepted, one refused by its back-test, one that is a fact; and who decided what. */
async function decideAndRemember(env: Record<string, string>): Promise<void> {
  const folder = join(temporaryFolder(), 'price-desk')
  mkdirSync(folder)
  const repo = new TestRepo(folder)
  repo.git('init', '--quiet', '--initial-branch=main')
  const run = async (...args: string[]) => await sightline(args, { cwd: repo.path, env })
  const faulty = (name: string) =>
    `export function ${name}Of(${name}: number, by: number): boolean {\n  const ${name}Scaled = ${name} * by + ${name.length}\n  return ${name}Scaled === NaN\n}\n`
  repo.commit({ 'src/money.ts': 'export const cents = 100\n' }, 'Count in cents')
  const tests = ['alpha', 'beta', 'gamma'].map((name) => [`test/${name}.ts`, faulty(name)])
  repo.commit({ ...Object.fromEntries(tests), 'src/delta.ts': faulty('delta') }, 'Compare scaled amounts')
  const { stdout } = await run('review', 'HEAD~1..HEAD', '--depth', 'offline', '--json')
  for (const { fingerprint, anchor } of Review.parse(JSON.parse(stdout)).findings) {
    const isTest = anchor.path.startsWith('test/')
    const because = isTest ? 'the tests compare NaN on purpose' : 'known; the next change repairs it'
    const name = fingerprint.slice(0, 12)
    await run('dismiss', name, '--as', isTest ? 'wrong' : 'accepted', '--because', because)
  }
  await run('memory', 'propose', '--from', 'dismissals')
  await run('memory', 'accept', 'js-compare-nan-test')
  await run('memory', 'propose', 'Amounts are integers, in cents.', '--paths', 'src/**')
  await run('memory', 'accept', 'amounts-are-integers-in-cents', '--because', 'agreed in the design')
  await run('memory', 'propose', 'NaN is fine.', '--paths', '**', '--dismiss', 'js/compare-nan')
  await run('memory', 'test', 'nan-is-fine')
  repo.commit({}, 'Remember what the team decided')
  repo.commit({ 'src/eta.ts': 'export const eta = (by: number) => by * 2\n' }, 'Double an amount')
  await review(repo.path, ['HEAD~1..HEAD', '--depth', 'offline'], env)
}

const deepSteps: Parameters<typeof withQuietRest>[0] = [
  question('Who shows the total?', '`page` in `src/page.ts` shows it, and `foot` calls `page`.', [
    { id: { $evidenceAt: 'return String(total([1, 2, 3]))' }, quote: 'return String(total([1, 2, 3]))' },
  ]),
  question(
    'Can it go below zero?',
    'Yes: each item is subtracted, so the first one already gives a negative sum.',
    [{ id: 'D1', quote: 'sum - round(item)' }],
  ),
  {
    answer: 'good',
    if: asks('first'),
    value: {
      ...quiet,
      findings: [wrongSum],
      context_requests: [
        {
          what: 'code',
          file: 'src/page.ts',
          symbol: '',
          line_start: 7,
          line_end: 9,
          reason: 'to see who shows it',
        },
      ],
    },
  },
  {
    answer: 'good',
    when: { lastTurnContains: 'Here is what you requested' },
    value: {
      ...quiet,
      verdicts: [{ finding: 'F1', verdict: 'confirmed', reason: 'the page shows the sum' }],
    },
  },
]

/** The same repository in a folder that says what it is; runs bear its name. */
function named(path: string, name: string): string {
  const folder = join(temporaryFolder(), name)
  cpSync(path, folder, { recursive: true })
  return folder
}

/** The name of the run that it leaves. */
export async function review(
  repo: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<string> {
  const { code, stderr } = await sightline(['review', ...args, '--repo', repo, '--json', '--quiet'], { env })
  if (code === null || code > 1) throw new Error(`the review failed: ${stderr}`)
  const listed = await sightline(['runs', '--json'], { env })
  const [newest]: RunSummary[] = JSON.parse(listed.stdout)
  if (!newest) throw new Error('the review was not recorded')
  return newest.header.run
}

/** `sightline ui`; `open` is the address with its one-time token. */
export async function serveDashboard(env: Record<string, string>) {
  const ending = new AbortController()
  const [stdin, stdout, stderr] = [Readable.from([]), new PassThrough(), new PassThrough()]
  const shell = { environment: environment(env), folder: temporaryFolder(), stdin, stdout, stderr }
  const ended = runCommand(['ui', '--json'], { ...shell, facts: sharedFacts() }, ending.signal)
  void ended.finally(() => stdout.end())
  const stop = async () => {
    ending.abort()
    await ended
  }
  for await (const line of createInterface(stdout)) {
    const { address, url } = JSON.parse(line)
    return { open: String(address), url: String(url), stop }
  }
  throw new Error('sightline ui ended before it was ready')
}
