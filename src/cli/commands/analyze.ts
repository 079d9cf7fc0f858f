/** `sightline analyze`: the second of three steps: reviews a collected change. Needs no repository and no host's token. */
import { exitCodes, UserError } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import { defineCommand } from '../command.ts'
import { confirmCost, confirmSending } from '../confirm-models.ts'
import { depthNames, readModelRoles } from '../input/choices.ts'
import { choice, dollars, flag, list, text } from '../input/options.ts'
import { asciiJson } from '../output/safe-text.ts'
import { chooseProgress } from '../progress/choose.ts'
import { requireWritable, writeResultFile } from '../terminal.ts'

export const analyze = defineCommand({
  name: 'analyze',
  summary: 'Review a collected change and write the review as JSON.',
  operand: 'FOLDER',
  options: {
    output: text('FILE', 'Write the review to a file. Default: standard output.'),
    depth: choice(depthNames, 'How deep to look; only offline works without a model.'),
    model: list('ROLE=PROVIDER/MODEL', 'The model for a role, such as reviewer=anthropic/claude-sonnet-5-5.'),
    budget: dollars('Spend no more than this; what was found by then is kept.'),
    fresh: flag('Ignore recorded answers and ask the models again.'),
    'no-record': flag('Keep no record of this run: it can be neither replayed nor resumed.'),
    'no-cache': flag('Read nothing from the cache and write nothing to it.'),
    progress: flag('Write every event as a line of JSON on standard error.'),
    quiet: flag('Print nothing but the result.', '-q'),
    verbose: flag('Print on standard error what each stage did.'),
    'no-color': flag('No colors, whatever the terminal supports.'),
  },
  examples: ['sightline analyze change --depth standard --output review.json'],
  async run({ values, operands, terminal, signal }) {
    const [folder] = operands
    if (folder === undefined) throw new UserError('usage', 'Name the folder that `sightline collect` wrote.')
    const { output, depth, budget } = values
    if (output !== undefined) await requireWritable(output)
    const progress = chooseProgress(values, terminal)
    const cost = confirmCost({ budget, estimate: false }, progress, signal)
    const consent = confirmSending({ ...values, estimate: false }, progress, terminal, signal)
    const roles = readModelRoles(values.model)
    const asked = { ...cost.options, ...consent, ...(roles ? { roles } : {}) }
    const library = await import('../../index.ts')
    const services = await library.openServices({
      signal,
      onEvent: progress.onEvent,
      ...(values['no-cache'] ? { cacheFolder: null } : {}),
    })
    try {
      // Before any work: a depth that no model can serve is refused here.
      const models = library.prepareModels(asked, services, depth)
      const change = await library.collect(library.frozenSource(folder), services)
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
      else await writeResultFile(output, json)
      if (!values.quiet && !values.progress)
        for (const remark of remarks) terminal.note(`sightline: ${visibleLine(remark)}\n`)
      return exitCodes.clean
    } finally {
      await services.close()
    }
  },
})
