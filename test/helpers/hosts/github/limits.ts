/** GitHub's limits: requests in an hour, and the secondary ones on writes and on many requests in a minute. */
import type { Identity } from './state.ts'
import { Refusal } from './state.ts'

export type LimitSettings = {
  /** Requests in an hour: with a token, and without one. */
  perHour: number
  perHourAnonymous: number
  /** A read counts 1, a write 5. */
  pointsPerMinute: number
  /** Reviews, comments, checks and the like. */
  contentPerMinute: number
  contentPerHour: number
  retryAfterSeconds: number
}

export const documentedLimits: LimitSettings = {
  perHour: 5000,
  perHourAnonymous: 60,
  pointsPerMinute: 900,
  contentPerMinute: 80,
  contentPerHour: 500,
  retryAfterSeconds: 60,
}

type Counted = {
  used: number
  resetAt: number
  spent: { at: number; points: number; isContent: boolean }[]
  blockedUntil: number
  /** It was asked to wait for that. */
  isTold: boolean
}

export class Limits {
  settings: LimitSettings
  /** Writes that came although the host had asked to wait. */
  readonly violations: string[]
  private readonly now: () => number
  private readonly counted = new Map<string, Counted>()

  constructor(now: () => number, violations: string[], settings: Partial<LimitSettings> = {}) {
    this.now = now
    this.violations = violations
    this.settings = { ...documentedLimits, ...settings }
  }

  /** Begins a secondary limit by hand, for one sender (`installation 12`, `user ada`) or for all that were seen. */
  beginSecondary(seconds: number, limitKey?: string): void {
    const begun = { blockedUntil: this.now() + seconds * 1000, isTold: false }
    if (limitKey !== undefined) Object.assign(this.of(limitKey), begun)
    else for (const counted of this.counted.values()) Object.assign(counted, begun)
  }

  /** Throws the refusal of whoever has asked too much. */
  enter({ limitKey, kind }: Identity, request: { isWrite: boolean; label: string }): void {
    const now = this.now()
    const mine = this.of(limitKey)
    if (now >= mine.resetAt) Object.assign(mine, { used: 0, resetAt: now + 3_600_000 })
    if (now < mine.blockedUntil) {
      if (request.isWrite && mine.isTold)
        this.violations.push(`A write during a secondary rate limit: ${request.label}`)
      mine.isTold = true
      throw this.secondary(Math.ceil((mine.blockedUntil - now) / 1000))
    }
    const most = this.most(kind)
    if (mine.used >= most) {
      const headers = this.headers(limitKey, kind)
      throw new Refusal(403, `API rate limit exceeded for ${limitKey}.`, {}, headers)
    }
    mine.used += 1
    mine.spent = mine.spent.filter(({ at }) => now - at < 3_600_000)
    mine.spent.push({ at: now, points: request.isWrite ? 5 : 1, isContent: request.isWrite })
    const minute = mine.spent.filter(({ at }) => now - at < 60_000)
    const { pointsPerMinute, contentPerMinute, contentPerHour, retryAfterSeconds } = this.settings
    const content = (list: Counted['spent']) => list.filter(({ isContent }) => isContent).length
    const isTooMuch =
      minute.reduce((sum, { points }) => sum + points, 0) > pointsPerMinute ||
      content(minute) > contentPerMinute ||
      content(mine.spent) > contentPerHour
    if (!isTooMuch) return
    Object.assign(mine, { blockedUntil: now + retryAfterSeconds * 1000, isTold: true })
    mine.spent.pop()
    throw this.secondary(retryAfterSeconds)
  }

  headers(limitKey: string, kind: Identity['kind']): Record<string, string> {
    const { used, resetAt } = this.of(limitKey)
    const most = this.most(kind)
    return {
      'x-ratelimit-limit': String(most),
      'x-ratelimit-remaining': String(Math.max(0, most - used)),
      'x-ratelimit-used': String(used),
      'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
      'x-ratelimit-resource': 'core',
    }
  }

  /** An answer that had not changed is not counted. */
  giveBack(limitKey: string): void {
    this.of(limitKey).used -= 1
  }

  private most(kind: Identity['kind']): number {
    return kind === 'anonymous' ? this.settings.perHourAnonymous : this.settings.perHour
  }

  private secondary(seconds: number): Refusal {
    return new Refusal(
      403,
      'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
      {
        documentation_url:
          'https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits',
      },
      { 'retry-after': String(seconds) },
    )
  }

  private of(limitKey: string): Counted {
    const known = this.counted.get(limitKey)
    if (known) return known
    const made = { used: 0, resetAt: this.now() + 3_600_000, spent: [], blockedUntil: 0, isTold: false }
    this.counted.set(limitKey, made)
    return made
  }
}
