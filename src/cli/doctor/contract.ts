/** One thing that was looked at. */

export type Check = {
  name: string
  /** `note`: reviews work without it, but somebody may have expected it. */
  state: 'good' | 'note' | 'broken'
  detail: string
  /** What to do about it; null when there is nothing to do. */
  wayOut: string | null
}
