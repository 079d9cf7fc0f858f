/**
 * The side of the process that does the work: it shows its supervisor that its loop still turns, and hears from it that
 * it shall stop. What it reads is foreign, and may keep it from hearing anything at all.
 */

import { beatMs } from '../../base/watchdog.ts'
import type { StoppedReview } from '../../domain/coverage.ts'

/** In the environment of a process that is watched over: how far an earlier attempt came, as JSON; `null` for the first. */
export const supervisedMark = 'SIGHTLINE_SUPERVISED'

/** From the working process: its loop turns; it was asked to stop and is stopping; the stage that it begins; a plane that finished. */
export type Report = 'alive' | 'stopping' | { stage: string } | { finished: string }
/** To the working process. */
export type Order = 'stop'

export type Supervision = {
  /** Calls back when the supervisor asks to stop, or is gone. */
  onStop(stop: () => void): void
  /** Says that the work is being ended. */
  reportStopping(): void
}

let isJoined = false
let earlier: StoppedReview | null = null

/** How far the attempt before this one came, if the supervisor ended it. */
export function stoppedBefore(): StoppedReview | null {
  return earlier
}

/** Says which stage of a review begins, so that the supervisor can name the one that something holds. */
export function reportStage(stage: string): void {
  if (isJoined) tell({ stage })
}

/** Says that a plane finished, so that the supervisor can have the review repeated with those that did. */
export function reportFinished(plane: string): void {
  if (isJoined) tell({ finished: plane })
}

/** A supervisor that was killed hears nothing; that is told by `disconnect`. */
function tell(report: Report): void {
  if (process.connected) process.send?.(report, undefined, undefined, () => {})
}

/** Null in a process without a supervisor. Children of this process inherit no mark. */
export function joinSupervision(): Supervision | null {
  const mark = process.env[supervisedMark]
  if (mark === undefined) return null
  delete process.env[supervisedMark]
  if (!process.channel) return null
  isJoined = true
  earlier = JSON.parse(mark)
  tell('alive')
  setInterval(() => tell('alive'), beatMs).unref()
  process.channel.unref()
  return {
    onStop(stop) {
      process.on('message', (order) => {
        if (order === ('stop' satisfies Order)) stop()
      })
      process.once('disconnect', stop)
      // A listener for messages keeps the channel, and with it the process, alive.
      process.channel?.unref()
    },
    reportStopping: () => tell('stopping'),
  }
}
