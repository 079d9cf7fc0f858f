/** A secret found in a text. */

export type SecretMatch = {
  /** What it is, for people: `GitHub token`. */
  kind: string
  /** UTF-16 offsets into the text. */
  start: number
  end: number
  value: string
  /** The form alone proves it (a provider's token, a private key); otherwise it is a value that looks like one. */
  certain: boolean
}
