/** `get_related_errors`: what breaks in production, in the files of the change. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { describeError } from '../domain/production-error.ts'
import { fileArgument } from './arguments.ts'
import { defineTool, type ToolOutput } from './contract.ts'

export const getRelatedErrors = defineTool({
  name: 'get_related_errors',
  cost: 'cheap',
  about:
    'Open errors in production whose stack runs through changed files: what is thrown, how often, and through which functions. Does the change fix one of them, or make it worse?',
  args: z.object({ path: fileArgument.optional() }),
  limits: { lines: 60, lineLength: 400, bytes: 6 * 1024 },
  narrow: 'name one changed file with path',
  version: 1,
  keeps: false,
  async run({ path }, { errors }): Promise<ToolOutput> {
    const known = errors ?? []
    const related =
      path === undefined ? known : known.filter(({ frames }) => frames.some((one) => one.path === path))
    return {
      lines: related.flatMap(describeError),
      remarks: [
        related.length === 0
          ? 'no open error runs through it'
          : `${count(related.length, 'error')}, the most frequent first; lines are those of the release in production`,
      ],
    }
  },
})
