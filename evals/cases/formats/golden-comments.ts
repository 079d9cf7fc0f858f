/**
 * Golden comments in the manner of Code Review Bench: a pull request with sentences about what is wrong and how bad it
 * is, without lines. Its lists name no commits: add `base` and `head` to each record first.
 */
import { z } from 'zod'
import type { CaseFormat } from './contract.ts'
import { readPullAddress } from './pull-address.ts'

const Golden = z.object({
  url: z.string(),
  base: z.string({ error: 'golden comments need `base` and `head`, the commits they are about' }).min(1),
  head: z.string({ error: 'golden comments need `base` and `head`, the commits they are about' }).min(1),
  comments: z.array(z.object({ comment: z.string().min(1), severity: z.string().nullish() })),
})

export const goldenComments: CaseFormat = {
  name: 'golden-comments',
  recognises: ({ url, comments }) =>
    typeof url === 'string' &&
    Array.isArray(comments) &&
    comments.every((one) => typeof one === 'object' && one !== null && 'comment' in one),
  read(record) {
    const { url: address, base, head, comments } = Golden.parse(record)
    const { repo, number, url } = readPullAddress(address)
    return {
      id: `golden/${repo}#${number}`,
      repo,
      url,
      base,
      head,
      kind: comments.length > 0 ? 'fault' : 'clean',
      source: 'golden-comments',
      language: null,
      expected: comments.map(({ comment, severity }) => ({
        place: null,
        also: [],
        severity: severity?.toLowerCase() ?? null,
        category: null,
        description: comment,
        context: null,
      })),
      rejected: [],
      twin: null,
    }
  },
}
