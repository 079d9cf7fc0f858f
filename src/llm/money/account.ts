/** What one run may spend, what it has spent or reserved, and what its calls cost in all. US dollars. */
import { compareText } from '../../base/compare-text.ts'
import type { ModelCall, RunCost, TokenUsage } from '../../domain/model-call.ts'

export const noTokens: TokenUsage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }

/** What one run may spend and has spent, by whatever part of it: models, the embedder and the reranker share it. */
export interface Account {
  readonly budget: Budget
  keep(call: ModelCall): void
  /** Of all calls so far, recorded answers at what they cost when they were given. */
  cost(): RunCost
}

/** US dollars; `Infinity` for no limit. */
export function openAccount(limitUsd: number): Account {
  const calls: ModelCall[] = []
  return {
    budget: openBudget(limitUsd),
    keep: (call) => void calls.push(call),
    cost: () => costOf(calls),
  }
}

/** The same for the same calls, in whatever order they came. */
export function costOf(calls: readonly ModelCall[]): RunCost {
  const groups = Map.groupBy(calls, ({ role, model }) => `${role} ${model}`)
  const byRole = [...groups.entries()]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([, group]) => {
      const [first] = group
      if (!first) return []
      const isPriced = group.every(({ usd }) => usd !== null)
      return {
        role: first.role,
        model: first.model,
        calls: group.length,
        usage: sumUsage(group),
        usd: isPriced ? sumUsd(group) : null,
      }
    })
  return {
    calls: calls.length,
    usage: sumUsage(calls),
    usd: sumUsd(calls),
    unpricedCalls: calls.filter(({ usd }) => usd === null).length,
    byRole,
  }
}

function sumUsage(calls: readonly ModelCall[]): TokenUsage {
  return calls.reduce(
    (sum, { usage }) => ({
      input: sum.input + usage.input,
      cacheRead: sum.cacheRead + usage.cacheRead,
      cacheWrite: sum.cacheWrite + usage.cacheWrite,
      output: sum.output + usage.output,
      reasoning: sum.reasoning + usage.reasoning,
    }),
    noTokens,
  )
}

/** Sorted before it is added, since sums of fractions depend on their order; rounded to a billionth of a dollar. */
function sumUsd(calls: readonly ModelCall[]): number {
  const amounts = calls.map(({ usd }) => usd ?? 0).sort((a, b) => a - b)
  return Math.round(amounts.reduce((sum, usd) => sum + usd, 0) * 1e9) / 1e9
}

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
