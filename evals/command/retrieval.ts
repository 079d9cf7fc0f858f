/** `retrieval SET`: how much of the code that shows a fault is in the bundle; asks no model. */
import { defaultCacheFolder, exitCodes } from '../../src/index.ts'
import { readCases } from '../cases/read-cases.ts'
import { reportAsMarkdown } from '../report/markdown.ts'
import { runRetrieval } from '../retrieval/run-retrieval.ts'
import { beginRunFolder } from '../run/run-folder.ts'
import { defaultSettings } from '../run/settings.ts'
import { scoreRun } from '../scores/score-run.ts'
import type { EvaluationCommand } from './contract.ts'
import { folderOf, nameOf, reportTo } from './run.ts'

export const retrievalCommand: EvaluationCommand = {
  summary: 'Measure how much of the needed code is in the context bundle.',
  operands: ['SET'],
  async run({ values, operands: [set = ''], output, facts, signal }) {
    const folder = folderOf(values)
    const history = values.history ?? defaultSettings.history
    const settings = { ...defaultSettings, measure: 'retrieval' as const, history }
    const run = beginRunFolder(folder, nameOf(set), await readCases(set), settings)
    const { measured, kept, failed } = await runRetrieval({
      run,
      mirrors: values.mirrors ?? null,
      cacheFolder: defaultCacheFolder(),
      facts,
      jobs: values.jobs,
      signal,
      onCase: reportTo(output),
    })
    output.note(`${measured} measured, ${kept} kept from before, ${failed.length} failed`)
    output.result(reportAsMarkdown(scoreRun(run)))
    return failed.length > 0 ? exitCodes.incomplete : exitCodes.clean
  },
}
