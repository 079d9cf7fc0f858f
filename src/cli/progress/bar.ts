/** For people: one line on the terminal, drawn again ten times a second, with stage, counts, time and time left. */
import { performance } from 'node:perf_hooks'
import { visibleLine } from '../../base/visible-text.ts'
import type { ReviewEvent } from '../../index.ts'
import type { ProgressView } from './contract.ts'
import { createEstimate } from './estimate.ts'

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
