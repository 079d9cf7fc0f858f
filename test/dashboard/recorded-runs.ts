/** Runs as real reviews leave them on record, and the dashboard that `sightline ui` serves over them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { RunSummary } from '../../src/storage/runs/contract.ts'
import { asks, quiet, shopRepo, withQuietRest, wrongSum } from '../e2e/deep-world.ts'
import { emptyAnswer, fakeEnvironment, followUpSteps, retryRepo, waitFinding } from '../e2e/quick-world.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { entry, environment, sightline } from '../helpers/sightline.ts'

export type RecordedRuns = {
  env: Record<string, string>
  /** Names of runs: by code alone with many findings; with six planes; quick, with a follow-up; the same once more. */
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
  const deepEnv = { ...home, ...fakeEnvironment(deepFake) }
  const deep = await review(named(shopRepo().path, 'corner-shop'), ['HEAD', '--depth', 'deep'], deepEnv)

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

const deepSteps: Parameters<typeof withQuietRest>[0] = [
  {
    answer: 'good',
    if: asks('correctness'),
    value: {
      ...quiet,
      findings: [wrongSum],
      context_requests: [
        { file: 'src/page.ts', symbol: '', line_start: 7, line_end: 9, reason: 'to see who shows it' },
      ],
      memory_insights: [{ sentence: 'Prices are whole cents.', file: 'src/price.ts' }],
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

/** `sightline ui` as a process of its own; `open` is the address with its one-time token. */
export async function serveDashboard(env: Record<string, string>) {
  const child = spawn(process.execPath, [entry, 'ui', '--json'], { env: environment(env), stdio: 'pipe' })
  const stop = async () => {
    child.kill('SIGINT')
    await once(child, 'exit')
  }
  for await (const line of createInterface(child.stdout)) {
    const { address, url } = JSON.parse(line)
    return { open: String(address), url: String(url), stop }
  }
  throw new Error('sightline ui ended before it was ready')
}
