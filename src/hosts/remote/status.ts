/** The check where a host has none but statuses of commits: one line, which ends with the key. */
import type { OwnCheck, PlannedCheck } from './contract.ts'

/** Of one that waits for its end. */
const open: ReadonlySet<string> = new Set(['pending', 'running'])

/** One line of a status, which is all that it has room for: the title, and the key at its end. */
export function statusLine({ title, key }: Pick<PlannedCheck, 'title' | 'key'>, longest: number): string {
  const end = ` [${key}]`
  return `${title.slice(0, longest - end.length)}${end}`
}

/** `state`: in the words of the host, which are alike in this. */
export function checkOfStatus(
  status: { state: string; description: string | null } | undefined,
): OwnCheck | null {
  if (!status) return null
  const isOpen = open.has(status.state)
  return { key: isOpen ? null : (/\[([a-z0-9-]+)\]$/.exec(status.description ?? '')?.[1] ?? null), isOpen }
}

/** Neutral does not exist here: only gating makes it fail. */
export function statusState({ conclusion }: Pick<PlannedCheck, 'conclusion'>) {
  return conclusion === 'neutral' ? 'success' : conclusion
}
