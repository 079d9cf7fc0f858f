/** The shortest line: `{"repo", "base", "head", "expected": ["src/a.ts:12", "src/b.ts:3-9"]}`; an empty list is clean. */
import { z } from 'zod'
import type { KnownFault } from '../eval-case.ts'
import type { CaseFormat } from './contract.ts'

const Plain = z.object({
  repo: z.string().min(1),
  base: z.string().min(1),
  head: z.string().min(1),
  url: z.string().nullish(),
  language: z.string().nullish(),
  expected: z.array(z.string()),
})

export const plain: CaseFormat = {
  name: 'plain',
  recognises: ({ repo, base, head, expected }) =>
    typeof repo === 'string' &&
    typeof base === 'string' &&
    typeof head === 'string' &&
    Array.isArray(expected),
  read(record) {
    const { repo, base, head, url, language, expected } = Plain.parse(record)
    return {
      id: `${repo}@${head.slice(0, 12)}`,
      repo,
      url: url ?? null,
      base,
      head,
      kind: expected.length > 0 ? 'fault' : 'clean',
      source: 'plain',
      language: language ?? null,
      expected: expected.map(readPlace),
      rejected: [],
      twin: null,
    }
  },
}

function readPlace(written: string): KnownFault {
  const match = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/.exec(written)
  const start = Number(match?.[2] ?? 0)
  if (!match || start === 0) throw new Error(`\`${written.slice(0, 200)}\` is not PATH:LINE or PATH:FROM-TO`)
  const end = Math.max(start, Number(match[3] ?? start))
  return {
    place: { file: match[1] ?? '', start, end, side: 'right' },
    also: [],
    severity: null,
    category: null,
    description: '',
    context: null,
  }
}
