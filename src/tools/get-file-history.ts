/** `get_file_history`: who changed a file, what for, and what changes with it. */

import { z } from 'zod'
import { count as counted } from '../base/count.ts'
import { partnersOf } from '../code-index/related/partners.ts'
import { rankExperts } from '../graph/experts.ts'
import { fileArgument } from './arguments.ts'
import { defineTool, type ToolOutput } from './contract.ts'

const commitsRead = 3_000
const commitsShown = 8
const expertsShown = 3
const partnersShown = 6

export const getFileHistory = defineTool({
  name: 'get_file_history',
  cost: 'fair',
  about: 'The latest commits that changed a file, who knows it best, and which files usually change with it.',
  args: z.object({ path: fileArgument }),
  limits: { lines: 30, lineLength: 240, bytes: 4 * 1024 },
  narrow: 'the older ones cannot be asked for',
  version: 3,
  keeps: false,
  async run({ path }, { history }): Promise<ToolOutput> {
    const { commits, complete } = await history.recent(commitsRead)
    const own = commits.filter(({ paths }) => paths.includes(path))
    const partners = partnersOf(own, new Set([path]), partnersShown)
    const experts = rankExperts({ commits, paths: [path], limit: expertsShown }).filter(
      ({ nearbyOnly }) => !nearbyOnly,
    )
    const partial = complete ? '' : ', of an incomplete history'
    return {
      lines: [
        ...own
          .slice(0, commitsShown)
          .map(
            ({ commit, time, authorName, subject }) =>
              `${commit.slice(0, 10)} ${dayOf(time)} ${authorName}: ${subject}`,
          ),
        ...experts.map(({ name, commits: own }) => `expert: ${name}, ${own} of its commits`),
        ...partners.map(
          (one) => `changes with: ${one.path} (in ${Math.round(one.share * 100)} % of its commits)`,
        ),
      ],
      remarks: [
        own.length === 0
          ? `no commit among the last ${commits.length} changed it${partial}`
          : `${own.length} of the last ${counted(commits.length, 'commit')} changed it${partial}`,
      ],
    }
  },
})

function dayOf(time: number): string {
  return new Date(time * 1000).toISOString().slice(0, 10)
}
