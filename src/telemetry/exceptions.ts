/**
 * Our own bugs for Sentry: the kind of error, its code and where in this package it happened. A message may quote what was
 * read, so it stays here; so do the source lines and variables that Sentry's own clients send.
 */
import { randomUUID } from 'node:crypto'
import { relative } from 'node:path'
import { UserError } from '../base/errors.ts'
import { packageRoot, packageVersion } from '../base/package-root.ts'
import { traceIdsOf } from '../domain/trace-ids.ts'
import { clean } from './spans.ts'

export type ExceptionContext = {
  /** `command`, `worker`, `web`. */
  part: string
  /** A command, a route, a role: fixed words. */
  where: string
  /** Null when it is not known. */
  run: string | null
}

/** Null for what a user can fix, which is not a bug. */
export function exceptionBody(
  error: unknown,
  { part, where, run }: ExceptionContext,
  environment: string,
  now: Date,
): string | null {
  if (error instanceof UserError) return null
  const id = randomUUID().replaceAll('-', '')
  const event = {
    event_id: id,
    timestamp: now.toISOString(),
    platform: 'node',
    level: 'error',
    release: `sightline@${packageVersion}`,
    environment,
    exception: { values: chainOf(error) },
    tags: { part, where: clean(where), ...(run === null ? {} : { run }) },
    ...(run === null ? {} : { contexts: { trace: traceOf(run) } }),
  }
  const payload = JSON.stringify(event)
  const header = { event_id: id, sent_at: now.toISOString() }
  const item = { type: 'event', content_type: 'application/json', length: Buffer.byteLength(payload) }
  return `${JSON.stringify(header)}\n${JSON.stringify(item)}\n${payload}\n`
}

const deepestCause = 5
const mostFrames = 50

/** The innermost cause first, as Sentry wants it. */
function chainOf(error: unknown): object[] {
  const chain: object[] = []
  for (let at: unknown = error; at !== undefined && chain.length < deepestCause; ) {
    const known = at instanceof Error ? at : null
    const code = known && 'code' in known && typeof known.code === 'string' ? known.code : ''
    chain.unshift({
      type: clean(known?.name ?? typeof at),
      value: clean(code),
      stacktrace: { frames: framesOf(known?.stack ?? '') },
    })
    at = known?.cause
  }
  return chain
}

/** Ours and Node's, by their places; what was reviewed is never run, so its paths are in none. */
function framesOf(stack: string): object[] {
  const frames = [
    ...stack.matchAll(
      /^ {4}at (?:(.{1,200}) \()?(?:file:\/\/)?([^()\n?]{1,500})(?:\?[^()\n:]{0,100})?:(\d+):(\d+)\)?$/gm,
    ),
  ]
  return frames
    .slice(0, mostFrames)
    .map(([, name = '', path = '', line, column]) => {
      const own = path.startsWith(packageRoot) ? relative(packageRoot, path) : null
      return {
        function: clean(name),
        filename: own ?? (path.startsWith('node:') ? path : 'elsewhere'),
        lineno: Number(line),
        colno: Number(column),
        in_app: own !== null && !own.startsWith('node_modules'),
      }
    })
    .reverse()
}

function traceOf(run: string) {
  const { traceId, spanId } = traceIdsOf(run)
  return { trace_id: traceId, span_id: spanId }
}
