/**
 * `fit`: learns from blind judgements which findings people call important, and says how well that holds on repositories that were
 * left out. What it learned is one file that a person can read.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes, importanceModel } from '../../src/index.ts'
import { EvaluationError } from '../base/errors.ts'
import { count } from '../base/text.ts'
import { JudgedFinding, judgedFindings } from '../desk/judged-findings.ts'
import { markdownTables } from '../report/markdown.ts'
import { writeWhole } from '../run/records.ts'
import { believed, choiceTables, senses } from '../scores/choice-tables.ts'
import { fitLogistic, holdOut, type Row } from '../scores/logistic.ts'
import type { EvaluationCommand } from './contract.ts'

/** What was believed of a weight counts as much as so many judgements of findings that have it. */
const strength = 4

export const fitCommand: EvaluationCommand = {
  summary: 'Learn from judged sheets which findings are important, and how sure that is.',
  operands: ['SHEETS...'],
  async run({ operands, values, output }) {
    if (operands.length === 0)
      throw new EvaluationError('usage', 'fit needs folders of sheets, or .jsonl files')
    const all = operands.flatMap((path) => (path.endsWith('.jsonl') ? readRows(path) : judgedFindings(path)))
    const rows = all.map(
      ({ features, truth, repo }): Row => ({ features, isImportant: truth === 'important', group: repo }),
    )
    const options = { before: believed, strength, senses }
    const model = fitLogistic(rows, options)
    output.result(markdownTables(choiceTables(all, holdOut(rows, options), model)))
    if (values.out !== undefined) {
      writeWhole(join(values.out, 'judged.jsonl'), all.map((one) => `${JSON.stringify(one)}\n`).join(''))
      writeWhole(
        join(values.out, 'importance.json'),
        `${JSON.stringify({ ...importanceModel, ...model }, null, 2)}\n`,
      )
      output.note(`${count(all.length, 'judged finding')} and the weights are in ${values.out}`)
    }
    return exitCodes.clean
  },
}

function readRows(path: string): JudgedFinding[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JudgedFinding.parse(JSON.parse(line)))
}
