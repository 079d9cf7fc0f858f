/** `get_issue_details`: a ticket that the change points to. */
import { z } from 'zod'
import { textArgument } from './arguments.ts'
import { defineTool, ToolError, type ToolOutput } from './contract.ts'

export const getIssueDetails = defineTool({
  name: 'get_issue_details',
  cost: 'cheap',
  about:
    'The text and acceptance criteria of a ticket that the change points to; without an id, which tickets there are.',
  args: z.object({ id: textArgument.optional() }),
  limits: { lines: 150, lineLength: 600, bytes: 6 * 1024 },
  version: 1,
  keeps: false,
  async run({ id }, { tickets }): Promise<ToolOutput> {
    if (id === undefined)
      return {
        lines: tickets.map((ticket) => `${ticket.id}: ${ticket.title} (${ticket.linkedBy})`),
        remarks: [
          tickets.length === 0
            ? 'the change points to no ticket that could be read'
            : `${tickets.length} tickets`,
        ],
      }
    const wanted = id.replace(/^.*#/, '#')
    const ticket = tickets.find((one) => one.id === id || one.id.endsWith(wanted))
    if (!ticket)
      throw new ToolError('the change does not point to this ticket; search_open_issues looks for others')
    return {
      lines: [
        `${ticket.id} (${ticket.state}): ${ticket.title}`,
        ...ticket.criteria.map((criterion) => `${criterion.id}: ${criterion.text}`),
        ...ticket.body.split('\n'),
      ],
      remarks: ticket.cut === null ? [] : [ticket.cut],
    }
  },
})
