/** The part of the prompt that is the same for every group of a run: the fence's rule, and what changed as a whole. */
import { count } from '../../../base/count.ts'
import { type Fence, Untrusted } from '../../../base/untrusted/untrusted.ts'
import { countBeyond } from '../../../domain/change-set.ts'
import type { Evidence } from '../../../domain/evidence.ts'
import type { ReviewContext } from '../../../domain/review-context.ts'
import { renderEvidence } from './evidence.ts'
import { renderSurroundings } from './surroundings.ts'

const mostFiles = 300

/**
 * Without a word of what the author says about the change: first the code is judged, and claims about it would bend
 * the judgement. `shared`: evidence of the bundle that belongs to no file and no finding.
 */
export function renderOverview(context: ReviewContext, shared: readonly Evidence[], fence: Fence): string {
  const { files } = context.change
  const all = files.length + countBeyond(context.change)
  const lines = files
    .slice(0, mostFiles)
    .map(
      ({ path, oldPath, status, role, added, removed }) =>
        `${status} ${path}${oldPath === null ? '' : ` (from ${oldPath})`}, ${role}, +${added} -${removed}`,
    )
  const rest = all - lines.length
  if (rest > 0) lines.push(`(and ${count(rest, 'more file')})`)
  return [
    fence.rule,
    `The change touches ${count(all, 'file')}:`,
    fence.render(new Untrusted('list of changed files', lines.join('\n'))),
    ...renderSurroundings(context.around, fence),
    ...(shared.length > 0 ? ['From the rest of the repository:'] : []),
    ...shared.map((item) => renderEvidence(item, fence)),
  ].join('\n\n')
}
