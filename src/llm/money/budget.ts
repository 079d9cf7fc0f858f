/** What a run may spend, and what of it is spent or spoken for. US dollars. */

export interface Budget {
  readonly limitUsd: number
  readonly spentUsd: number
  /** Speaks for the most that a call may cost; false when it would go beyond the limit, and nothing is reserved. */
  reserve(usd: number): boolean
  /** Gives the reservation back and books what it really took; also for answers from the record, which reserved nothing. */
  settle(reservedUsd: number, tookUsd: number): void
}

/** `Infinity` for no limit. */
export function openBudget(limitUsd: number): Budget {
  let spent = 0
  let reserved = 0
  return {
    limitUsd,
    get spentUsd() {
      return spent
    },
    reserve(usd) {
      // Sums of small prices must not fail for a rounding error.
      if (spent + reserved + usd > limitUsd + 1e-9) return false
      reserved += usd
      return true
    },
    settle(reservedUsd, tookUsd) {
      reserved -= reservedUsd
      spent += tookUsd
    },
  }
}

/** Why a call that may cost so much is not made. */
export function beyondBudget(usd: number, { limitUsd, spentUsd }: Budget): string {
  const left = Math.max(0, limitUsd - spentUsd)
  return `a call may cost up to $${usd.toFixed(4)}, and of $${limitUsd} at most $${left.toFixed(4)} is left`
}
