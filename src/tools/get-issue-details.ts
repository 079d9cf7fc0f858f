/** `get_issue_details`: a ticket that the change points to. */
import { z } from 'zod'
import { textArgument } from './arguments.ts'
import { defineTool, ToolError, type ToolOutput } from './contract.ts'

export const getIssueDetails = defineTool({
  name: 'get_issue_details',
  cost: 'cheap',
  about: 'The text and acceptance criteria of a ticket that the change mentions, by its id or number.',
  args: z.object({ id: textArgument }),
  limits: { lines: 150, lineLength: 600, bytes: 6 * 1024 },
  narrow: 'the rest cannot be asked for',
  version: 3,
  keeps: false,
  async run({ id }, { tickets }): Promise<ToolOutput> {
    const wanted = id.replace(/^.*#/, '#')
    const ticket = tickets?.find((one) => one.id === id || one.id.endsWith(wanted))
    if (!ticket)
      throw new ToolError('the change does not mention this ticket; get_linked_issues lists those it does')
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
