/** A list of open pull requests as GitHub gives it, and Forgejo and Gitea after it. */
import { z } from 'zod'
import type { ListedChange } from './contract.ts'

const Pulls = z.array(
  z.object({
    number: z.int().positive(),
    updated_at: z.string(),
    title: z.string().default(''),
    draft: z.boolean().default(false),
    user: z.object({ login: z.string() }).nullish(),
    head: z.object({ sha: z.string() }),
  }),
)

export function readListedPulls(found: readonly unknown[]): ListedChange[] {
  return Pulls.parse(found).map(({ number, head, updated_at: at, title, user, draft }) => ({
    ...{ number, head: head.sha, updatedAt: Date.parse(at) },
    ...{ title, author: user?.login ?? null, isDraft: draft },
  }))
}
