/** `eval compare A B` and `eval gate BASELINE RUN`: two evaluations pair by pair. */
import { count } from '../../base/count.ts'
import { exitCodes } from '../../base/errors.ts'
import { asciiJson } from '../output/ascii-json.ts'
import type { EvalCall, EvalVerb } from './contract.ts'

export const compareEvaluations: EvalVerb = {
  operands: ['A', 'B'],
  async run(call) {
    await tell(call, (await held(call)).comparison)
    return exitCodes.clean
  },
}

/** Exit code 1 when a score fell beyond chance, or when cases of the baseline are missing. */
export const gateEvaluation: EvalVerb = {
  operands: ['BASELINE', 'RUN'],
  async run(call) {
    const { passed, fallen, missing, comparison } = await held(call)
    await tell(call, comparison)
    for (const { metric } of fallen) call.terminal.note(`Fell beyond chance: ${metric.title}\n`)
    if (missing > 0) call.terminal.note(`Not evaluated: ${count(missing, 'case')} of the baseline\n`)
    return passed ? exitCodes.clean : exitCodes.findings
  },
}

async function held({ values, operands: [a = '', b = ''] }: EvalCall) {
  const { gate, readSheet } = await import('../../evaluation/index.ts')
  return gate(readSheet(a, values.tolerance), readSheet(b, values.tolerance))
}

async function tell(
  { values, terminal }: EvalCall,
  comparison: Awaited<ReturnType<typeof held>>['comparison'],
): Promise<void> {
  const { comparisonTable, tableAsMarkdown } = await import('../../evaluation/index.ts')
  const plain = comparison.differences.map(({ metric, ...rest }) => ({ score: metric.name, ...rest }))
  await terminal.result(
    values.json
      ? `${asciiJson({ ...comparison, differences: plain }, 2)}\n`
      : `${tableAsMarkdown(comparisonTable(comparison))}\n`,
  )
}
