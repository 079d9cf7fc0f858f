/** The latest result of a computation whose input keeps changing: each change ends the one that runs, and starts another when it is quiet. */
import { setTimeout as pause } from 'node:timers/promises'

/** Between two keys of somebody who types. */
const quietMs = 80

export type LatestOptions<Result> = {
  /**
   * Null: there is nothing to compute. Begins at once, and may prepare what is cheap; `quiet` resolves when nothing has changed for a
   * moment, or after an abort.
   */
  compute(signal: AbortSignal, quiet: Promise<void>): Promise<Result | null>
  /** Called with each result that is still the latest, and with what `compute` rejected with. */
  onResult(result: Result | null, error: unknown): void
}

export class Latest<Result> {
  private readonly options: LatestOptions<Result>
  private running = new AbortController()
  private work: Promise<void> = Promise.resolve()
  private result: Result | null = null

  constructor(options: LatestOptions<Result>) {
    this.options = options
  }

  /** Of the last computation that ended; null before that, and after one that failed. */
  get last(): Result | null {
    return this.result
  }

  /** The input has changed. */
  renew(): void {
    this.running.abort()
    const running = new AbortController()
    this.running = running
    const { signal } = running
    // While the one before it is still coming to its end.
    const quiet = pause(quietMs, undefined, { signal }).catch(() => {})
    this.work = this.work.then(() => this.step(signal, quiet))
  }

  /** Resolves when no computation runs or waits. */
  async settled(): Promise<Result | null> {
    let work: Promise<void> | null = null
    while (work !== this.work) {
      work = this.work
      await work
    }
    return this.result
  }

  /** Ends what runs; nothing is reported any more. */
  async close(): Promise<void> {
    this.running.abort()
    await this.work
  }

  private async step(signal: AbortSignal, quiet: Promise<void>): Promise<void> {
    let failure: unknown = null
    if (signal.aborted) return
    try {
      const result = await this.options.compute(signal, quiet)
      signal.throwIfAborted()
      this.result = result
    } catch (error) {
      // Half of a change may be all that was there.
      await quiet
      if (signal.aborted) return
      this.result = null
      failure = error
    }
    this.options.onResult(this.result, failure)
  }
}
