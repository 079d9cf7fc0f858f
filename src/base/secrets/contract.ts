/** A secret found in a text. */

/** UTF-16 offsets; the end is the first character behind. */
export type TextRange = { start: number; end: number }

export type SecretMatch = TextRange & {
  /** What it is, for people: `GitHub token`. */
  kind: string
  value: string
  /** The form alone proves it (a provider's token, a private key); otherwise it is a value that looks like one. */
  certain: boolean
  /** It opens something on the developer's own machine, or at a host that cannot exist: masked, but not worth a finding. */
  local: boolean
  /** What is never shown of it, in order; none spans two lines, so that masking keeps the number of lines. */
  hidden: readonly TextRange[]
}

/** One shape of secret on a single line. */
export type SecretForm = {
  kind: string
  /** Every match begins with one of these, in any case of letters. */
  hints: readonly string[]
  /** Sticky; every repetition is bounded, so that a try costs little whatever follows. */
  pattern: RegExp
  /** The group that holds the secret; 0 when not given. */
  group?: number
  certain: boolean
  /** Tells a real one from what only looks so; `isMadeUp` is asked of every value besides. */
  accept?: (value: string, around: () => string) => boolean
}
