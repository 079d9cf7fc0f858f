/** A run on record for people: what happened when, and one exchange in full. All of it may be foreign text. */
import { count, usdWords } from '../../base/count.ts'
import { visibleLine, visibleText } from '../../base/visible-text.ts'
import { traceIdsOf } from '../../domain/trace-ids.ts'
import type { ReviewEvent, RunEntry, RunExchange, RunSummary, RunTrace } from '../../index.ts'
import { describeEvent } from '../progress/lines.ts'

const longestLine = 400

export function describeRun({ summary, entries }: RunTrace): string {
  const { header, state, durationMs, bytes } = summary
  const versions = Object.entries(header.versions).map((pair) => pair.join(' '))
  const head = [
    `Run ${header.run}: ${header.label} in ${header.repository}`,
    `  place    ${header.place}`,
    `  state    ${state}, depth ${header.depth}, ${(durationMs / 1000).toFixed(1)} s`,
    `  cost     ${describeCost(summary)}`,
    `  trace    ${traceIdsOf(header.run).traceId}`,
    `  size     ${bytes} bytes, some of them shared with other runs`,
    `  versions ${versions.join(', ')}`,
    ...(summary.damage === null ? [] : [`  damage   ${summary.damage}`]),
  ]
  const lines = entries.flatMap((entry) => {
    const words = describeEntry(entry)
    return words === null || entry.type === 'start' ? [] : [`${seconds(entry.at)}  ${words}`]
  })
  const visible = [...head, '', ...lines].map((line) => visibleLine(line).slice(0, longestLine))
  return `${visible.join('\n')}\n`
}

export function describeExchange({ entry, request, answer }: RunExchange): string {
  const { kind, address, target, status, served, durationMs } = entry
  const how = served === 'record' ? 'from the record of an earlier run' : `live, ${Math.round(durationMs)} ms`
  return [
    visibleLine(`${kind} ${address}: ${target}, status ${status}, ${how}`),
    '',
    'Sent:',
    request ? readable(sentBy(request)) : 'not kept',
    '',
    'Received:',
    answer ? readable(answer.body) : 'not kept',
    '',
  ].join('\n')
}

/** What went out: the body of an HTTP request, or what a piece of work was given. */
function sentBy(request: NonNullable<RunExchange['request']>): string {
  return 'body' in request ? request.body : JSON.stringify(request.input ?? null)
}

export function describeCost({
  usd,
  unpricedCalls,
  calls,
}: Pick<RunSummary, 'usd' | 'unpricedCalls' | 'calls'>): string {
  if (calls === 0) return 'no model'
  if (usd === null) return 'unknown'
  return unpricedCalls > 0
    ? `${usdWords(usd)} and ${count(unpricedCalls, 'call')} of unknown price`
    : usdWords(usd)
}

/** Null for what is not worth a line. */
function describeEntry(entry: RunEntry): string | null {
  switch (entry.type) {
    case 'start':
      return null
    case 'answer': {
      const from = entry.served === 'record' ? 'from the record' : `live, ${Math.round(entry.durationMs)} ms`
      return `${entry.kind} ${entry.address}: status ${entry.status}, ${entry.bytes} bytes, ${from}`
    }
    case 'note': {
      const { type, address, detail = {} } = entry.note
      return `${String(type)} ${String(address)}: ${JSON.stringify(detail)}`
    }
    case 'event':
      return describeAny(entry.event)
    case 'end':
      return `end: ${count(entry.findings, 'finding')}, ${entry.complete ? 'complete' : 'incomplete'}`
  }
}

/** Events of another version, or of a run that was tampered with, may be anything. */
function describeAny(event: Record<string, unknown>): string | null {
  const { type, ...rest } = event
  if (type === 'stage-start' || type === 'stage-progress') return null
  try {
    const known = describeEvent(event as ReviewEvent)
    if (known !== null) return known
  } catch {
    // Printed as it is.
  }
  return `${String(type)}: ${JSON.stringify(rest)}`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2).padStart(8)} s`
}

/** JSON with its texts on lines of their own; else as it stands. */
function readable(body: string): string {
  try {
    const pretty = JSON.stringify(JSON.parse(body), null, 2)
    return visibleText(pretty.replace(/\\\\|\\n/g, (escaped) => (escaped === '\\n' ? '\n' : escaped)))
  } catch {
    return visibleText(body)
  }
}
