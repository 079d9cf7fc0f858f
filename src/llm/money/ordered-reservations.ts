/**
 * Questions that are asked side by side. Money is set aside for their first calls in their order, and until that is done
 * no answer gives any back or teaches the estimate: what a budget allows then follows from the questions alone.
 */
import type { Budget } from './account.ts'
import type { TokenEstimator } from './tokens.ts'

/** One question's place in the order. */
export type ReservationTurn = {
  /** Resolves when all before it have set their money aside, or need none. */
  comes: Promise<void>
  /** It has set its money aside, or needs none. May be called more than once. */
  pass(): void
}

export type OrderedReservations = {
  budget: Budget
  estimator: TokenEstimator
  places: readonly ReservationTurn[]
}

export function orderReservations(
  size: number,
  parts: { budget: Budget; estimator: TokenEstimator },
): OrderedReservations {
  const { budget, estimator } = parts
  const held: (() => void)[] = []
  let isOpen = true
  const afterAll = (work: () => void): void => {
    if (isOpen) held.push(work)
    else work()
  }
  const places: ReservationTurn[] = []
  let comes = Promise.resolve()
  for (let at = 0; at < size; at++) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = comes
    places.push({ comes: before, pass: () => resolve() })
    comes = before.then(() => promise)
  }
  void comes.then(() => {
    isOpen = false
    for (const work of held.splice(0)) work()
  })
  return {
    places,
    budget: {
      limitUsd: budget.limitUsd,
      get spentUsd() {
        return budget.spentUsd
      },
      reserve: (usd) => budget.reserve(usd),
      settle: (reservedUsd, tookUsd) => afterAll(() => budget.settle(reservedUsd, tookUsd)),
    },
    estimator: { ...estimator, learn: (observation) => afterAll(() => estimator.learn(observation)) },
  }
}
