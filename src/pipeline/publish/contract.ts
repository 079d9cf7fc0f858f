/** What an output format is: a pure function from a review to text. */
import type { Side } from '../../domain/change-set.ts'
import type { Review } from '../../domain/review.ts'

export type RenderOptions = {
  /** ANSI colours; only the terminal format heeds it. */
  color: boolean
  /** Columns of the terminal; at least 40. */
  width: number
  /** Also show dropped findings and the reasons. */
  explain: boolean
  /** Only what was found and what is missing; the terminal leaves out the rest, and prints nothing if that is nothing. */
  brief?: boolean
  /** Findings shown in full; the rest are listed in one line each. */
  maxInline: number
  /** Also minor findings of models in full, which otherwise are only listed. */
  minor?: boolean
  /** Of findings that are not shown in full the headline only, for lack of room; else Markdown has the rest folded. */
  headlines?: boolean
  /** Where lines can be looked at, when the host is known. */
  link?: LinkTo
  /** Where a terminal opens a place on a click. */
  open?: LinkTo
  /** Suggestions as blocks that the host offers for committing (a text: their language there); else shown as a diff. */
  committable?: boolean | string
}

/** Null for what is in no commit. */
export type LinkTo = (place: LinkedPlace) => string | null

export type LinkedPlace = {
  path: string
  /** `old` is the base, `new` the head. */
  side: Side
  /** 1-based, inclusive; null for the file as a whole. */
  startLine: number | null
  endLine: number | null
}

export type Render = (review: Review, options: RenderOptions) => string
