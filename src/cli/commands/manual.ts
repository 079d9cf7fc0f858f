/** `sightline manual`: the man page. */
import { exitCodes } from '../../base/errors.ts'
import { packageVersion } from '../../base/package-root.ts'
import { type Command, defineCommand } from '../command.ts'
import { manualPage } from '../manual.ts'
import { completions, helpText, manualText } from './completions.ts'
import { commandGroups, loadCommand } from './registry.ts'

export const manual: Command = defineCommand({
  ...manualText,
  examples: [
    'sightline manual | man -l -  # read it',
    'sightline manual > ~/.local/share/man/man1/sightline.1  # for `man sightline`',
  ],
  async run({ terminal }) {
    const groups = await Promise.all(
      commandGroups.map(async ({ title, names }) => ({
        title,
        commands: await Promise.all(names.map((name) => loadCommand(name))),
      })),
    )
    const page = manualPage(
      [...groups, { title: 'Help', commands: [completions, manual, helpText] }],
      packageVersion,
    )
    await terminal.result(page)
    return exitCodes.clean
  },
})
