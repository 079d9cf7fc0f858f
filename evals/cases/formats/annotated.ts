/** The lists of AACR-Bench as they are published: a pull request by its address, comments with lines and a category. */
import { z } from 'zod'
import { type KnownFault, NeededContext } from '../eval-case.ts'
import type { CaseFormat } from './contract.ts'
import { readPullAddress } from './pull-address.ts'

const Comment = z.object({
  path: z.string().min(1),
  side: z.string().nullish(),
  from_line: z.number().int().nullish(),
  to_line: z.number().int().nullish(),
  note: z.string(),
  category: z.string().nullish(),
  context: z.string().nullish(),
  /** Some editions carry the annotators' judgement with each comment. */
  valid: z.boolean().nullish(),
})

const Annotated = z.object({
  githubPrUrl: z.string(),
  source_commit: z.string().min(1),
  target_commit: z.string().min(1),
  project_main_language: z.string().nullish(),
  comments: z.array(Comment),
})

/** Their words for what a finding is about, in ours. */
const categories: Readonly<Record<string, string>> = {
  'Code Defect': 'correctness',
  'Security Vulnerability': 'security',
  'Performance Issue': 'performance',
  'Maintainability and Readability': 'maintainability',
}

export const annotated: CaseFormat = {
  name: 'aacr-bench',
  recognises: ({ githubPrUrl, comments }) => typeof githubPrUrl === 'string' && Array.isArray(comments),
  read(record) {
    const line = Annotated.parse(record)
    const { repo, number, url } = readPullAddress(line.githubPrUrl)
    return {
      id: `aacr/${repo}#${number}`,
      repo,
      url,
      base: line.target_commit,
      head: line.source_commit,
      kind: 'fault',
      source: 'aacr-bench',
      language: line.project_main_language ?? null,
      expected: line.comments.filter(({ valid }) => valid !== false).map(faultOf),
      rejected: line.comments.filter(({ valid }) => valid === false).map(faultOf),
      twin: null,
    }
  },
}

function faultOf({ path, side, from_line, to_line, note, category, context }: z.infer<typeof Comment>) {
  const end = to_line ?? from_line ?? 0
  const start = from_line ?? end
  const needed = NeededContext.safeParse(
    (context ?? '').toLowerCase().replace(' level', '').replace('repository', 'repo'),
  )
  return {
    place:
      start > 0
        ? { file: path, start, end: Math.max(start, end), side: side === 'left' ? 'left' : 'right' }
        : null,
    also: [],
    severity: null,
    category: category ? (categories[category] ?? category.toLowerCase()) : null,
    description: note,
    context: needed.success ? needed.data : null,
  } satisfies KnownFault
}
