/** `eval score RUN`: scores what was recorded; asks nobody. */
import { exitCodes } from '../../base/errors.ts'
import { asciiJson } from '../output/ascii-json.ts'
import { writeResultFile } from '../terminal.ts'
import type { EvalVerb } from './contract.ts'

export const scoreEvaluation: EvalVerb = {
  operands: ['RUN'],
  async run({ values, operands: [place = ''], terminal }) {
    const { readSheet, reportAsHtml, reportAsMarkdown, writeSheet } = await import(
      '../../evaluation/index.ts'
    )
    const sheet = readSheet(place, values.tolerance)
    if (values.html !== undefined) await writeResultFile(values.html, reportAsHtml(sheet))
    if (values.out !== undefined) await writeResultFile(values.out, writeSheet(sheet))
    await terminal.result(values.json ? `${asciiJson(sheet, 2)}\n` : reportAsMarkdown(sheet))
    return exitCodes.clean
  },
}
