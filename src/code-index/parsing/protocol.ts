/** What the store and its parsing children say to each other. */
import type { ParseFailure } from '../contract.ts'

export type FileToParse = { text: string; variant: string }

/** What a file may take: a base, and more per 1,000 characters of it. */
export type Budget = { base: number; perThousand: number }

export function allowance({ base, perThousand }: Budget, characters: number): number {
  return base + (perThousand * characters) / 1000
}

export type Batch = {
  language: string
  files: readonly FileToParse[]
  /** Steps the parser may take for a file. */
  steps: Budget
  /** Resident bytes past which the child wants to be replaced, and past which it gives up a file at once. */
  memory: { recycle: number; giveUp: number }
}

/** `ready`: the grammar is loaded. Then one reply per file, in order; `full` ends a batch early. */
export type Reply =
  | { type: 'ready' }
  | { type: 'parsed'; index: number; record: Uint8Array }
  | { type: 'failed'; index: number; reason: ParseFailure['reason'] }
  | { type: 'full' }
  | { type: 'done' }
