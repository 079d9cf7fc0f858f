/** For logs (`--verbose`): one plain line for each stage that ends, each plane, each limit reached, and the fate of each candidate. */
import { count, usdWords } from '../../base/count.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { ReviewEvent } from '../../index.ts'
import type { ProgressView } from './contract.ts'

export function showLines(write: (text: string) => void): ProgressView {
  return {
    onEvent: (event) => {
      const line = describeEvent(event)
      if (line !== null) write(`sightline: ${visibleLine(line)}\n`)
    },
    pause: () => () => {},
    end: () => {},
  }
}

/** Null for events that are not worth a line. */
export function describeEvent(event: ReviewEvent): string | null {
  switch (event.type) {
    case 'run-start':
      return `reviewing ${event.label}`
    case 'stage-end':
      return `${event.stage}${event.detail === '' ? '' : `: ${event.detail}`} ${took(event.durationMs)}`
    case 'plane-end':
      return `plane ${event.plane}: ${count(event.candidates, 'candidate')} ${took(event.durationMs)}`
    case 'plane-signal': {
      const { plane, severity, findings } = event.signal
      return severity === null
        ? null
        : `${plane}: ${count(findings, 'finding')} confirmed, ${severity} at worst`
    }
    case 'limit-reached':
      return event.detail
    case 'finding-kept':
      return `kept ${event.rule} at ${event.path}:${event.line}: ${event.title}`
    case 'finding-dropped':
      return `dropped ${event.rule} in ${event.path} (${event.step}): ${event.reason}`
    case 'run-end':
      return `${count(event.findings, 'finding')}${event.complete ? '' : ', incomplete'} ${took(event.durationMs)}`
    default:
      return describeModelEvent(event)
  }
}

function took(milliseconds: number): string {
  return `(${Math.round(milliseconds)} ms)`
}

/** Null for events that have nothing to do with models. */
function describeModelEvent(event: ReviewEvent): string | null {
  switch (event.type) {
    case 'model-call': {
      const { address, model, usage, usd, durationMs, served, outcome, reason } = event.call
      const tokens = `${usage.input} tokens in${usage.cacheRead > 0 ? ` (${usage.cacheRead} cached)` : ''}, ${usage.output} out`
      const how = `${outcome === 'answered' ? '' : `${outcome}${reason === undefined ? '' : ` (${reason})`}, `}${served === 'record' ? 'from the record, ' : ''}`
      return `${address}: ${model}, ${how}${tokens}, ${usdWords(usd)} (${Math.round(durationMs)} ms)`
    }
    case 'model-retry':
      return `${event.address}: retrying ${event.model} in ${Math.round(event.waitMs)} ms: ${event.reason}`
    case 'follow_up_requested':
      return `follow-up: ${event.path}:${event.startLine}-${event.endLine}: ${event.reason}`
    case 'follow_up_complete':
      return event.refused === null
        ? `follow-up: ${event.confirmed} confirmed, ${event.dismissed} dismissed, ${event.added} new, ${event.extraTokens} tokens more`
        : `follow-up refused: ${event.refused}`
    case 'injection-suspected':
      return `${event.origin}:${event.line} looks like an instruction to a reviewing model (${event.sign})`
    default:
      return null
  }
}
