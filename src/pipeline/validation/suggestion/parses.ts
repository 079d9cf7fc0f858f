/** Whether the file would still parse with a suggestion in it; a language without a grammar is not held against it. */
import { sha256 } from '../../../base/canonical-json.ts'
import type { FileFacts } from '../../../code-index/contract.ts'
import { applySuggestion } from './applies.ts'
import type { SuggestionGuard } from './contract.ts'

export const doesNotParse: SuggestionGuard = async ({ suggestion }, { sources }) => {
  const before = await sources.facts('new', suggestion.path)
  const mended = await applySuggestion(suggestion, sources)
  if (!before || mended === null) return null
  const after = await sources.factsOfText(suggestion.path, sha256(mended), mended)
  return after && countErrorLines(after) <= countErrorLines(before) ? null : 'the file would no longer parse'
}

function countErrorLines({ errorLines }: FileFacts): number {
  return errorLines.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0)
}
