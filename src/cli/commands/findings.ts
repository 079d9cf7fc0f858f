/** `sightline findings`: the findings of a repository through time, with their ids, states and reasons. */

import { count } from '../../base/count.ts'
import { exitCodes } from '../../base/errors.ts'
import { visibleLine, visibleText } from '../../base/visible-text.ts'
import { severities } from '../../domain/names.ts'
import type { LedgerFinding } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { repositoryOption } from '../input/common-options.ts'
import { flag, text } from '../input/options.ts'
import { asciiJson } from '../output/safe-text.ts'
import { pathIn } from '../shell.ts'

export const findings = defineCommand({
  name: 'findings',
  summary: 'List reported findings with their ids and what became of them.',
  operand: 'ID',
  options: {
    all: flag('Also list fixed, outdated and dismissed findings.'),
    dismissed: flag('List dismissed findings with the reasons.'),
    export: flag('Print every event of the ledger as JSON.'),
    repo: repositoryOption,
    in: text('NAME', 'Findings of pull requests, such as github.com/owner/repo.'),
    json: flag('Print JSON.'),
  },
  examples: [
    'sightline findings  # what is open',
    'sightline findings 3fa94c01  # everything about one finding',
    'sightline findings --dismissed',
    'sightline findings --in github.com/owner/repo --all',
  ],
  async run({ values, operands, terminal, shell, signal }) {
    const { exportLedger, oneFinding, openLedgerOf } = await import('../../index.ts')
    const { environment } = shell
    const options = { folder: pathIn(shell, values.repo ?? ''), repository: values.in, environment, signal }
    if (values.export) {
      await terminal.result(`${asciiJson(await exportLedger(options), 2)}\n`)
      return exitCodes.clean
    }
    const { ledger, damage } = await openLedgerOf(options)
    const [typed] = operands
    const all = typed === undefined ? [...ledger.findings.values()] : [oneFinding(ledger, typed)]
    const chosen = all.filter(({ state, dismissal }) => {
      if (typed !== undefined || values.all) return true
      return values.dismissed ? dismissal !== null : state === 'open' || state === 'reopened'
    })
    const found = chosen.sort((a, b) => bySeverity(a, b) || byPlace(a, b))
    if (values.json) await terminal.result(`${asciiJson(found.map(plain), 2)}\n`)
    else if (typed !== undefined) await terminal.result(found.map(details).join('\n'))
    else await terminal.result(listing(found, all.length - found.length))
    if (damage !== null) terminal.note(`sightline: ${visibleLine(damage)}\n`)
    return exitCodes.clean
  },
})

/** As many digits as tell findings apart in practice. */
export function shortId(id: string): string {
  const [print = '', number] = id.split('-')
  return number === undefined ? print.slice(0, 8) : `${print}-${number}`
}

function bySeverity({ facts: a }: LedgerFinding, { facts: b }: LedgerFinding): number {
  return severities.indexOf(a.severity) - severities.indexOf(b.severity)
}

function byPlace({ record: a }: LedgerFinding, { record: b }: LedgerFinding): number {
  return a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1
}

function listing(found: readonly LedgerFinding[], others: number): string {
  const rest =
    others > 0
      ? `${count(others, 'other finding is', 'other findings are')} not listed; --all lists them.\n`
      : ''
  if (found.length === 0) return `No open findings.\n${rest}`
  return `${found.map(row).join('\n')}\n${rest}`
}

/** Paths, titles and reasons are foreign. */
function row({ id, state, facts, record, dismissal }: LedgerFinding): string {
  const why = dismissal ? `  (${dismissal.by.name}: ${dismissal.because})` : ''
  const cells = [
    shortId(id),
    state.padEnd(9),
    facts.severity.padEnd(8),
    `${record.path}:${record.line}`,
    record.title,
  ]
  return visibleLine(`${cells.join('  ')}${why}`)
}

function details({ id, state, facts, record, dismissal, last, change, firstSeen }: LedgerFinding): string {
  const reason = dismissal?.because ?? ('why' in last ? last.why : null)
  const lines = [
    `${record.title}`,
    `  ${record.path}:${record.line}, ${facts.severity}, rule ${facts.rule}, plane ${facts.plane}`,
    `  id ${id}, in ${change}, first reported ${firstSeen.slice(0, 16).replace('T', ' ')} UTC`,
    `  ${state}${dismissal ? ` by ${dismissal.by.name}` : ''}${reason === null ? '' : `: ${reason}`}`,
  ]
  return `${lines.map((line) => visibleText(line)).join('\n')}\n`
}

function plain({ names, dismissal, ...finding }: LedgerFinding) {
  return { ...finding, names: [...names], dismissal }
}
