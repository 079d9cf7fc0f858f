/** How far a score may be from the truth by the choice of cases: the cases drawn again and again, from a seed. */
import type { CaseScore } from './case-score.ts'
import type { Metric } from './metrics.ts'
import { seededRandom } from './random.ts'

export type Interval = { low: number; high: number }

export const defaultDraws = 1000
const seed = 20_261_121

/** The middle 95 percent of the score over drawn cases; null when it cannot be had. */
export function intervalOf(
  metric: Metric,
  cases: readonly CaseScore[],
  draws: number = defaultDraws,
): Interval | null {
  return intervalOver(cases, (drawn) => metric.of(drawn), draws)
}

/** As `intervalOf`, of anything that is computed over items which stand or fall by themselves. */
export function intervalOver<Item>(
  items: readonly Item[],
  of: (drawn: readonly Item[]) => number | null,
  draws: number = defaultDraws,
): Interval | null {
  return middle(resample(items, draws, of))
}

/** As `intervalOf`, of the difference `b - a`, the same cases drawn for both. Pairs must stand in the same order. */
export function differenceInterval(
  metric: Metric,
  pairs: readonly (readonly [a: CaseScore, b: CaseScore])[],
  draws: number = defaultDraws,
): Interval | null {
  const difference = (drawn: readonly (readonly [CaseScore, CaseScore])[]) => {
    const [a, b] = [metric.of(drawn.map(([one]) => one)), metric.of(drawn.map(([, other]) => other))]
    return a === null || b === null ? null : b - a
  }
  return intervalOver(pairs, difference, draws)
}

function resample<Item>(
  items: readonly Item[],
  draws: number,
  of: (drawn: readonly Item[]) => number | null,
): number[] {
  const random = seededRandom(seed)
  const values: number[] = []
  for (let draw = 0; draw < draws && items.length > 0; draw++) {
    const drawn = items.map(() => items[Math.floor(random() * items.length)] as Item)
    const value = of(drawn)
    if (value !== null) values.push(value)
  }
  return values
}

function middle(values: number[]): Interval | null {
  if (values.length === 0) return null
  const sorted = values.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return { low: at(0.025), high: at(0.975) }
}
