/** Every call is granted. */
import type { Budget } from '../../../../src/llm/money/account.ts'

export function openBudget(limitUsd: number): Budget {
  return { limitUsd, spentUsd: 0, reserve: () => true, settle: () => {} }
}
