/** `sightline collect`: the first of three steps that can run with different rights: freezes a change into a folder. */
import { exitCodes, UserError } from '../../base/errors.ts'
import { defineCommand } from '../command.ts'
import { readAddress, readSarif, readSelector, readTicket, selectorOptions } from '../input/change.ts'
import { repositoryOption, ticketOption } from '../input/common-options.ts'
import { list, text } from '../input/options.ts'
import { openSource } from '../run-review.ts'
import { pathIn, withServices } from '../shell.ts'

export const collect = defineCommand({
  name: 'collect',
  summary: 'Save a change to a folder for another process to analyze (step 1 of 3). No model is used.',
  operand: 'RANGE | COMMIT | PATCH-FILE | URL | -',
  options: {
    ...selectorOptions,
    repo: repositoryOption,
    ticket: ticketOption,
    sarif: list('FILE', 'Results of linters to review with the change: SARIF, rdjson or Checkstyle.'),
    out: text('FOLDER', 'New or empty folder for request.json and objects.pack. Required.'),
  },
  examples: [
    'sightline collect --base origin/main --out change  # needs the host token, if any',
    'sightline analyze change --output review.json  # needs model keys, no host token',
    'sightline publish review.json --request change  # needs no key',
  ],
  async run({ values, operands, terminal, shell, signal }) {
    const { out } = values
    if (out === undefined) throw new UserError('usage', 'No output folder; add --out FOLDER.')
    const address = readAddress(values, operands)
    const what =
      address === null
        ? { folder: pathIn(shell, values.repo ?? ''), selector: await readSelector(values, operands, shell) }
        : { address }
    const ticket = await readTicket(values.ticket, shell)
    const { collect: collectChange, writeFrozen } = await import('../../index.ts')
    await withServices({ shell, signal }, async (services) => {
      const { source, ticket: own } = await openSource(what, services)
      const change = await collectChange(source, services, {
        ticket: ticket ?? own,
        toolResults: await readSarif(values.sarif, shell),
        runsLinters: true,
      })
      try {
        await writeFrozen(change, out, shell.folder)
      } finally {
        await change.close()
        await source.close?.()
      }
    })
    await terminal.result(`${out}\n`)
    return exitCodes.clean
  },
})
