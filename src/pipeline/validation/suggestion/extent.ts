/** How much a suggestion may touch, and where. */
import type { SuggestionGuard } from './contract.ts'

const mostLines = 20
const mostCharacters = 4000

/** Counts what it brings and what it takes away. */
export const isTooLarge: SuggestionGuard = async ({ suggestion }, { sources }) => {
  const { path, startLine, endLine, replacement } = suggestion
  if (endLine - startLine >= mostLines || replacement.split('\n').length > mostLines)
    return `it is longer than ${mostLines} lines`
  if (replacement.length > mostCharacters) return `it is longer than ${mostCharacters} characters`
  const replaced = ((await sources.lines('new', path)) ?? []).slice(
    startLine - 1,
    Math.max(startLine, endLine),
  )
  return replaced.join('\n').length > mostCharacters
    ? `it replaces more than ${mostCharacters} characters`
    : null
}

/** It must be on lines that the diff shows and the finding is about. */
export const isElsewhere: SuggestionGuard = ({ suggestion: { path, startLine, endLine }, place }) => {
  if (path !== place.file.path) return 'it is about another file than the finding'
  if (endLine < startLine) return 'its lines run backwards'
  if (place.side === 'new' && (endLine < place.startLine || startLine > place.endLine))
    return 'it is about other lines than the finding'
  const shown = new Set(place.file.hunks.flatMap((hunk) => hunk.lines.map((line) => line.new)))
  for (let line = startLine; line <= endLine; line++)
    if (!shown.has(line)) return 'it reaches beyond the diff'
  return null
}
