/** Random choices from a seed: the same seed gives the same test. */

import { seededRandom } from '../../evals/scores/random.ts'

export class Random {
  /** At least 0, less than 1. */
  readonly next: () => number

  constructor(seed: number) {
    this.next = seededRandom(seed)
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  /** Throws for an empty list. */
  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.between(0, items.length - 1)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const left = [...items]
    return items.map(() => {
      const item = this.pick(left)
      left.splice(left.indexOf(item), 1)
      return item
    })
  }
}
