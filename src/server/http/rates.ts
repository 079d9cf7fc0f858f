/** Counts requests of each caller within a span of time; how many callers it remembers is bounded. */
const mostKnown = 100_000

export class RateCounter {
  private readonly spanMs: number
  private counts = new Map<string, number>()
  private span = 0

  constructor(seconds: number) {
    this.spanMs = seconds * 1000
  }

  /** Counts one more; whether that is more than `most` within this span. */
  isOver(who: string, most: number, now: number): boolean {
    const span = Math.floor(now / this.spanMs)
    if (span !== this.span || this.counts.size > mostKnown) {
      this.counts = new Map()
      this.span = span
    }
    const count = (this.counts.get(who) ?? 0) + 1
    this.counts.set(who, count)
    return count > most
  }

  /** Whether it is, without counting. */
  has(who: string, most: number, now: number): boolean {
    return Math.floor(now / this.spanMs) === this.span && (this.counts.get(who) ?? 0) > most
  }
}
