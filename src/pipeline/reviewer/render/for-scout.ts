/** The change as a model sees it that only gathers: its files and diffs, no findings and no author's words. */
import type { Fence } from '../../../base/untrusted/untrusted.ts'
import type { ReviewContext } from '../../../domain/review-context.ts'
import { renderFileBlock } from './file-block.ts'
import { renderOverview } from './overview.ts'

const mostBytes = 24_000
const mostForOne = 8_000

/** Files that do not fit are in the list of files only. */
export function renderForScout(context: ReviewContext, fence: Fence): string {
  const overview = renderOverview(context, [], fence)
  const blocks: string[] = []
  let room = mostBytes - Buffer.byteLength(overview)
  for (const file of context.change.files) {
    if (file.hunks.length === 0 || (file.role !== 'source' && file.role !== 'test' && file.role !== 'config'))
      continue
    const maxBytes = Math.min(room, mostForOne)
    if (maxBytes < 500) break
    const block = renderFileBlock(file, { context, candidates: [], chain: [], fence, maxBytes })
    blocks.push(block.text)
    room -= block.bytes
  }
  return [overview, ...blocks].join('\n\n')
}
