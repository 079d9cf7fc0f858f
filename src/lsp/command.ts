/** What a command of the language server is: its name, what it works with, and what it answers. */
import type { EventListener } from '../domain/events.ts'
import type { AskedReviews } from './asked-reviews.ts'
import type { EditorWindow, ReviewedTree, ReviewPlace } from './contract.ts'

export const commands = {
  explain: 'sightline.explain',
  dismiss: 'sightline.dismiss',
  restore: 'sightline.restore',
  prove: 'sightline.prove',
  showUses: 'sightline.showUses',
  review: 'sightline.review',
} as const

export const dismissals = [
  { as: 'wrong', words: 'it is wrong' },
  { as: 'unimportant', words: 'it is unimportant' },
  { as: 'accepted', words: 'it is accepted' },
] as const

export type CommandPlace = Omit<ReviewPlace, 'reviewed'> & {
  /** Null where nothing is uncommitted. */
  readonly reviewed: ReviewedTree | null
  /** What was reviewed with a model in this session. */
  readonly asked: AskedReviews
  readonly window: EditorWindow
  readonly onEvent: EventListener
  /** Of the file that the command was called for, from the root; its text is null where it cannot be read. */
  readonly path: string
  readonly text: string | null
}

/** `words`: what was done or found. `isSaid`: shown as a message. `isRenewed`: other findings are to be seen now. */
export type Done = { words: string; isSaid: boolean; isRenewed: boolean }
