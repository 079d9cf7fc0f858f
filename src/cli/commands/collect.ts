/** `sightline collect`: the first of three steps that can run with different rights: freezes a change into a folder. */
import { exitCodes, UserError } from '../../base/errors.ts'
import { defineCommand } from '../command.ts'
import { readSelector, readTicket, selectorOptions } from '../input/change.ts'
import { text } from '../input/options.ts'

export const collect = defineCommand({
  name: 'collect',
  summary: 'Freeze a change into a folder, to be analyzed by another process. Asks no model.',
  operand: 'RANGE | COMMIT | PATCH-FILE | -',
  options: {
    ...selectorOptions,
    repo: text('PATH', 'The repository. Default: the one around the current folder.'),
    ticket: text(
      'FILE | - | OWNER/REPO',
      'The task: a text file, or the repository whose issues the commits name.',
    ),
    out: text('FOLDER', 'Where request.json and objects.pack are written. Required; must be new or empty.'),
  },
  examples: [
    'sightline collect --base origin/main --out change  # with the token of the host, if any',
    'sightline analyze change --output review.json  # with the keys of models, and no token',
    'sightline publish review.json --request change  # checks every finding against the diff again',
  ],
  async run({ values, operands, terminal, signal }) {
    const { out } = values
    if (out === undefined) throw new UserError('usage', 'Name a folder with --out FOLDER.')
    const selector = await readSelector(values, operands)
    const ticket = await readTicket(values.ticket)
    const { collect: collectChange, localSource, openServices, writeFrozen } = await import('../../index.ts')
    const services = await openServices({ signal })
    try {
      const { borrowFrom } = services.settings.repositories
      const source = localSource({ folder: values.repo ?? process.cwd(), selector, borrowFrom })
      const change = await collectChange(source, services, { ticket })
      try {
        await writeFrozen(change, out)
      } finally {
        await change.close()
      }
      await terminal.result(`${out}\n`)
      return exitCodes.clean
    } finally {
      await services.close()
    }
  },
})
