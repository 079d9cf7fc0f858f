/**
 * The self-contained evaluation: small repositories of our own, faults planted in their changes, reviewed without a
 * model and without a network.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkNames, createFactStore, exitCodes, planeNames } from '../../src/index.ts'
import { ablate, withoutEach } from '../ablation/ablate.ts'
import { count } from '../base/text.ts'
import { gate } from '../compare/gate.ts'
import { reportAsHtml } from '../report/html.ts'
import { reportAsMarkdown, tableAsMarkdown } from '../report/markdown.ts'
import { comparisonTable } from '../report/tables.ts'
import { linkRepository } from '../repositories/link-repository.ts'
import { runRetrieval } from '../retrieval/run-retrieval.ts'
import { sightlineReviewer } from '../run/reviewer.ts'
import { beginRunFolder, type RunFolder } from '../run/run-folder.ts'
import { runSet } from '../run/run-set.ts'
import { defaultSettings } from '../run/settings.ts'
import { scoreRun } from '../scores/score-run.ts'
import { readSheet, writeSheet } from '../scores/sheet-file.ts'
import { buildWorlds } from '../worlds/build-worlds.ts'
import { readWorlds } from '../worlds/read-worlds.ts'
import type { EvaluationCall } from './contract.ts'
import { writeOutput } from './score.ts'

const seed = 7

/** Exit code 1 when a case failed, or when a score fell below the baseline of `--gate`. */
export async function evaluateWorlds(call: EvaluationCall): Promise<number> {
  const { values, output, signal } = call
  const facts = createFactStore({ cacheFolder: null })
  const folder = mkdtempSync(join(tmpdir(), 'sightline-evals-'))
  const outFolder = (name: string) => values.out ?? join(folder, name)
  try {
    const mirrors = join(folder, 'mirrors')
    const all = await buildWorlds(readWorlds(), mirrors, seed)
    const cases = all.filter((_, at) => at % values.every === 0)
    // The worlds are small: reading them again is quicker than waiting for a disk to keep what was read.
    const cacheFolder = null
    // The worlds were made for this and hold no fix of a fault, so that their objects need not be copied for each case.
    const repositories = { mirrors, repositoryOf: linkRepository }
    const shared = { ...repositories, jobs: values.jobs, budget: null, signal }
    if (values.ablate) {
      const matrix = await ablate({
        ...shared,
        folder: outFolder('ablation'),
        set: 'worlds',
        cases,
        variants: withoutEach(defaultSettings, { planes: planeNames, sections: [], checks: checkNames }),
        reviewerOf: (settings) => sightlineReviewer({ settings, cacheFolder, facts }),
      })
      output.result(`${tableAsMarkdown(matrix)}\n`)
      return exitCodes.clean
    }
    if (values.retrieval) {
      const settings = { ...defaultSettings, measure: 'retrieval' as const }
      const beyondDiff = cases.filter(({ expected }) => expected.some(({ context }) => context !== 'diff'))
      const run = beginRunFolder(outFolder('run'), 'worlds', beyondDiff, settings)
      const { failed } = await runRetrieval({ ...shared, run, cacheFolder })
      return report(call, run, failed)
    }
    const run = beginRunFolder(outFolder('run'), 'worlds', cases, defaultSettings)
    const reviewer = sightlineReviewer({ settings: defaultSettings, cacheFolder, facts })
    const { failed } = await runSet({ ...shared, run, reviewer })
    return report(call, run, failed)
  } finally {
    await facts.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function report(
  { values, output }: EvaluationCall,
  run: RunFolder,
  failed: readonly { id: string; reason: string }[],
): number {
  const sheet = scoreRun(run)
  output.result(`${reportAsMarkdown(sheet)}\n`)
  if (values.out) writeOutput(join(values.out, 'report.html'), reportAsHtml(sheet))
  if (values['write-baseline']) writeOutput(values['write-baseline'], writeSheet(sheet))
  for (const { id, reason } of failed) output.note(`${id}: ${reason}`)
  const outcome = failed.length > 0 ? exitCodes.findings : exitCodes.clean
  if (!values.gate) return outcome
  const { passed, comparison, missing } = gate(readSheet(values.gate), sheet)
  output.result(`${tableAsMarkdown(comparisonTable(comparison))}\n`)
  if (passed) return outcome
  const gap =
    missing > 0
      ? `, or ${count(missing, 'case')} of the baseline ${missing === 1 ? 'is' : 'are'} missing`
      : ''
  output.note(`A score fell beyond chance${gap}.`)
  return exitCodes.findings
}
