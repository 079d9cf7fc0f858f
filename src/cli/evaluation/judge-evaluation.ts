/** `eval judge RUN`: asks a model once which findings mean which known fault, and keeps what it says with the run. */
import { exitCodes, UserError } from '../../base/errors.ts'
import { readModelRoles } from '../input/model-roles.ts'
import type { EvalVerb } from './contract.ts'

export const judgeEvaluation: EvalVerb = {
  operands: ['RUN'],
  async run({ values, operands: [folder = ''], terminal, signal }) {
    const { judgeRun, openJudge, openRunFolder, reportAsMarkdown, scoreRun } = await import(
      '../../evaluation/index.ts'
    )
    const run = openRunFolder(folder)
    const roles = readModelRoles(values.model)
    const { budget } = values
    const judge = await openJudge({
      ...(roles ? { roles } : {}),
      ...(budget === undefined ? {} : { budget }),
    })
    if (!judge) throw new UserError('no-model', 'nobody can judge')
    const { asked, kept, unanswered } = await judgeRun(run, judge, signal)
    if (!values.quiet)
      terminal.note(`${judge.name}: ${asked} asked, ${kept} kept from before, ${unanswered} unanswered\n`)
    await terminal.result(reportAsMarkdown(scoreRun(run)))
    return unanswered > 0 ? exitCodes.incomplete : exitCodes.clean
  },
}
