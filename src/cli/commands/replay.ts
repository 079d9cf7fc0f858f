/** `sightline replay`: repeats a run from its record without network, or with another model for one role. */
import { count } from '../../base/count.ts'
import { UserError } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import { formatNames } from '../../domain/formats.ts'
import { defineCommand } from '../command.ts'
import { progressOptions } from '../input/common-options.ts'
import { readModelRoles } from '../input/model-roles.ts'
import { choice, dollars, flag, integer, text } from '../input/options.ts'
import { chooseFormat, renderReview } from '../output/format.ts'
import { chooseProgress } from '../progress/choose.ts'
import { servicesIn } from '../shell.ts'
import { sendTelemetry } from '../telemetry.ts'
import { requireWritable, writeResultFile } from '../terminal.ts'

export const replay = defineCommand({
  name: 'replay',
  summary: 'Repeat a recorded run offline: the same review, byte for byte.',
  operand: 'RUN',
  options: {
    swap: text(
      'ROLE=PROVIDER/MODEL',
      'Use another model for one role. Other roles use the recorded answers.',
    ),
    budget: dollars('Spending limit for --swap.'),
    format: choice(formatNames, 'Output format. Default: the extension of --output, else terminal.'),
    json: flag('Same as --format json.'),
    output: text('FILE', 'Write the result to FILE; its extension selects the format.'),
    explain: flag('Also show dropped findings and the reasons.'),
    link: text('URL', 'Web address of the repository, for links in Markdown output.'),
    'max-inline': integer(0, 100, 'Maximum number of findings shown in full.'),
    minor: flag('Also show minor findings of models in full, not only in a list.'),
    ...progressOptions('Print only the result.'),
  },
  examples: [
    'sightline replay last --json',
    'sightline replay 3fa94c --swap reviewer=openai/gpt-5.5  # what would another model have found?',
  ],
  async run({ values, operands, terminal, shell, signal }) {
    const swap = readSwap(values.swap)
    const format = chooseFormat(values)
    if (values.output !== undefined) await requireWritable(shell, values.output)
    const progress = chooseProgress(values, terminal)
    const { replayRun } = await import('../../index.ts')
    const { exitCodeOf } = await import('../output/outcome.ts')
    const replayed = await replayRun({
      run: operands[0] ?? 'last',
      swap,
      ...(values.budget === undefined ? {} : { budget: values.budget }),
      ...servicesIn(shell),
      onEvent: progress.onEvent,
      signal,
    }).finally(progress.end)
    const { review, config, remarks, served } = replayed
    const maxInline = values['max-inline'] ?? config.review.maxInline
    const result = await renderReview(review, format, values, maxInline, terminal)
    if (values.output === undefined) await terminal.result(result)
    else await writeResultFile(shell, values.output, result)
    if (replayed.run !== null) await sendTelemetry(replayed.run, { shell, terminal, signal })
    const counted = served
      ? [`${count(served.record, 'answer')} from the record, ${served.live} from a model`]
      : []
    for (const remark of values.quiet || values.progress ? [] : [...remarks, ...counted])
      terminal.note(`sightline: ${visibleLine(remark)}\n`)
    return exitCodeOf(review, {
      failOn: config.review.failOn,
      requireComplete: config.review.requireComplete,
      allowIncomplete: false,
    })
  },
})

function readSwap(typed: string | undefined) {
  if (typed === undefined) return null
  const roles = readModelRoles([typed]) ?? {}
  for (const role of ['scout', 'reviewer', 'judge'] as const) {
    const models = roles[role]
    if (models) return { role, models }
  }
  throw new UserError('usage', '--swap needs a role and a model, such as reviewer=openai/gpt-5.5.')
}
