/** `sightline show`: what a run did, in order; or one exchange of it in full. */
import { exitCodes, UserError } from '../../base/errors.ts'
import { visibleLine, visibleText } from '../../base/visible-text.ts'
import type { RunEntry, RunExchange, RunTrace } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { flag, text } from '../input/options.ts'
import { asciiJson } from '../output/ascii-json.ts'
import { costIn } from './runs.ts'

export const show = defineCommand({
  name: 'show',
  summary: 'Show what a run did: stages, questions, raw answers, repairs, costs.',
  operand: 'RUN[/ADDRESS]',
  options: {
    call: text('ADDRESS', 'Show one exchange in full, such as quick/group-1/review.'),
    json: flag('Print it as JSON.'),
  },
  examples: [
    'sightline show last',
    'sightline show last --call quick/group-1/review  # prompt and raw answer',
    'sightline show local/shop/1a2b3c4d5e6f/explore/iter-2  # by place: the newest run there',
  ],
  async run({ values, operands, terminal }) {
    const { readRun } = await import('../../index.ts')
    const trace = await readRun(operands[0] ?? 'last')
    const call = values.call ?? trace.address
    if (call !== null) {
      const found = exchangesAt(trace, call)
      await terminal.result(values.json ? `${asciiJson(found, 2)}\n` : found.map(inFull).join('\n'))
    } else await terminal.result(values.json ? `${asciiJson(trace, 2)}\n` : timeline(trace))
    return exitCodes.clean
  },
})

/** By the address or its end (`iter-2`), also behind the run's place. */
function exchangesAt({ summary, exchanges }: RunTrace, asked: string): RunExchange[] {
  const prefix = `${summary.header.place}/`
  const address = asked.startsWith(prefix) ? asked.slice(prefix.length) : asked
  const found = exchanges.filter(({ entry }) => `/${entry.address}`.endsWith(`/${address}`))
  if (found.length > 0) return found
  const there = [...new Set(exchanges.map(({ entry }) => entry.address))].join(', ')
  throw new UserError(
    'run-unknown',
    `run ${summary.header.run} has no call ${asked}; it has ${there || 'none'}`,
  )
}

function timeline(trace: RunTrace): string {
  const { summary, entries } = trace
  const { header, state, durationMs, bytes } = summary
  const head = [
    `Run ${header.run}: ${visibleLine(header.label)} in ${visibleLine(header.repository)}`,
    `  place    ${visibleLine(header.place)}`,
    `  state    ${state}, depth ${header.depth}, ${(durationMs / 1000).toFixed(1)} s, ${costIn(summary)}, ${bytes} bytes on disk`,
    `  versions ${Object.entries(header.versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}`,
    ...(summary.damage === null ? [] : [`  damage   ${summary.damage}`]),
    '',
  ]
  return `${[...head, ...entries.flatMap(lineOf)].join('\n')}\n`
}

function lineOf(entry: RunEntry): string[] {
  const what = wordsOf(entry)
  if (what === null || entry.type === 'start') return []
  return [`${(entry.at / 1000).toFixed(2).padStart(8)} s  ${visibleLine(what).slice(0, 300)}`]
}

function wordsOf(entry: RunEntry): string | null {
  switch (entry.type) {
    case 'start':
      return null
    case 'answer': {
      const from = entry.served === 'record' ? 'from the record' : `live, ${entry.durationMs} ms`
      return `${entry.kind} ${entry.address}: status ${entry.status}, ${entry.bytes} bytes, ${from}`
    }
    case 'note': {
      const { type, address, detail } = entry.note
      return `${String(type)} ${String(address)}: ${JSON.stringify(detail)}`
    }
    case 'event': {
      const { type, ...rest } = entry.event
      if (type === 'stage-start' || type === 'stage-progress') return null
      return `${String(type)}: ${JSON.stringify(rest)}`
    }
    case 'end':
      return `end: ${entry.findings} findings, ${entry.complete ? 'complete' : 'incomplete'}`
  }
}

function inFull({ entry, request, answer }: RunExchange): string {
  const lost = 'not kept'
  return [
    `${entry.kind} ${entry.address} ${entry.url} (status ${entry.status}, ${entry.served})`,
    '',
    'Sent:',
    request ? visibleText(prettyJson(request.body)) : lost,
    '',
    'Received:',
    answer ? visibleText(answer.body) : lost,
    '',
  ].join('\n')
}

function prettyJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
