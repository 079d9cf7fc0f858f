/** `sightline experts PATH[:LINES]`: who knows a file, a folder, or some lines. */
import { count } from '../../base/count.ts'
import { exitCodes, UserError } from '../../base/errors.ts'
import { trimTrailing } from '../../base/trim-text.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { ExpertsAnswer } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { repositoryOption } from '../input/common-options.ts'
import { flag, integer, text } from '../input/options.ts'
import { requireOperand } from '../questions/ask-of-target.ts'
import { pathIn } from '../shell.ts'
import { printAnswer } from '../terminal.ts'

export const experts = defineCommand({
  name: 'experts',
  summary: 'List the people who know a file, a folder, or some lines.',
  operand: 'PATH[:LINE | :LINE-LINE]',
  options: {
    limit: integer(1, 50, 'Maximum number of people. Default: 3.'),
    ref: text('REF', 'Commit to read. Default: HEAD.'),
    repo: repositoryOption,
    json: flag('Print JSON.'),
  },
  examples: [
    'sightline experts src/cart.ts',
    'sightline experts src/cart.ts:40-60  # who wrote these lines counts most',
    'sightline experts src/billing --limit 5',
  ],
  async run({ values, operands, terminal, shell, signal }) {
    const asked = placeIn(requireOperand(operands[0], 'A path'))
    const { findExperts } = await import('../../index.ts')
    const answer = await findExperts(
      { folder: pathIn(shell, values.repo ?? ''), environment: shell.environment, signal },
      { ...asked, at: values.ref ?? 'HEAD', limit: values.limit ?? 3 },
    )
    await printAnswer(terminal, values.json, answer, expertsText)
    return exitCodes.clean
  },
})

/** A path from the root, perhaps with lines behind it. */
function placeIn(typed: string): { path: string; lines: { start: number; end: number } | null } {
  const [, name = typed, first, last = first] = /^(.+?):(\d{1,7})(?:-(\d{1,7}))?$/.exec(typed) ?? []
  const path = trimTrailing(name.replace(/^(?:\.\/)+/, ''), '/')
  if (first === undefined) return { path, lines: null }
  const lines = { start: Number(first), end: Number(last) }
  if (lines.start < 1 || lines.end < lines.start)
    throw new UserError(
      'usage',
      `\`${typed}\`: lines are numbered from 1, and the last is not before the first.`,
    )
  return { path, lines }
}

/** Names are foreign. */
function expertsText({ experts: found, last, lines: asked, commitsRead, complete }: ExpertsAnswer): string {
  const rows = found.map(({ name, commits, lines, lastTime, nearbyOnly }) => {
    const day = new Date(lastTime * 1000).toISOString().slice(0, 10)
    const facts = nearbyOnly
      ? ['changed other files in the same folder']
      : [count(commits, 'commit'), ...(lines === null ? [] : [`${count(lines, 'line')} today`])]
    return visibleLine(`${name}  ${facts.join(', ')}, last on ${day}`)
  })
  const partial = complete ? '' : ', of an incomplete history'
  const none = found.length === 0 ? ['No one: only programs changed it.'] : []
  const changes = last.map((change) => {
    const name = change.request === null ? change.commit.slice(0, 10) : `#${change.request}`
    const notes = [
      change.tickets.join(' '),
      change.revertedBy === null ? '' : `reverted by ${change.revertedBy.slice(0, 10)}`,
      change.fixesAfter > 0 ? `${count(change.fixesAfter, 'fix', 'fixes')} within a month` : '',
    ].filter(Boolean)
    const tail = notes.length > 0 ? `  (${notes.join('; ')})` : ''
    const day = new Date(change.time * 1000).toISOString().slice(0, 10)
    return visibleLine(`  ${name}  ${day}  ${change.authorName}: ${change.subject}${tail}`)
  })
  const past =
    changes.length > 0 ? ['', asked ? 'Last changes of these lines:' : 'Last changes:', ...changes, ''] : []
  return `${[...rows, ...none, ...past, `(${count(commitsRead, 'commit')} read${partial})`].join('\n')}\n`
}
