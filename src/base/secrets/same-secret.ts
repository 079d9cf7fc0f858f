/** Comparing what somebody sent with what only we know: tokens, signatures, keys of sessions. */
import { createHash, timingSafeEqual } from 'node:crypto'

/** Takes the same time wherever two texts differ, and whatever their lengths are. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

/** Whether one of them is what was given; all are compared, so that the time does not say which. */
export function isOneOf(given: string, expected: readonly string[]): boolean {
  let found = false
  for (const each of expected) if (isSameSecret(given, each)) found = true
  return found
}
