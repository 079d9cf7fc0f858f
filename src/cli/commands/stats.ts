/** `sightline stats`: what became of findings, by plane, rule, repository and model. */
import { count } from '../../base/count.ts'
import { exitCodes } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { OutcomeRow } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { flag, text } from '../input/options.ts'
import { asciiJson } from '../output/safe-text.ts'

export const stats = defineCommand({
  name: 'stats',
  summary: 'Show how many findings were right, by plane, rule, repository and model.',
  operand: null,
  options: {
    in: text('NAME', 'Only this repository, such as github.com/owner/repo. Default: all.'),
    json: flag('Print JSON.'),
  },
  examples: ['sightline stats', 'sightline stats --json'],
  async run({ values, terminal, shell, signal }) {
    const { outcomesOf } = await import('../../index.ts')
    const { environment } = shell
    const { rows, damage } = await outcomesOf({ repository: values.in, environment, signal })
    await terminal.result(values.json ? `${asciiJson(rows, 2)}\n` : table(rows))
    for (const one of damage) terminal.note(`sightline: ${visibleLine(one)}\n`)
    return exitCodes.clean
  },
})

function table(rows: readonly OutcomeRow[]): string {
  if (rows.length === 0) return 'No findings on record.\n'
  return `${rows.map(row).join('\n')}\n`
}

function row({ by, name, tally, precision, minorIn }: OutcomeRow): string {
  const { right, wrong, unimportant, undecided } = tally
  const percent = (share: number) => `${Math.round(share * 100)} %`
  const share = precision
    ? `${percent(precision.share)} right (95 % interval ${percent(precision.low)} to ${percent(precision.high)})`
    : 'nothing decided yet'
  const counts = [
    count(right, 'was right', 'were right'),
    count(wrong, 'was wrong', 'were wrong'),
    `${unimportant} unimportant`,
    `${undecided} undecided`,
  ]
  const label = by === 'all' ? name : `  ${by} ${name}`
  const minor = minorIn.length === 0 ? '' : `; shown as minor in ${minorIn.join(', ')}`
  return visibleLine(`${label}: ${share}; ${counts.join(', ')}${minor}`)
}
