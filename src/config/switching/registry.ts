/** The tools whose configuration can be carried over, by the names of their files. */
import { matchGlobs } from '../../base/globs.ts'
import { bugbot } from './bugbot.ts'
import { coderabbit } from './coderabbit.ts'
import type { ReviewTool } from './contract.ts'
import { copilot } from './copilot.ts'
import { cora } from './cora.ts'
import { danger } from './danger.ts'
import { ellipsis } from './ellipsis.ts'
import { greptile } from './greptile.ts'
import { prAgent } from './pr-agent.ts'
import { reviewdog } from './reviewdog.ts'
import { sourcery } from './sourcery.ts'

export const reviewTools: readonly ReviewTool[] = [
  coderabbit,
  greptile,
  prAgent,
  cora,
  bugbot,
  ellipsis,
  copilot,
  sourcery,
  reviewdog,
  danger,
]

/** The tool to which a file belongs by its name; null when it is none of theirs. `path` has slashes. */
export function toolOf(path: string): ReviewTool | null {
  // A workflow that runs a tool is often named after it.
  if (/(?:^|\/)\.github\/workflows\//.test(path)) return null
  return (
    reviewTools.find(({ files }) => matchGlobs(files.flatMap((file) => [file, `**/${file}`]))(path)) ?? null
  )
}
