/**
 * `judge-test SET`: findings of known truth go through validation and judge as if a reviewer had made them; then prints what
 * became of them, by kind. The judge is a reader at the desk, or the model that `--model judge=…` names.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { EvaluationError } from '../base/errors.ts'
import { changeOf, changesOf, drawPlanted, readPlanted } from '../planted/draw.ts'
import { fateOf } from '../planted/fates.ts'
import type { PlantedFinding } from '../planted/planted-finding.ts'
import { plantedReviewer } from '../planted/planted-reviewer.ts'
import { plantedTables } from '../planted/planted-tables.ts'
import { markdownTables } from '../report/markdown.ts'
import { writeWhole } from '../run/records.ts'
import { beginRunFolder } from '../run/run-folder.ts'
import type { EvaluationCommand } from './contract.ts'
import { reviewAtDesk } from './review-at-desk.ts'
import { folderOf, nameOf, settingsOf } from './run.ts'

export const judgeTestCommand: EvaluationCommand = {
  summary: 'Put findings of known truth through validation and judge.',
  operands: ['SET'],
  async run(call) {
    const { values, output, operands } = call
    const [set = ''] = operands
    const folder = resolve(folderOf(values))
    const planted = drawPlanted(await readPlanted(set), values.seed, values.count)
    // The reviewer's answers are given, so that there is nothing to explore for.
    const settings = {
      ...settingsOf({ ...values, depth: values.depth ?? 'standard' }),
      withoutSections: ['explore' as const],
    }
    const run = beginRunFolder(folder, nameOf(set), changesOf(planted), settings)
    keepDraw(folder, planted)
    const code = await reviewAtDesk(call, run, plantedReviewer(planted))
    const fates = planted.map((one) => fateOf(one, run.find(changeOf(one))?.review ?? null))
    output.result(markdownTables(plantedTables(fates)))
    return code
  },
}

/** Reviews of another draw of the same changes hold other findings. Throws `evaluation-unreadable`. */
function keepDraw(folder: string, planted: readonly PlantedFinding[]): void {
  const file = join(folder, 'planted.jsonl')
  const text = planted.map((one) => `${JSON.stringify(one)}\n`).join('')
  if (existsSync(file) && readFileSync(file, 'utf8') !== text)
    throw new EvaluationError('evaluation-unreadable', `${folder} holds another draw of planted findings`)
  writeWhole(file, text)
}
