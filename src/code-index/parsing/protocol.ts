/** What the store and its parsing children say to each other. */
import type { ParseFailure } from '../contract.ts'
import type { MergeTask } from './merge.ts'

/** The argument of a child that takes no short cuts: no memory is read, nothing is optimised. */
export const carefully = 'carefully'

export type FileToParse = { text: string; variant: string }

/** What a file may take: a base, and more per 1,000 characters of it. */
export type Budget = { base: number; perThousand: number }

export function allowance({ base, perThousand }: Budget, characters: number): number {
  return base + (perThousand * characters) / 1000
}

export type Request = Batch | MergeTask

export type Batch = {
  /** Empty for files of languages without a table, which are not parsed. */
  language: string
  files: readonly FileToParse[]
  /** Each file is answered at once, so that it is known which one a child dies of. */
  oneByOne: boolean
  /** Steps the parser may take for a file. */
  steps: Budget
  /** Resident bytes past which the child wants to be replaced, and past which it gives up a file at once. */
  memory: { recycle: number; giveUp: number }
}

/** The record of a file, or the bytes of a segment. `failed`: why the record has no facts. */
export type Answer = { bytes: Uint8Array; failed?: ParseFailure['reason'] }

/**
 * `ready`: the grammar is loaded. Then the answers, in order, `index` being the file of the last one; `full` ends a batch
 * early. `resident`: the bytes that the child holds.
 */
export type Reply =
  | { type: 'ready'; resident: number }
  | { type: 'answers'; index: number; answers: Answer[]; resident: number }
  | { type: 'full' }
  | { type: 'done' }
