/** Our own lines, documented in docs/contributing/evals.md; lists of mined and annotated changes in the same words are read as well. */
import { z } from 'zod'
import { type EvalCase, type KnownFault, type LineRange, NeededContext } from '../eval-case.ts'
import type { CaseFormat } from './contract.ts'

const PlaceLine = z.object({
  file: z.string().min(1),
  start_line: z.number().int().positive(),
  end_line: z.number().int().positive().nullish(),
  side: z.enum(['left', 'right']).nullish(),
})

const FaultLine = PlaceLine.partial({ file: true, start_line: true }).extend({
  also: z.array(PlaceLine).nullish(),
  severity: z.string().nullish(),
  category: z.string().nullish(),
  description: z.string().nullish(),
  context: NeededContext.nullish().catch(null),
})
type FaultLine = z.infer<typeof FaultLine>

const CaseLine = z.object({
  id: z.string().min(1),
  repo: z.string().min(1),
  url: z.string().nullish(),
  base: z.string().min(1),
  head: z.string().min(1),
  kind: z.string().nullish(),
  source: z.string().nullish(),
  language: z.string().nullish(),
  expected: z.array(FaultLine),
  rejected: z.array(FaultLine).nullish(),
  twin: z.string().nullish(),
})

export const own: CaseFormat = {
  name: 'sightline',
  recognises: ({ id, base, head, expected }) =>
    typeof id === 'string' &&
    typeof base === 'string' &&
    typeof head === 'string' &&
    Array.isArray(expected) &&
    expected.every((fault) => typeof fault === 'object' && fault !== null),
  read(record) {
    const line = CaseLine.parse(record)
    return {
      id: line.id,
      repo: line.repo,
      url: line.url ?? null,
      base: line.base,
      head: line.head,
      kind: line.kind === 'clean' ? 'clean' : 'fault',
      source: line.source ?? 'unnamed',
      language: line.language ?? null,
      expected: line.expected.map(readFault),
      rejected: (line.rejected ?? []).map(readFault),
      twin: line.twin ?? null,
    }
  },
}

/** The line of a set for a case; read again, it gives the same case. */
export function writeCase(one: EvalCase): string {
  const { kind, expected, rejected, ...rest } = one
  return JSON.stringify({
    ...rest,
    kind,
    expected: expected.map(writeFault),
    rejected: rejected.map(writeFault),
  })
}

function readFault(line: FaultLine): KnownFault {
  const { file, start_line } = line
  return {
    place: file === undefined || start_line === undefined ? null : readPlace({ ...line, file, start_line }),
    also: (line.also ?? []).map(readPlace),
    severity: line.severity ?? null,
    category: line.category ?? null,
    description: line.description ?? '',
    context: line.context ?? null,
  }
}

function readPlace({ file, start_line, end_line, side }: z.infer<typeof PlaceLine>): LineRange {
  return { file, start: start_line, end: Math.max(start_line, end_line ?? start_line), side: side ?? 'right' }
}

function writeFault({ place, also, ...words }: KnownFault): object {
  return {
    ...(place ? writePlace(place) : {}),
    ...(also.length > 0 ? { also: also.map(writePlace) } : {}),
    ...words,
  }
}

function writePlace({ file, start, end, side }: LineRange): z.infer<typeof PlaceLine> {
  return { file, start_line: start, end_line: end, side }
}
