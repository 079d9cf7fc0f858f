/** `sightline analyze`: the second of three steps: reviews a collected change. Needs no repository and no host's token. */
import { UserError } from '../../base/errors.ts'
import { depths } from '../../domain/names.ts'
import { defineCommand } from '../command.ts'
import { modelOption, progressOptions } from '../input/common-options.ts'
import { choice, dollars, flag, text } from '../input/options.ts'
import { asciiJson } from '../output/safe-text.ts'
import { pathIn } from '../shell.ts'
import { sendTelemetry } from '../telemetry.ts'
import { requireWritable, writeResultFile } from '../terminal.ts'
import { withModels } from '../with-models.ts'

export const analyze = defineCommand({
  name: 'analyze',
  summary: 'Review a collected change and write the review as JSON (step 2 of 3).',
  operand: 'FOLDER',
  options: {
    output: text('FILE', 'Write the review to FILE instead of standard output.'),
    depth: choice(depths, 'Review depth. Default: quick if a model may be used, else offline.'),
    model: modelOption,
    budget: dollars('Spending limit. At the limit, the review ends with the findings so far.'),
    'allow-incomplete': flag('Exit with code 0 even if a model could not be reached.'),
    fresh: flag('Ignore recorded answers and ask the models again.'),
    'no-record': flag('Do not record this run. It cannot be replayed or resumed.'),
    'no-cache': flag('Do not use the cache.'),
    ...progressOptions('Print only the result.'),
  },
  examples: ['sightline analyze change --depth standard --output review.json'],
  async run({ values, operands, terminal, shell, signal }) {
    const [folder] = operands
    if (folder === undefined)
      throw new UserError('usage', 'No input folder; name the one that `sightline collect` wrote.')
    const { output, depth } = values
    if (output !== undefined) await requireWritable(shell, output)
    const flags = { ...values, estimate: false }
    const { review, run, remarks } = await withModels(
      { flags, terminal, shell, signal },
      async ({ services, models }) => {
        const { analyze, collect, frozenSource } = await import('../../index.ts')
        const change = await collect(frozenSource(pathIn(shell, folder)), services)
        return await analyze(change, services, {
          overrides: depth ? { overrides: { depth } } : {},
          models,
          record: values['no-record'] ? null : { fresh: values.fresh },
        }).finally(() => change.close())
      },
    )
    const json = `${asciiJson(review)}\n`
    if (output === undefined) await terminal.result(json)
    else await writeResultFile(shell, output, json)
    if (run !== null) await sendTelemetry(run, { shell, terminal, signal })
    const { reportOutcome } = await import('../output/outcome.ts')
    return await reportOutcome(
      {
        review,
        remarks,
        format: 'json',
        // Findings fail the step that publishes them.
        failOn: 'never',
        requireComplete: false,
        allowIncomplete: values['allow-incomplete'],
      },
      values,
      terminal,
    )
  },
})
