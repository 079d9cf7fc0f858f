/** `eval retrieval SET`: how much of what one must see besides the diff lies in the bundle; no model is asked. */
import { exitCodes } from '../../base/errors.ts'
import type { EvalVerb } from './contract.ts'
import { folderOf, nameOf, teller } from './run-evaluation.ts'

export const retrieveEvaluation: EvalVerb = {
  operands: ['SET'],
  async run({ values, operands: [set = ''], terminal, signal }) {
    const folder = folderOf(values)
    const { beginRunFolder, readCases, reportAsMarkdown, runRetrieval, scoreRun, usualSettings } =
      await import('../../evaluation/index.ts')
    const { defaultCacheFolder } = await import('../../assembly/cache-folder.ts')
    const history = values.history ?? usualSettings.history
    const settings = { ...usualSettings, measure: 'retrieval' as const, history }
    const run = beginRunFolder(folder, nameOf(set), await readCases(set), settings)
    const { measured, kept, failed } = await runRetrieval({
      run,
      mirrors: values.mirrors ?? null,
      cacheFolder: defaultCacheFolder(),
      jobs: values.jobs ?? 2,
      signal,
      onCase: teller({ values, terminal }),
    })
    if (!values.quiet)
      terminal.note(`${measured} measured, ${kept} kept from before, ${failed.length} failed\n`)
    await terminal.result(reportAsMarkdown(scoreRun(run)))
    return failed.length > 0 ? exitCodes.incomplete : exitCodes.clean
  },
}
