/** `sightline compare`: two recorded reviews, finding by finding. */
import { count } from '../../base/count.ts'
import { exitCodes, UserError } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { ComparedFinding, ComparedRuns, FindingBrief } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { flag } from '../input/options.ts'
import { withServices } from '../shell.ts'
import { printAnswer } from '../terminal.ts'

export const compare = defineCommand({
  name: 'compare',
  summary: 'Compare two recorded reviews: findings kept, lost, new, moved, or with another severity.',
  operand: 'RUN...',
  options: { json: flag('Print JSON.') },
  examples: [
    'sightline compare 3fa94c last  # what another model, or another version, found',
    'sightline compare --json 3fa94c 5b20c1',
  ],
  async run({ values, operands, terminal, shell }) {
    const [before, after] = operands
    if (before === undefined || after === undefined || operands.length > 2)
      throw new UserError('usage', '`compare` needs two runs; `sightline runs` lists them.')
    const { compareRuns } = await import('../../index.ts')
    const compared = await withServices({ shell, cacheFolder: null }, (services) =>
      compareRuns(before, after, services),
    )
    await printAnswer(terminal, values.json, compared, describe)
    return exitCodes.clean
  },
})

function describe({ before, after, comparison }: ComparedRuns): string {
  const { fidelity, counts, findings } = comparison
  const lines = [
    `${before} and ${after}: fidelity ${fidelity.toFixed(2)}`,
    `${counts.kept} kept, ${counts.lost} lost, ${counts.new} new, ${counts.moved} moved, ${count(counts['severity-changed'], 'changed severity', 'changed severities')}`,
    ...findings.map(row),
  ]
  return `${lines.map((line) => visibleLine(line)).join('\n')}\n`
}

const words: Readonly<Record<ComparedFinding['kind'], string>> = {
  kept: 'kept',
  lost: 'lost',
  new: 'new',
  moved: 'moved',
  'severity-changed': 'severity',
}

function row({ kind, before, after }: ComparedFinding): string {
  const shown = after ?? before
  if (!shown) return ''
  const severity =
    before && after && before.severity !== after.severity
      ? `${before.severity} to ${after.severity}`
      : shown.severity
  const from = kind === 'moved' && before ? ` (was ${placeOf(before)})` : ''
  return `  ${words[kind].padEnd(8)}  ${severity.padEnd(8)}  ${placeOf(shown)}${from}  ${shown.title}`
}

function placeOf({ path, startLine }: FindingBrief): string {
  return `${path}:${startLine}`
}
