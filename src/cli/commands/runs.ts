/** `sightline runs`: which runs are on record; a run as one file; removing them. */
import { count } from '../../base/count.ts'
import { exitCodes, UserError } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import { repositoryName } from '../../domain/repository-name.ts'
import type { RunSummary } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { askYesNo, canAsk, conversationIn } from '../input/ask.ts'
import { flag, integer, text } from '../input/options.ts'
import { describeCost } from '../output/run-timeline.ts'
import { asciiJson } from '../output/safe-text.ts'
import { pathIn, type Shell } from '../shell.ts'
import { fitted } from '../terminal.ts'

const defaultLimit = 20

export const runs = defineCommand({
  name: 'runs',
  summary: 'List recorded runs; export, import or delete them.',
  operand: 'RUN',
  options: {
    limit: integer(1, 10_000, `Maximum number of runs. Default: ${defaultLimit}.`),
    export: text('FILE', 'Write RUN (default: the last one) to a file for import on another machine.'),
    import: text('FILE', 'Import a run from a file that --export wrote.'),
    clean: flag('Delete runs older than the retention period in the settings.'),
    'remove-all': flag('Delete all runs and their data, after confirmation.'),
    yes: flag('With --remove-all: do not ask for confirmation.'),
    json: flag('Print JSON.'),
  },
  examples: [
    'sightline runs  # newest first',
    'sightline runs --export run.zst 3fa94c  # to replay it on another machine',
    'sightline runs --import run.zst',
  ],
  async run({ values, operands, terminal, shell, signal }) {
    const { environment } = shell
    const asked = ['export', 'import', 'clean', 'remove-all'].filter((name) => Reflect.get(values, name))
    if (asked.length > 1) throw new UserError('usage', `--${asked.join(' and --')} cannot be used together.`)
    const { exportRunTo, importRunFrom, listRuns, removeRuns } = await import('../../index.ts')
    if (values.export !== undefined) {
      const { folder } = shell
      const name = await exportRunTo(operands[0] ?? 'last', values.export, { environment, folder })
      await terminal.result(`Wrote run ${name} to ${visibleLine(values.export)}\n`)
    } else if (values.import !== undefined) {
      await terminal.result(
        `Imported run ${visibleLine(await importRunFrom(pathIn(shell, values.import), { environment }))}\n`,
      )
    } else if (values.clean || values['remove-all']) {
      if (values['remove-all'] && !values.yes && !(await confirmRemoval(shell, signal))) {
        terminal.note('sightline: nothing was removed.\n')
        return exitCodes.clean
      }
      const { runs: gone, objects } = await removeRuns(values['remove-all'], { environment })
      await terminal.result(`Removed ${count(gone, 'run')} and ${count(objects, 'object')}\n`)
    } else {
      const limit = values.limit ?? defaultLimit
      const { runs: found, unreadable } = await listRuns({ limit, environment })
      const listing = found.map(row).join('\n') || 'No recorded runs.'
      await terminal.result(`${values.json ? asciiJson(found, 2) : await fitted(listing, terminal)}\n`)
      for (const problem of unreadable) terminal.note(`sightline: ${visibleLine(problem)}\n`)
    }
    return exitCodes.clean
  },
})

/** Throws `usage` where no one can be asked. */
async function confirmRemoval(shell: Shell, signal: AbortSignal): Promise<boolean> {
  const question = 'Delete all recorded runs? This cannot be undone.'
  if (canAsk(shell)) return await askYesNo(question, signal, conversationIn(shell))
  throw new UserError('usage', '--remove-all asks for confirmation, which needs a terminal; add --yes.')
}

function row(summary: RunSummary): string {
  const { header, state, findings, calls, damage } = summary
  const result = findings === null ? state : count(findings, 'finding')
  const line = [
    // It begins with the time.
    header.run,
    header.depth.padEnd(8),
    result.padEnd(12),
    `${header.label} in ${repositoryName(header.repository)}`,
    ...(calls > 0 ? [`${describeCost(summary)}, ${count(calls, 'model call')}`] : []),
    ...(damage === null ? [] : [`! ${damage}`]),
  ]
  // An imported run may have been written by anyone: every cell of it is foreign.
  return visibleLine(line.join('  '))
}
