/** Asks until an answer can be believed: servers answer while they still read, and then know only a part. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Readiness, ServerFailure } from './contract.ts'

export type Settled<Answer> = { answer: Answer; complete: boolean; why: string | null }

const pauseMs = 100

/** Throws `ServerFailure` when there is no answer at all. */
export async function settle<Answer>(
  ask: () => Promise<Answer>,
  progress: Progress,
  readiness: Readiness,
  withinMs: number,
): Promise<Settled<Answer>> {
  const deadline = performance.now() + withinMs
  const isQuiet = () =>
    readiness.awaitsProgress ? progress.quiet(readiness.graceMs, deadline) : Promise.resolve(true)
  let quiet = await isQuiet()
  let answer = await ask()
  let agreed = 1
  while (agreed < readiness.agreeing) {
    if (performance.now() >= deadline) return { answer, complete: false, why: 'its answers still changed' }
    await pause(pauseMs)
    quiet = await isQuiet()
    const next = await again(ask)
    if (next === null) return { answer, complete: false, why: 'it did not answer a second time' }
    agreed = JSON.stringify(next) === JSON.stringify(answer) ? agreed + 1 : 1
    answer = next
  }
  return { answer, complete: quiet, why: quiet ? null : 'it was still reading the project' }
}

/** Null when there is no answer: the previous answer is kept. */
async function again<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ServerFailure) return null
    throw error
  }
}

/** What a server says of its own work in progress, and when it has become quiet. */

type Waiter = () => void

/** How long it must be quiet after the last end, since servers go from one piece of work to the next. */
const quietAfterMs = 150

export class Progress {
  private readonly active = new Set<string | number>()
  private readonly waiters = new Set<Waiter>()
  private begun = 0
  private lastChange = performance.now()

  /** The payload of `$/progress`. Anything else is ignored. */
  hear(token: string | number, value: unknown): void {
    const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : null
    if (kind === 'begin') {
      this.begun++
      // Not work but a state, which stays: gopls shows `Error loading workspace` in this way.
      if (
        typeof value === 'object' &&
        value !== null &&
        'title' in value &&
        /^error/i.test(String(value.title))
      )
        return
      this.active.add(token)
    } else if (kind === 'end') this.active.delete(token)
    else return
    this.lastChange = performance.now()
    for (const waiter of this.waiters) waiter()
  }

  /** True when it became quiet in time. Without any sign of work it counts as quiet after `graceMs`. */
  async quiet(graceMs: number, deadline: number): Promise<boolean> {
    for (;;) {
      const now = performance.now()
      const rest = this.lastChange + (this.begun === 0 ? graceMs : quietAfterMs) - now
      if (this.active.size === 0 && rest <= 0) return true
      if (now >= deadline) return false
      await this.change(Math.min(deadline - now, this.active.size === 0 ? rest : Number.POSITIVE_INFINITY))
    }
  }

  /** Resolves at the next change, or after `ms`. */
  private change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.waiters.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, Math.max(1, Math.ceil(ms)))
      this.waiters.add(wake)
    })
  }
}
