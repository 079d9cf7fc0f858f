/** The ids of a run wherever it is traced: from the name of a run alone, so that logs, spans and reviews lead to each other. */
import { createHash } from 'node:crypto'

export type TraceIds = {
  /** 32 hexadecimal digits. */
  traceId: string
  /** Of the root span of the run: 16 hexadecimal digits. */
  spanId: string
}

export function traceIdsOf(run: string): TraceIds {
  const hash = createHash('sha256').update(`sightline run ${run}`).digest('hex')
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) }
}

/** Of what happened in a run: 16 hexadecimal digits. `id`: as its timeline names it. */
export function spanIdOf(run: string, id: string): string {
  return createHash('sha256').update(`sightline run ${run} span ${id}`).digest('hex').slice(0, 16)
}
