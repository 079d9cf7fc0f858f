/** For logs (`--verbose`): one plain line for each stage that ends, each plane, and each limit reached. */
import { visibleLine } from '../../base/visible-text.ts'
import type { ReviewEvent } from '../../index.ts'
import type { ProgressView } from './contract.ts'

export function showLines(write: (text: string) => void): ProgressView {
  return {
    onEvent: (event) => {
      const line = describe(event)
      if (line !== null) write(`sightline: ${visibleLine(line)}\n`)
    },
    end: () => {},
  }
}

function describe(event: ReviewEvent): string | null {
  switch (event.type) {
    case 'run-start':
      return `reviewing ${event.label}`
    case 'stage-end':
      return `${event.stage}: ${event.detail} (${Math.round(event.durationMs)} ms)`
    case 'plane-end':
      return `plane ${event.plane}: ${event.candidates} candidates (${Math.round(event.durationMs)} ms)`
    case 'limit-reached':
      return event.detail
    case 'run-end':
      return `${event.findings} findings${event.complete ? '' : ', incomplete'} (${Math.round(event.durationMs)} ms)`
    default:
      return null
  }
}
