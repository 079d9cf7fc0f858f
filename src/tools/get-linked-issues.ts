/** `get_linked_issues`: which tickets the change points to, and how. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { defineTool, type ToolOutput } from './contract.ts'

export const getLinkedIssues = defineTool({
  name: 'get_linked_issues',
  cost: 'cheap',
  about: 'The tickets that the change mentions: id, state, title, and where they are mentioned.',
  args: z.object({}),
  limits: { lines: 20, lineLength: 400, bytes: 3 * 1024 },
  narrow: 'ask get_issue_details for one',
  version: 1,
  keeps: false,
  async run(_, { tickets }): Promise<ToolOutput> {
    const linked = tickets ?? []
    return {
      lines: linked.map(
        ({ id, state, title, linkedBy, criteria }) =>
          `${id} (${state}): ${title}, ${linkedBy}, ${criteria.length} acceptance criteria`,
      ),
      remarks: [
        linked.length === 0 ? 'it mentions no ticket that could be read' : count(linked.length, 'ticket'),
      ],
    }
  },
})
