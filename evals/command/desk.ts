/**
 * `desk`: a review answered by readers instead of models, and judged blind.
 *
 *   desk run SET --out RUN      reviews a set; questions lie in RUN/desk until somebody answers them
 *   desk next RUN --as NAME     prints the questions that wait for this reader
 *   desk sheet RUN... --out S   shuffles the findings of several runs into one sheet a case
 *   desk score SHEETS           what the judges of those sheets found, run by run
 */
import { join, resolve } from 'node:path'
import { exitCodes } from '../../src/index.ts'
import { EvaluationError } from '../base/errors.ts'
import { count } from '../base/text.ts'
import { readCases } from '../cases/read-cases.ts'
import { deskFolder, readArm } from '../desk/arms.ts'
import { deskTables } from '../desk/desk-tables.ts'
import { nextQuestions } from '../desk/next-question.ts'
import { scoreSheets } from '../desk/score-sheets.ts'
import { writeSheet } from '../desk/sheet.ts'
import { markdownTables } from '../report/markdown.ts'
import { writeWhole } from '../run/records.ts'
import { beginRunFolder } from '../run/run-folder.ts'
import type { EvaluationCall, EvaluationCommand } from './contract.ts'
import { reviewAtDesk } from './review-at-desk.ts'
import { folderOf, nameOf, settingsOf } from './run.ts'

export const deskCommand: EvaluationCommand = {
  summary: 'Let readers play the models, and judge blind: run, next, sheet or score.',
  operands: ['ACTION', 'PATH...'],
  async run(call) {
    const [action = '', ...paths] = call.operands
    const actions: Record<string, (call: EvaluationCall, paths: readonly string[]) => Promise<number>> = {
      run,
      next,
      sheet,
      score,
    }
    const chosen = Object.hasOwn(actions, action) ? actions[action] : undefined
    if (!chosen) throw new EvaluationError('usage', `desk ${action}: expected run, next, sheet or score`)
    return await chosen(call, paths)
  },
}

async function run(call: EvaluationCall, [set = '']: readonly string[]): Promise<number> {
  const { values } = call
  const folder = resolve(folderOf(values))
  const settings = settingsOf({ ...values, depth: values.depth ?? 'standard' })
  const evaluation = beginRunFolder(folder, nameOf(set), await readCases(set), settings)
  return await reviewAtDesk(call, evaluation)
}

async function next(
  { values, output, signal }: EvaluationCall,
  [folder = '']: readonly string[],
): Promise<number> {
  if (values.as === undefined) throw new EvaluationError('usage', 'desk next needs --as NAME')
  const open = await nextQuestions(join(resolve(folder), deskFolder), {
    role: values.refuter ? 'refuter' : 'reader',
    reader: values.as,
    waitMs: 540_000,
    signal,
  })
  if (open === 'none') output.result('Nothing yet; call again.\n')
  else if (open === 'finished') output.result('FINISHED\n')
  else output.result(open.map((question) => `${join(question, 'request.md')}\n`).join(''))
  return exitCodes.clean
}

async function sheet({ values, output }: EvaluationCall, paths: readonly string[]): Promise<number> {
  const out = folderOf(values)
  const arms = paths.map(readArm)
  const cases = arms.find((arm) => arm.cases.length > 0)?.cases ?? []
  for (const [at, one] of cases.entries()) {
    const findings = new Map(arms.map((arm) => [arm.name, arm.findings.get(one.id) ?? []]))
    writeSheet(out, one, findings, at + 1)
  }
  output.note(`${count(cases.length, 'sheet')} in ${out}`)
  writeWhole(join(out, 'arms.json'), JSON.stringify(paths.map((path) => resolve(path))))
  return exitCodes.clean
}

async function score({ output }: EvaluationCall, [folder = '']: readonly string[]): Promise<number> {
  output.result(markdownTables(deskTables(scoreSheets(folder))))
  return exitCodes.clean
}
