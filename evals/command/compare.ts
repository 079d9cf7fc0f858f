/** `compare A B` and `gate BASELINE RUN`: two evaluations, pair by pair. */
import { exitCodes } from '../../src/index.ts'
import { asciiJson, count } from '../base/text.ts'
import type { Comparison } from '../compare/compare-sheets.ts'
import { gate } from '../compare/gate.ts'
import { tableAsMarkdown } from '../report/markdown.ts'
import { comparisonTable } from '../report/tables.ts'
import { readSheet } from '../scores/sheet-file.ts'
import type { EvaluationCall, EvaluationCommand } from './contract.ts'

export const compareCommand: EvaluationCommand = {
  summary: 'Compare two evaluations of the same cases.',
  operands: ['A', 'B'],
  async run(call) {
    printComparison(call, compareRuns(call).comparison)
    return exitCodes.clean
  },
}

/** Exit code 1 when a score fell beyond chance, or when cases of the baseline are missing. */
export const gateCommand: EvaluationCommand = {
  summary: 'Exit with 1 if a score is worse than in the baseline.',
  operands: ['BASELINE', 'RUN'],
  async run(call) {
    const { passed, fallen, missing, comparison } = compareRuns(call)
    printComparison(call, comparison)
    for (const { metric } of fallen) call.output.note(`Fell beyond chance: ${metric.title}`)
    if (missing > 0) call.output.note(`Not evaluated: ${count(missing, 'case')} of the baseline`)
    return passed ? exitCodes.clean : exitCodes.findings
  },
}

function compareRuns({ values, operands: [a = '', b = ''] }: EvaluationCall) {
  return gate(readSheet(a, values.tolerance), readSheet(b, values.tolerance))
}

function printComparison({ values, output }: EvaluationCall, comparison: Comparison): void {
  const plain = comparison.differences.map(({ metric, ...rest }) => ({ score: metric.name, ...rest }))
  output.result(
    values.json
      ? `${asciiJson({ ...comparison, differences: plain })}\n`
      : `${tableAsMarkdown(comparisonTable(comparison))}\n`,
  )
}
