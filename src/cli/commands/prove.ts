/** `sightline prove`: a test that fails because of a finding, written by a model and run by us. */
import { exitCodes, UserError } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { Proved } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { modelOption, progressOptions, repositoryOption } from '../input/common-options.ts'
import { dollars, flag, text } from '../input/options.ts'
import { pathIn, withServices } from '../shell.ts'
import { printAnswer } from '../terminal.ts'
import { withModels } from '../with-models.ts'

export const prove = defineCommand({
  name: 'prove',
  summary: 'Show a finding by a test that fails on the head and passes on the base, run in a sandbox.',
  operand: 'RUN | FINDING...',
  options: {
    replay: text('RUN', 'Repeat a recorded run of this command offline. Nothing is executed.'),
    repo: repositoryOption,
    model: modelOption,
    budget: dollars('Spending limit for this finding.'),
    json: flag('Print JSON.'),
    ...progressOptions('Print only the outcome and the test.'),
  },
  examples: [
    'sightline prove C1  # of the last run',
    'sightline prove 3fa94c C2',
    'sightline prove --replay 5b20c1',
  ],
  async run({ values, operands, terminal, shell, signal }) {
    const { proveOfRun, proofWords, replayProof } = await import('../../index.ts')
    const foot = (proved: Proved) => (proved.run === null || values.quiet ? [] : [priceAndRun(proved)])
    const describe = (proved: Proved) =>
      `${[...proofWords(proved, values.quiet), ...foot(proved)].join('\n')}\n`
    const { replay } = values
    if (replay !== undefined) {
      const replayed = await withServices({ shell, signal }, (services) => replayProof(replay, services))
      await printAnswer(terminal, values.json, replayed, describe)
      if (!replayed.isIdentical) terminal.note('sightline: this replay differs from what was recorded\n')
      return exitCodes.clean
    }
    const [first, second] = operands
    if (first === undefined || operands.length > 2)
      throw new UserError(
        'usage',
        'name the finding by its id; name its run first, unless it is the last one.',
      )
    const [run, finding] = second === undefined ? ['last', first] : [first, second]
    const flags = { ...values, depth: 'quick' as const, estimate: false, 'no-cache': false }
    const proved = await withModels({ flags, terminal, shell, signal }, ({ services, models }) =>
      proveOfRun({ run, finding, folder: pathIn(shell, values.repo ?? '') }, services, models),
    )
    await printAnswer(terminal, values.json, proved, describe)
    return exitCodes.clean
  },
})

function priceAndRun({ cost, run }: Proved): string {
  const price = cost.usd === null ? 'unknown cost' : `$${cost.usd.toFixed(2)}`
  return visibleLine(`(${price}; run ${run})`)
}
