/** What is told of models while a review runs, in a line each. */

import { usdWords } from '../../base/usd-words.ts'
import type { ReviewEvent } from '../../index.ts'

/** Null for events that have nothing to do with models. */
export function describeModelEvent(event: ReviewEvent): string | null {
  switch (event.type) {
    case 'model-call': {
      const { address, model, usage, usd, durationMs, served, outcome, reason } = event.call
      const tokens = `${usage.input} tokens in${usage.cacheRead > 0 ? ` (${usage.cacheRead} cached)` : ''}, ${usage.output} out`
      const how = `${outcome === 'answered' ? '' : `${outcome}${reason === undefined ? '' : ` (${reason})`}, `}${served === 'record' ? 'from the record, ' : ''}`
      return `${address}: ${model}, ${how}${tokens}, ${usdWords(usd)} (${Math.round(durationMs)} ms)`
    }
    case 'model-retry':
      return `${event.address}: ${event.model} again in ${Math.round(event.waitMs)} ms: ${event.reason}`
    case 'follow_up_requested':
      return `follow-up: ${event.path}:${event.startLine}-${event.endLine}: ${event.reason}`
    case 'follow_up_complete':
      return event.refused === null
        ? `follow-up: ${event.confirmed} confirmed, ${event.dismissed} dismissed, ${event.added} new, ${event.extraTokens} tokens more`
        : `follow-up not made: ${event.refused}`
    case 'injection-suspected':
      return `${event.origin}:${event.line} seems to speak to a reviewing model (${event.sign})`
    default:
      return null
  }
}
