/** What the author says of the change. Only planes that compare it with the code are shown it. */
import { type Fence, Untrusted } from '../../../base/untrusted/untrusted.ts'
import type { ReviewRequest } from '../../../domain/review-request.ts'

const longest = 8_000

/** Title and body as they came: of the pull request, or of the commits. */
export function renderAuthorsWords({ title, body }: ReviewRequest, fence: Fence): string {
  const words = [title, body].map((text) => text.trim()).filter((text) => text !== '')
  if (words.length === 0) return 'The author did not describe this change.'
  const whole = words.join('\n\n')
  const shown = whole.length > longest ? `${whole.slice(0, longest)}\n(cut)` : whole
  return `What the author says about this change:\n${fence.render(new Untrusted('title and description of the change', shown))}`
}
