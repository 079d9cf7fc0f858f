/** `score RUN`: scores what was recorded; asks no model. */
import { writeFileSync } from 'node:fs'
import { exitCodes, exportEvaluation, UserError } from '../../src/index.ts'
import { asciiJson } from '../base/text.ts'
import { reportAsHtml } from '../report/html.ts'
import { reportAsMarkdown } from '../report/markdown.ts'
import { metrics } from '../scores/metrics.ts'
import { readSheet, writeSheet } from '../scores/sheet-file.ts'
import type { EvaluationCommand } from './contract.ts'

export const scoreCommand: EvaluationCommand = {
  summary: 'Score a recorded evaluation again.',
  operands: ['RUN'],
  async run({ values, operands: [place = ''], output }) {
    const sheet = readSheet(place, values.tolerance)
    if (values.html !== undefined) writeOutput(values.html, reportAsHtml(sheet))
    if (values.out !== undefined) writeOutput(values.out, writeSheet(sheet))
    output.result(values.json ? `${asciiJson(sheet)}\n` : reportAsMarkdown(sheet))
    if (values.telemetry) {
      const scores = metrics.flatMap(({ name, of }) => {
        const value = of(sheet.scores)
        return value === null ? [] : [[name, value] as const]
      })
      const evaluation = { set: sheet.set, about: sheet.about, scores: Object.fromEntries(scores) }
      for (const line of await exportEvaluation(evaluation, process.env)) output.note(line)
    }
    return exitCodes.clean
  },
}

/** Throws `output-unwritable`. */
export function writeOutput(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UserError('output-unwritable', error instanceof Error ? error.message : file, { cause: error })
  }
}
