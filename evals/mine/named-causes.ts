/** Which earlier commits a message names as the cause of what it fixes. */

export type NamedCause = { name: string; how: 'fix' | 'revert' }

/** Words that blame, at most a few words before the id of a commit. */
const blame =
  /\b(?:fix(?:es|ed|ing)?|introduced|caused|broken?|broke|regress(?:ion|ed)|bug|since|after)\b[^.\n]{0,60}?\b([0-9a-f]{7,40})\b/gi
const reverts = /\breverts?\s+(?:commit\s+)?([0-9a-f]{7,40})\b/gi

/** Each named commit once, in the order of the message. Ids that are only digits are numbers of issues, not commits. */
export function namedCauses(message: string): NamedCause[] {
  const text = message.slice(0, 20_000)
  const found = [
    ...[...text.matchAll(reverts)].map((match) => ({ match, how: 'revert' as const })),
    ...[...text.matchAll(blame)].map((match) => ({ match, how: 'fix' as const })),
  ]
  const causes = new Map<string, NamedCause>()
  for (const { match, how } of found) {
    const name = (match[1] ?? '').toLowerCase()
    if (/[a-f]/.test(name) && /\d/.test(name) && !causes.has(name)) causes.set(name, { name, how })
  }
  return [...causes.values()]
}
