/** For logs (`--verbose`): one plain line for each stage that ends, each plane, each limit reached, and the fate of each candidate. */
import { count } from '../../base/count.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { ReviewEvent } from '../../index.ts'
import type { ProgressView } from './contract.ts'
import { describeModelEvent } from './model-events.ts'

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
    case 'triage':
      return `${count(event.skipped, 'pair')} of file and category not worth a question, in ${count(event.files, 'file')}`
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
