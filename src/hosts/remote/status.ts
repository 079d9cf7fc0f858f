/** The check where a host has none but statuses of commits: one line, which ends with the key. */
import type { OwnCheck, PlannedCheck } from './contract.ts'

/** Of one that waits for its end. */
const open: ReadonlySet<string> = new Set(['pending', 'running'])

/** What a host calls the states of a check. Neutral does not exist there: only gating makes it fail. */
export type StatusWords = Readonly<Record<Exclude<PlannedCheck['conclusion'], 'neutral'>, string>>

/** As a status says it, in one line of so many characters: the title, and the key at its end. */
export function statusOf({ conclusion, title, key }: PlannedCheck, words: StatusWords, longest = 255) {
  const end = ` [${key}]`
  return {
    state: words[conclusion === 'neutral' ? 'success' : conclusion],
    description: `${title.slice(0, longest - end.length)}${end}`,
  }
}

/** `state`: in the words of the host, which are alike in this. */
export function checkOfStatus(
  status: { state: string; description: string | null } | undefined,
): OwnCheck | null {
  if (!status) return null
  const isOpen = open.has(status.state)
  return { key: isOpen ? null : (/\[([a-z0-9-]+)\]$/.exec(status.description ?? '')?.[1] ?? null), isOpen }
}
