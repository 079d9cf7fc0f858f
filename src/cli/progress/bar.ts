/** For people: one line on the terminal, drawn again ten times a second, with stage, counts, time and time left. */
import { performance } from 'node:perf_hooks'
import { visibleLine } from '../../base/visible-text.ts'
import type { ReviewEvent } from '../../index.ts'
import type { ProgressView } from './contract.ts'

const redrawMs = 100
const barWidth = 20

export function showBar(write: (text: string) => void, width: () => number): ProgressView {
  const startedAt = performance.now()
  const estimate = createEstimate()
  let stage = 'starting'
  let counts = ''
  const draw = () => {
    const elapsedMs = performance.now() - startedAt
    const parts = [`${gauge(estimate.fraction())} ${stage}`, counts, seconds(elapsedMs), left(elapsedMs)]
    const line = parts.filter((part) => part !== '').join('  ')
    // Back to the first column, then the line, then clear the rest: no flicker, and nothing scrolls.
    write(`\r${line.slice(0, Math.max(1, width() - 1))}\u001b[K`)
  }
  const left = (elapsedMs: number): string => {
    const restMs = estimate.restMs(elapsedMs)
    return restMs === null || restMs < 500 ? '' : `about ${seconds(restMs)} left`
  }
  let paused = false
  const timer = setInterval(() => {
    if (!paused) draw()
  }, redrawMs)
  timer.unref()
  draw()
  return {
    onEvent: (event: ReviewEvent) => {
      estimate.hear(event, performance.now() - startedAt)
      if (event.type === 'stage-start') [stage, counts] = [event.stage, '']
      if (event.type === 'stage-progress' && event.total > 0)
        counts = visibleLine(
          `${event.done} of ${event.total} ${event.stage === 'review' ? 'questions' : 'files'}`,
        )
      if (event.type === 'follow_up_requested')
        counts = visibleLine(`requested ${event.path}:${event.startLine}-${event.endLine}`)
      if (event.type === 'model-retry') counts = visibleLine(`waiting: ${event.reason}`)
    },
    pause: () => {
      paused = true
      write('\r\u001b[K')
      return () => {
        paused = false
      }
    },
    end: () => {
      clearInterval(timer)
      write('\r\u001b[K')
    },
  }
}

function gauge(fraction: number): string {
  const filled = Math.round(fraction * barWidth)
  return `${'━'.repeat(filled)}${'─'.repeat(barWidth - filled)}`
}

function seconds(milliseconds: number): string {
  const whole = Math.round(milliseconds / 1000)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/**
 * What part of a usual run each stage takes, as measured without models; they add up to 1. How long a model takes nobody
 * knows before, so its stages have a small share each, and the time left is computed again when they are over.
 */
const shares: ReadonlyMap<string, number> = new Map([
  ['collect', 0.1],
  ['diff', 0.04],
  ['context', 0.5],
  ['planes', 0.14],
  ['explore', 0.04],
  ['review', 0.07],
  ['mutants', 0.01],
  ['validate', 0.05],
  ['refute', 0.02],
  ['prove', 0.01],
  ['conclude', 0.02],
])

/** Before so much has been done and has passed, a forecast would only jump about. */
const leastFraction = 0.1
const leastElapsedMs = 1_000

/** How far a run is, from its events. A guess, and shown as one. */
type Estimate = {
  /** `elapsedMs`: since the run began. */
  hear(event: ReviewEvent, elapsedMs: number): void
  /** From 0 to 1; never goes back. */
  fraction(): number
  /** Milliseconds still to go; null while too little is known, and when the last forecast has run out. */
  restMs(elapsedMs: number): number | null
}

export function createEstimate(): Estimate {
  let ended = 0
  let within = 0
  let highest = 0
  // The moment at which the run should end, by the last event that said how far it is. Between two events it stays
  // where it is: a stage that tells nothing on the way must not make the rest grow with every second.
  let endMs: number | null = null
  const advance = (elapsedMs: number) => {
    highest = Math.min(1, Math.max(highest, ended + within))
    endMs = highest < leastFraction ? null : elapsedMs / highest
  }
  return {
    hear: (event, elapsedMs) => {
      if (event.type === 'stage-progress' && event.total > 0) {
        within = (shares.get(event.stage) ?? 0) * Math.min(1, event.done / event.total)
        advance(elapsedMs)
      }
      if (event.type === 'stage-end') {
        ended += shares.get(event.stage) ?? 0
        within = 0
        advance(elapsedMs)
      }
    },
    fraction: () => highest,
    restMs: (elapsedMs) => {
      if (endMs === null || elapsedMs < leastElapsedMs || endMs <= elapsedMs) return null
      return endMs - elapsedMs
    },
  }
}
