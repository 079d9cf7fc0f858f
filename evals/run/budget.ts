/** The money of an evaluation, shared by reviews that run side by side: what is promised to one is not spent twice. */

export type EvaluationBudget = {
  /** The most the next review may cost; null when there is no limit, 0 when nothing is left. */
  reserve(): number | null
  /** Gives back what was reserved and books what it cost. */
  settle(reserved: number | null, usd: number): void
  readonly spent: number
}

/** `limit` in US dollars, null for none; `jobs` reviews run side by side at most. */
export function openEvaluationBudget(limit: number | null, jobs: number, alreadySpent = 0): EvaluationBudget {
  let spent = alreadySpent
  let reserved = 0
  let running = 0
  return {
    reserve() {
      if (limit === null) return null
      const share = Math.max(0, limit - spent - reserved) / Math.max(1, jobs - running)
      reserved += share
      running++
      return share
    },
    settle(share, usd) {
      spent += usd
      if (share === null) return
      reserved -= share
      running--
    },
    get spent() {
      return spent
    },
  }
}
