/** `judge RUN`: asks a model once which finding reports which known fault, and keeps its answers with the run. */
import { exitCodes, UserError } from '../../src/index.ts'
import { openJudge } from '../judge/gateway-judge.ts'
import { judgeRun } from '../judge/judgements.ts'
import { reportAsMarkdown } from '../report/markdown.ts'
import { openRunFolder } from '../run/run-folder.ts'
import { scoreRun } from '../scores/score-run.ts'
import type { EvaluationCommand } from './contract.ts'
import { readModelRoles } from './run.ts'

export const judgeCommand: EvaluationCommand = {
  summary: 'Ask a model which finding reports which fault.',
  operands: ['RUN'],
  async run({ values, operands: [folder = ''], output, signal }) {
    const run = openRunFolder(folder)
    const roles = readModelRoles(values.model)
    const { budget } = values
    const judge = await openJudge({
      ...(roles ? { roles } : {}),
      ...(budget === undefined ? {} : { budget }),
    })
    if (!judge) throw new UserError('no-model', 'no model is configured as the judge')
    const { asked, kept, unanswered } = await judgeRun(run, judge, signal)
    output.note(`${judge.name}: ${asked} asked, ${kept} kept from before, ${unanswered} unanswered`)
    output.result(reportAsMarkdown(scoreRun(run)))
    return unanswered > 0 ? exitCodes.incomplete : exitCodes.clean
  },
}
