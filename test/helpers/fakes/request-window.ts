/** Counts requests over a sliding window, for the rate limits of a fake account. */
import type { RateLimits } from './scenario/schema.ts'

export class RequestWindow {
  private readonly times: number[] = []
  private readonly limits: RateLimits
  private readonly now: () => number

  constructor(limits: RateLimits, now: () => number) {
    this.limits = limits
    this.now = now
  }

  /** Null when the request is let in, else the seconds until the next one would be. */
  enter(): number | null {
    const now = this.now()
    while (this.times[0] !== undefined && this.times[0] <= now - this.limits.windowMs) this.times.shift()
    const [oldest] = this.times
    if (oldest !== undefined && this.times.length >= this.limits.requests)
      return Math.max(1, Math.ceil((oldest + this.limits.windowMs - now) / 1000))
    this.times.push(now)
    return null
  }

  get used(): number {
    return this.times.length
  }
}
