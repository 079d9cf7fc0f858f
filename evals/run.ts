/**
 * The self-contained evaluation: small repositories of our own, faults planted in their changes, reviewed without a
 * model and without a network.
 *
 *   npm run evals [-- --out FOLDER] [--jobs 2] [--every 1] [--gate evals/baseline.jsonl] [--write-baseline FILE] [--ablate | --retrieval]
 *
 * Prints the table. With `--gate` it exits with 1 when a score fell beyond chance.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createFactStore } from '../src/code-index/fact-store.ts'
import {
  ablate,
  beginRunFolder,
  comparisonTable,
  gate,
  linkRepository,
  type RunFolder,
  readSheet,
  reportAsHtml,
  reportAsMarkdown,
  runRetrieval,
  runSet,
  scoreRun,
  sightlineReviewer,
  tableAsMarkdown,
  usualSettings,
  withoutEach,
  writeSheet,
} from '../src/evaluation/index.ts'
import { checkNames, planeNames } from '../src/index.ts'
import { buildWorlds } from './worlds/build-worlds.ts'
import { readWorlds } from './worlds/read-worlds.ts'

const seed = 7

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    every: { type: 'string', default: '1' },
    gate: { type: 'string' },
    'write-baseline': { type: 'string' },
    ablate: { type: 'boolean', default: false },
    retrieval: { type: 'boolean', default: false },
  },
})

const facts = createFactStore({ cacheFolder: null })
const folder = mkdtempSync(join(tmpdir(), 'sightline-evals-'))
const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort(new Error('interrupted')))
try {
  const mirrors = join(folder, 'mirrors')
  const all = await buildWorlds(readWorlds(), mirrors, seed)
  const cases = all.filter((_, at) => at % Number(values.every) === 0)
  // The worlds are small: reading them anew is quicker than waiting for a disk to keep what was read.
  const cacheFolder = null
  const shared = {
    mirrors,
    // The worlds were made for this and hold no fix of a fault, so that their objects need not be copied for each case.
    bring: linkRepository,
    jobs: Number(values.jobs),
    budget: null,
    signal: interrupted.signal,
  }
  if (values.ablate) {
    const matrix = await ablate({
      ...shared,
      folder: values.out ?? join(folder, 'ablation'),
      set: 'worlds',
      cases,
      variants: withoutEach(usualSettings, { planes: planeNames, sections: [], checks: checkNames }),
      reviewerOf: (settings) => sightlineReviewer({ settings, cacheFolder, facts }),
    })
    console.log(tableAsMarkdown(matrix))
  } else if (values.retrieval) {
    const settings = { ...usualSettings, measure: 'retrieval' as const }
    const beyondDiff = cases.filter(({ expected }) => expected.some(({ context }) => context !== 'diff'))
    const run = beginRunFolder(values.out ?? join(folder, 'run'), 'worlds', beyondDiff, settings)
    const { failed } = await runRetrieval({ ...shared, run, cacheFolder })
    report(run, failed)
  } else {
    const run = beginRunFolder(values.out ?? join(folder, 'run'), 'worlds', cases, usualSettings)
    const reviewer = sightlineReviewer({ settings: usualSettings, cacheFolder, facts })
    const { failed } = await runSet({ ...shared, run, reviewer })
    report(run, failed)
  }
} finally {
  await facts.close()
  rmSync(folder, { recursive: true, force: true })
}

function report(run: RunFolder, failed: readonly { id: string; reason: string }[]): void {
  const sheet = scoreRun(run)
  console.log(reportAsMarkdown(sheet))
  if (values.out) writeFileSync(join(values.out, 'report.html'), reportAsHtml(sheet))
  if (values['write-baseline']) writeFileSync(values['write-baseline'], writeSheet(sheet))
  for (const { id, reason } of failed) console.error(`${id}: ${reason}`)
  if (failed.length > 0) process.exitCode = 1
  if (!values.gate) return
  const { passed, comparison, missing } = gate(readSheet(values.gate), sheet)
  console.log(tableAsMarkdown(comparisonTable(comparison)))
  if (passed) return
  console.error(`A score fell beyond chance${missing > 0 ? `, or ${missing} cases are missing` : ''}.`)
  process.exitCode = 1
}
