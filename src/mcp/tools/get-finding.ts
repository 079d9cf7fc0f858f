/** `get_finding`: what became of a finding, from the ledger. */
import { z } from 'zod'
import { oneFinding, openLedgerOf } from '../../assembly/ledgers.ts'
import { count } from '../../base/count.ts'
import { Untrusted } from '../../base/untrusted/untrusted.ts'
import { isOpen, type LedgerFinding } from '../../ledger/fold.ts'
import { type AgentText, defineAgentTool } from '../contract.ts'

const mostListed = 50

export const getFinding = defineAgentTool({
  name: 'get_finding',
  title: 'Get a finding',
  about:
    'A finding of an earlier review by its id or the beginning of it: its place, its state, and why it was dismissed. Without an id: the open findings of this repository.',
  args: z.strictObject({ id: z.string().min(4).max(100).optional() }),
  asksOthers: false,
  async run({ id }, { folder, services: { environment } }, { signal }) {
    const { ledger, damage } = await openLedgerOf({ folder, environment, signal })
    const known =
      id === undefined ? openFindingsText([...ledger.findings.values()]) : findingText(oneFinding(ledger, id))
    return damage === null ? known : [...known, new Untrusted('damage of the ledger', damage)]
  },
})

/** One line each. */
export function openFindingsText(findings: readonly LedgerFinding[]): AgentText {
  const open = findings.filter(isOpen)
  if (open.length === 0) return ['No open findings.']
  const rows = open
    .slice(0, mostListed)
    .map(
      ({ id, facts, record }) => `${id}  ${facts.severity}  ${record.path}:${record.line}  ${record.title}`,
    )
  const more =
    open.length > mostListed
      ? [`${count(open.length - mostListed, 'more open finding is', 'more open findings are')} not listed.`]
      : []
  return [`${count(open.length, 'open finding')}:`, new Untrusted('open findings', rows.join('\n')), ...more]
}

function findingText({ id, state, facts, record, dismissal, firstSeen, change }: LedgerFinding): AgentText {
  const day = firstSeen.slice(0, 10)
  const lines = [
    record.title,
    `${record.path}:${record.line}`,
    `check ${facts.rule} of ${facts.plane}, in ${change}`,
    ...(dismissal ? [`dismissed by ${dismissal.by.name}: ${dismissal.because}`] : []),
  ]
  return [
    `Finding ${id}: ${state}, severity ${facts.severity}, first reported on ${day}.`,
    new Untrusted('finding', lines.join('\n')),
  ]
}
