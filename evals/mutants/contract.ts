/** A way to plant a fault in a change, so that the truth is known. */
import type { LineRange, NeededContext } from '../cases/eval-case.ts'
import type { Files } from '../worlds/parse-world.ts'

export type Language = 'typescript' | 'python' | 'go' | 'rust' | 'java'

/** A change before anything is planted in it. */
export type Ground = {
  before: Files
  after: Files
  /** Paths that the change wrote. */
  touched: readonly string[]
  /** Numbers from 0 to 1 for what is made up, from the seed. */
  random: () => number
}

export type Mutation = {
  /** Files with other text than the change gave them. */
  files: Files
  place: LineRange
  also: LineRange[]
  /** What is wrong now, in a sentence. */
  description: string
}

export interface Operator {
  readonly name: string
  readonly category: string
  readonly severity: string
  readonly context: NeededContext
  /** Every place at which it can be done, one mutation each. */
  mutate(ground: Ground): Mutation[]
}

/** A mutation that was chosen. */
export type Mutant = {
  operator: Operator
  mutation: Mutation
  /** Index of the spoilt change in the world's commits. */
  change: number
}
