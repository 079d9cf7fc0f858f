/** `sightline stats`: what became of findings, by plane, rule, repository and model. */
import { count } from '../../base/count.ts'
import { exitCodes } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { OutcomeRow } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { flag, text } from '../input/options.ts'
import { printAnswer } from '../terminal.ts'

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
    await printAnswer(terminal, values.json, rows, table)
    for (const one of damage) terminal.note(`sightline: ${visibleLine(one)}\n`)
    return exitCodes.clean
  },
})

const headings = ['', 'right', 'wrong', 'unimportant', 'undecided', 'share right (95 % interval)']

/** Rows without a decision say nothing about how often findings are right, so they are left out. */
function table(rows: readonly OutcomeRow[]): string {
  const [all] = rows
  if (!all) return 'No findings on record.\n'
  const decided = rows.filter(({ precision }) => precision !== null)
  if (decided.length === 0)
    return `${count(all.tally.undecided, 'finding')} on record, and nothing decided yet. Findings count once they are fixed, dismissed or accepted.\n`
  const cells = [headings, ...decided.map(cellsOf)]
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        isCount(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return `${cells.map(line).join('\n')}\n`
}

const isCount = (column: number): boolean => column > 0 && column < headings.length - 1

function cellsOf({ by, name, tally, precision, minorIn }: OutcomeRow): string[] {
  const percent = (share: number) => `${Math.round(share * 100)} %`
  const share = precision
    ? `${percent(precision.share)} (${percent(precision.low)} to ${percent(precision.high)})`
    : ''
  const minor = minorIn.length === 0 ? '' : `; shown as minor in ${minorIn.join(', ')}`
  return [
    visibleLine(by === 'all' ? name : `${by} ${name}`),
    ...[tally.right, tally.wrong, tally.unimportant, tally.undecided].map(String),
    visibleLine(`${share}${minor}`),
  ]
}
