/** The tools whose configuration can be carried over, by the names of their files. */
import { matchGlobs } from '../../base/globs.ts'
import { coderabbit } from './coderabbit.ts'
import type { ReviewTool } from './contract.ts'
import { greptile } from './greptile.ts'
import { prAgent } from './pr-agent.ts'

/** Instructions of Copilot, Bugbot and coding agents: reviews read these files where they are. */
const readInPlace: ReviewTool = {
  name: 'GitHub Copilot, Bugbot and coding agents',
  id: 'instructions',
  files: [
    '.github/copilot-instructions.md',
    '.github/instructions/**/*.instructions.md',
    'BUGBOT.md',
    'AGENTS.md',
    'CLAUDE.md',
  ],
  read: () => ({
    config: {},
    instructions: [],
    carried: [{ setting: 'the text', where: 'reviews read this file where it is (docs/context.md)' }],
    notCarried: [],
  }),
}

export const reviewTools: readonly ReviewTool[] = [coderabbit, greptile, prAgent, readInPlace]

/** The tool to which a file belongs by its name; null when it is none of theirs. `path` has slashes. */
export function toolOf(path: string): ReviewTool | null {
  return (
    reviewTools.find(({ files }) => matchGlobs(files.flatMap((file) => [file, `**/${file}`]))(path)) ?? null
  )
}
