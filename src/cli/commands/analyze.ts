/** `sightline analyze`: the second of three steps: reviews a collected change. Needs no repository and no host's token. */
import { exitCodes, UserError } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import { defineCommand } from '../command.ts'
import { confirmCost, confirmSending } from '../confirm-models.ts'
import { depthNames, readModelRoles } from '../input/choices.ts'
import { choice, dollars, flag, list, text } from '../input/options.ts'
import { asciiJson } from '../output/safe-text.ts'
import { chooseProgress } from '../progress/choose.ts'
import { pathIn, servicesIn } from '../shell.ts'
import { requireWritable, writeResultFile } from '../terminal.ts'

export const analyze = defineCommand({
  name: 'analyze',
  summary: 'Review a collected change and write the review as JSON (step 2 of 3).',
  operand: 'FOLDER',
  options: {
    output: text('FILE', 'Write the review to FILE instead of standard output.'),
    depth: choice(depthNames, 'Review depth. Default: quick if a model may be used, else offline.'),
    model: list(
      'ROLE=PROVIDER/MODEL',
      'Model to use for a role, such as reviewer=anthropic/claude-sonnet-5-5.',
    ),
    budget: dollars('Spending limit. At the limit, the review ends with the findings so far.'),
    fresh: flag('Ignore recorded answers and ask the models again.'),
    'no-record': flag('Do not record this run. It cannot be replayed or resumed.'),
    'no-cache': flag('Do not use the cache.'),
    progress: flag('Write events to standard error, one JSON object per line.'),
    quiet: flag('Print only the result.', '-q'),
    verbose: flag('Describe each stage on standard error.'),
    'no-color': flag('Print without colors.'),
  },
  examples: ['sightline analyze change --depth standard --output review.json'],
  async run({ values, operands, terminal, shell, signal }) {
    const [folder] = operands
    if (folder === undefined)
      throw new UserError('usage', 'No input folder; name the one that `sightline collect` wrote.')
    const { output, depth, budget } = values
    if (output !== undefined) await requireWritable(shell, output)
    const progress = chooseProgress(values, terminal)
    const cost = confirmCost({ budget, estimate: false }, progress, shell, signal)
    const consent = confirmSending({ ...values, estimate: false }, progress, terminal, shell, signal)
    const roles = readModelRoles(values.model)
    const asked = { ...cost.options, ...consent, ...(roles ? { roles } : {}) }
    const library = await import('../../index.ts')
    const services = await library.openServices({
      ...servicesIn(shell),
      signal,
      onEvent: progress.onEvent,
      ...(values['no-cache'] ? { cacheFolder: null } : {}),
    })
    try {
      // Before any work: a depth that no model can serve is refused here.
      const models = library.prepareModels(asked, services, depth)
      const change = await library.collect(library.frozenSource(pathIn(shell, folder)), services)
      const { review, remarks } = await library
        .analyze(change, services, {
          overrides: depth ? { overrides: { depth } } : {},
          models,
          record: values['no-record'] ? null : { fresh: values.fresh },
        })
        .finally(() => change.close())
        .finally(progress.end)
      const json = `${asciiJson(review)}\n`
      if (output === undefined) await terminal.result(json)
      else await writeResultFile(shell, output, json)
      if (!values.quiet && !values.progress)
        for (const remark of remarks) terminal.note(`sightline: ${visibleLine(remark)}\n`)
      return exitCodes.clean
    } finally {
      await services.close()
    }
  },
})
