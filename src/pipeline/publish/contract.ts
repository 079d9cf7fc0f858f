/** What an output format is: a pure function from a review to text. */
import type { Review } from '../../domain/review.ts'

export type RenderOptions = {
  /** ANSI colours; only the terminal format heeds it. */
  color: boolean
  /** Columns of the terminal; at least 40. */
  width: number
  /** Also show what was dropped, and why. */
  explain: boolean
  /** Findings shown in full; the rest are listed in one line each. */
  maxInline: number
  /** Address of a file at the head commit, when the host is known: `(path, line) => url`. */
  link?: (path: string, line: number | null) => string
}

export type Render = (review: Review, options: RenderOptions) => string
