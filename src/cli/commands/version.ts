/** `sightline version`: the version of this program, and nothing else. */
import { exitCodes } from '../../base/errors.ts'
import { packageVersion } from '../../base/package-root.ts'
import { defineCommand } from '../command.ts'

export const version = defineCommand({
  name: 'version',
  summary: 'Print the version.',
  operand: null,
  options: {},
  examples: [],
  async run({ terminal }) {
    await terminal.result(`${packageVersion}\n`)
    return exitCodes.clean
  },
})
