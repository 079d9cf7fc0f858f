/** Whether a suggestion applies to the file as it is, and changes anything there. */
import type { Suggestion } from '../../../domain/finding.ts'
import { type Sources, splitLines } from '../sources.ts'
import type { SuggestionGuard } from './contract.ts'

export const doesNotApply: SuggestionGuard = async ({ suggestion: { path, endLine } }, { sources }) => {
  const lines = await sources.lines('new', path)
  if (!lines) return `\`${path}\` cannot be read after the change`
  return endLine > lines.length ? 'it does not apply: the file is shorter' : null
}

/** White space at line ends does not count. */
export const isIdentical: SuggestionGuard = async ({ suggestion }, { sources }) => {
  const { path, startLine, endLine, replacement } = suggestion
  const existing = ((await sources.lines('new', path)) ?? []).slice(startLine - 1, endLine)
  const bare = (lines: readonly string[]) => lines.map((line) => line.trimEnd()).join('\n')
  return bare(existing) === bare(splitLines(replacement)) ? 'it is identical to the existing code' : null
}

/** The text of the file with the suggestion in it, with the line ends of the lines it replaces; null if unreadable. */
export async function applySuggestion(suggestion: Suggestion, sources: Sources): Promise<string | null> {
  const { path, startLine, endLine, replacement } = suggestion
  const lines = await sources.lines('new', path)
  if (!lines) return null
  const ending = lines[startLine - 1]?.endsWith('\r') ? '\r' : ''
  const proposed = splitLines(replacement).map((line) => line.replace(/\r$/, '') + ending)
  return `${[...lines.slice(0, startLine - 1), ...proposed, ...lines.slice(endLine)].join('\n')}\n`
}
