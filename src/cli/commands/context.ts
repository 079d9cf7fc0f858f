/** `sightline context`: the bundle a review would rest on, for people, for machines, or its name alone. */
import { exitCodes, UserError } from '../../base/errors.ts'
import { defineCommand } from '../command.ts'
import { readSelector, readTicket, selectorOptions } from '../input/change.ts'
import { flag, text } from '../input/options.ts'
import { asciiJson } from '../output/safe-text.ts'
import { describeContext, describeLists } from '../questions/describe-context.ts'

export const context = defineCommand({
  name: 'context',
  summary: 'Show the evidence a review would rest on; no model is asked.',
  operand: 'BRANCH | RANGE | COMMIT | PATCH-FILE | - | PATH...',
  options: {
    ...selectorOptions,
    repo: text('PATH', 'The repository; the one around the current folder when not given.'),
    ticket: text(
      'FILE | - | OWNER/REPO',
      'What was asked for: a text, or the GitHub issues that the commit points to.',
    ),
    json: flag('Print the whole bundle as JSON.'),
    hash: flag('Print only its name: the SHA-256 of its content.'),
    debug: flag('Also show what each retrieval list found, with ranks and scores.'),
  },
  examples: ['sightline context HEAD', 'sightline context --base main --hash  # the same everywhere'],
  async run({ values, operands, terminal, signal }) {
    if (values.hash && (values.json || values.debug))
      throw new UserError('usage', '--hash prints nothing else; leave the other one out.')
    const selector = await readSelector(values, operands)
    const ticket = await readTicket(values.ticket)
    const { freezeChange } = await import('../../index.ts')
    const shown = await freezeChange({ folder: values.repo ?? process.cwd(), selector, signal, ticket })
    const { context: bundle, graph } = shown
    if (values.hash) await terminal.result(`${bundle.hash}\n`)
    else if (values.json)
      await terminal.result(`${asciiJson(values.debug ? { ...bundle, debug: graph } : bundle, 2)}\n`)
    else await terminal.result(describeContext(bundle) + (values.debug ? describeLists(graph) : ''))
    return exitCodes.clean
  },
})
