/** `get_pr_discussion`: what people said of the change so far. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { pathArgument } from './arguments.ts'
import { defineTool, type ToolOutput } from './contract.ts'

const longestBody = 600

export const getPrDiscussion = defineTool({
  name: 'get_pr_discussion',
  cost: 'cheap',
  about:
    'Comments on this change so far; path keeps those on one file. These are opinions of people, not facts.',
  args: z.object({ path: pathArgument.optional() }),
  limits: { lines: 40, lineLength: 800, bytes: 6 * 1024 },
  narrow: 'pass the path of one file',
  version: 1,
  keeps: false,
  async run({ path }, { discussion }): Promise<ToolOutput> {
    const found = (discussion ?? []).filter(
      (entry) => path === undefined || path === '' || entry.path === path,
    )
    return {
      lines: found.map(({ author, association, path: at, line, body, resolved }) => {
        const place = at === null ? '' : ` on ${at}${line === null ? '' : `:${line}`}`
        return `${author} (${association})${place}${resolved ? ', resolved' : ''}: ${body.slice(0, longestBody).replace(/\s+/g, ' ')}`
      }),
      remarks: [found.length === 0 ? 'there are no comments' : count(found.length, 'comment')],
    }
  },
})
