/** What the commits of a change say, bounded: their whole messages, without the lines that tools and customs add. */
import type { CommitObject } from '../../base/git/commit-object.ts'

const longest = { message: 4_000, all: 16_000 }

/** Who signed, reviewed or copied, and ids of other tools: nothing about the code. */
const noise =
  /^(?:signed-off-by|co-authored-by|co-developed-by|reviewed-by|reviewed-on|acked-by|approved-by|tested-by|reported-by|suggested-by|cc|change-id|git-svn-id|auto-submit|commit-queue): ?\S.*$/i

/** Oldest first, as the commits come. What is beyond the limits is left out, with a mark. */
export function messagesOf(commits: readonly Pick<CommitObject, 'subject' | 'body'>[]): string[] {
  const messages: string[] = []
  let room = longest.all
  for (const { subject, body } of commits) {
    const whole = [subject.trim(), withoutNoise(body)].filter((text) => text !== '').join('\n\n')
    const shown = whole.length > longest.message ? `${whole.slice(0, longest.message)}\n(cut)` : whole
    if (shown.length > room) return [...messages, `(${commits.length - messages.length} more)`]
    if (shown !== '') messages.push(shown)
    room -= shown.length
  }
  return messages
}

function withoutNoise(body: string): string {
  return body
    .split('\n')
    .filter((line) => !noise.test(line.trim()))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
