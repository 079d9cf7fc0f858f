/** A suggestion as lines of a diff, for where it cannot be offered for committing. */
import type { Finding, Suggestion } from '../../domain/finding.ts'

export type SuggestedLine = { sign: '-' | '+'; text: string }

/** The old lines are shown when the excerpt holds all of them; a part of them would say something else. */
export function suggestedLines({ excerpt }: Finding, suggestion: Suggestion): SuggestedLine[] {
  const { startLine, endLine, replacement } = suggestion
  const replaced = excerpt.filter(({ new: line }) => line !== null && line >= startLine && line <= endLine)
  const old = replaced.length === endLine - startLine + 1 ? replaced : []
  return [
    ...old.map(({ text }): SuggestedLine => ({ sign: '-', text })),
    ...replacement.split('\n').map((text): SuggestedLine => ({ sign: '+', text })),
  ]
}

/** `line 12`, `lines 12 to 14`. */
export function suggestedFor({ startLine, endLine }: Suggestion): string {
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`
}
