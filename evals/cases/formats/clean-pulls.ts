/**
 * Pull requests in the manner of SWR-Bench, half of which reviewers let pass as they were: those measure noise. What
 * reviewers asked for in the other half has no lines, so that only a judge can match it.
 */
import { z } from 'zod'
import type { CaseFormat } from './contract.ts'

const Pull = z.object({
  instance_id: z.string().min(1),
  repo: z.string().min(1),
  base_commit: z.string().min(1),
  head_commit: z.string().min(1),
  language: z.string().nullish(),
  /** What reviewers wanted changed; none in a clean one. */
  change_points: z.array(z.object({ description: z.string(), category: z.string().nullish() })).nullish(),
})

export const cleanPulls: CaseFormat = {
  name: 'swr-bench',
  recognises: ({ instance_id, base_commit }) =>
    typeof instance_id === 'string' && typeof base_commit === 'string',
  read(record) {
    const { instance_id, repo, base_commit, head_commit, language, change_points } = Pull.parse(record)
    const points = change_points ?? []
    return {
      id: `swr/${instance_id}`,
      repo,
      url: null,
      base: base_commit,
      head: head_commit,
      kind: points.length > 0 ? 'fault' : 'clean',
      source: 'swr-bench',
      language: language ?? 'Python',
      expected: points.map(({ description, category }) => ({
        place: null,
        also: [],
        severity: null,
        category: category ?? null,
        description,
        context: null,
      })),
      rejected: [],
      twin: null,
    }
  },
}
