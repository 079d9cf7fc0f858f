/**
 * How many reviews need no follow-up, and how many tokens the others take on top.
 *
 *   node bench/follow-up/run.ts [--repo PATH] [--commits 40] [--recorded] [--json FILE]
 *
 * Scripted: reviews the last commits of a repository (this one, when none is named) over the wire of a provider on
 * loopback whose answers follow a written rule (`scripted-reviewer.ts`). These figures say what a follow-up costs and
 * that the limits hold; the share is the rule's, not a model's. `--recorded` counts the runs that are on record on
 * this machine instead, which real models answered.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { loadSettings } from '../../src/config/settings/load.ts'
import { Review } from '../../src/domain/review.ts'
import { reviewChange } from '../../src/index.ts'
import { localTenant, openRunStore } from '../../src/storage/runs/registry.ts'
import { openStoredRun, readKept } from '../../src/storage/runs/stored-run.ts'
import { startFakeProvider } from '../../test/helpers/fakes/registry.ts'
import { type Figures, figuresOf, tableOf } from './figures.ts'
import { scriptedReviewer } from './scripted-reviewer.ts'

const { values } = parseArgs({
  options: {
    repo: { type: 'string', default: resolve(import.meta.dirname, '../..') },
    commits: { type: 'string', default: '40' },
    recorded: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})

const figures: Figures = values.recorded
  ? figuresOf('recorded', await recordedReviews())
  : figuresOf('scripted', await scriptedReviews(values.repo, Number(values.commits)))
console.log(tableOf(figures))
if (values.json) writeFileSync(values.json, `${JSON.stringify(figures, null, 1)}\n`)

async function scriptedReviews(repo: string, most: number): Promise<Review[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
  await using fake = await startFakeProvider('anthropic', { steps: scriptedReviewer })
  try {
    const settings = join(folder, 'settings.yaml')
    const provider = `{ kind: anthropic, baseUrl: '${fake.baseUrl}', keyFrom: FAKE_KEY }`
    writeFileSync(
      settings,
      `models: { providers: { fake: ${provider} }, roles: { reviewer: fake/claude-sonnet-5-5 } }\n`,
    )
    const environment = { SIGHTLINE_SETTINGS: settings, FAKE_KEY: fake.apiKey }
    const commits = execFileSync(
      'git',
      ['-C', repo, 'rev-list', '--no-merges', `--max-count=${most}`, 'HEAD'],
      {
        encoding: 'utf8',
      },
    )
    const reviews: Review[] = []
    for (const commit of commits.trim().split('\n')) {
      const { review } = await reviewChange({
        folder: repo,
        selector: { kind: 'commit', commit },
        cacheFolder: join(folder, 'cache'),
        models: { environment },
        overrides: { depth: 'quick' },
      })
      reviews.push(review)
      process.stderr.write(`\r${reviews.length} reviews`)
    }
    process.stderr.write('\n')
    if (fake.mistakes.length > 0) throw new Error(fake.mistakes.join('\n'))
    return reviews
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Finished runs that asked a model; what cannot be read is left out. */
async function recordedReviews(): Promise<Review[]> {
  const { settings } = await loadSettings()
  const store = await openRunStore(settings.journal, { environment: process.env, tenant: localTenant })
  const reviews: Review[] = []
  for (const name of await store.names()) {
    try {
      const { review } = await readKept(await openStoredRun(store, name), store.keyFolder)
      reviews.push(Review.parse(JSON.parse(review)))
    } catch {
      // Of another version, or not finished.
    }
  }
  return reviews
}
