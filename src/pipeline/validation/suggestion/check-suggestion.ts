/** Step 5: a suggestion is code that somebody commits with one click, so it must be harmless, apply and parse. */
import { sha256 } from '../../../base/canonical-json.ts'
import { visibleText } from '../../../base/visible-text.ts'
import type { FileFacts } from '../../../code-index/contract.ts'
import type { Candidate, Suggestion } from '../../../domain/finding.ts'
import type { Place } from '../anchor/place.ts'
import { type Sources, splitLines } from '../sources.ts'
import type { StepNotes } from '../step.ts'
import { delicateChanges } from './literals.ts'
import { isProtected } from './protected-paths.ts'

const mostLines = 20
const mostCharacters = 4000

/** The candidate without its suggestion and why, when it must not be offered; the finding itself stays. */
export async function checkSuggestion(
  candidate: Candidate,
  place: Place,
  sources: Sources,
): Promise<StepNotes & { candidate: Candidate }> {
  const { suggestion } = candidate
  if (!suggestion) return { candidate, verifiedBy: [], demotions: [] }
  const fault = findStaticFault(suggestion, place) ?? (await findFaultInText(candidate, suggestion, sources))
  if (fault !== null) {
    const demotions = [`suggestion left out: ${fault}`]
    return { candidate: { ...candidate, suggestion: null }, verifiedBy: [], demotions }
  }
  const isParsed = (await sources.facts('new', suggestion.path)) !== null
  return { candidate, verifiedBy: [`the suggestion applies${isParsed ? ' and parses' : ''}`], demotions: [] }
}

function findStaticFault(suggestion: Suggestion, { file, side, ...place }: Place): string | null {
  const { path, startLine, endLine, replacement } = suggestion
  if (path !== file.path) return 'it is about another file than the finding'
  if (isProtected(file)) return 'it would change a workflow, lock, configuration or instruction file'
  if (endLine < startLine) return 'its lines run backwards'
  if (side === 'new' && (endLine < place.startLine || startLine > place.endLine))
    return 'it is about other lines than the finding'
  if (endLine - startLine >= mostLines || replacement.split('\n').length > mostLines)
    return `it is longer than ${mostLines} lines`
  if (replacement.length > mostCharacters) return `it is longer than ${mostCharacters} characters`
  if (visibleText(replacement) !== replacement) return 'it holds hidden or control characters'
  const shown = new Set(file.hunks.flatMap((hunk) => hunk.lines.map((line) => line.new)))
  for (let line = startLine; line <= endLine; line++)
    if (!shown.has(line)) return 'it reaches beyond the diff'
  return null
}

async function findFaultInText(
  candidate: Candidate,
  { path, startLine, endLine, replacement }: Suggestion,
  sources: Sources,
): Promise<string | null> {
  const file = await sources.text('new', path)
  if (!file) return `\`${path}\` cannot be read after the change`
  const lines = splitLines(file.text)
  if (endLine > lines.length) return 'it does not apply: the file is shorter'
  const existing = lines.slice(startLine - 1, endLine)
  const proposed = splitLines(replacement)
  if (existing.join('\n').length > mostCharacters) return `it replaces more than ${mostCharacters} characters`
  if (sameCode(existing, proposed)) return 'it is identical to the existing code'
  const words = [candidate.title, candidate.explanation, candidate.remedy ?? ''].join('\n')
  const unnamed = delicateChanges(existing.join('\n'), proposed.join('\n')).find(
    (part) => !words.includes(part),
  )
  if (unnamed !== undefined) return `it changes \`${unnamed.slice(0, 60)}\`, which the finding does not name`

  const eol = existing[0]?.endsWith('\r') ? '\r' : ''
  const mended = [
    ...lines.slice(0, startLine - 1),
    ...proposed.map((line) => line.replace(/\r$/, '') + eol),
    ...lines.slice(endLine),
  ].join('\n')
  const before = await sources.facts('new', path)
  if (!before) return null
  const after = await sources.factsOfText(path, sha256(mended), `${mended}\n`)
  return after && countErrorLines(after) <= countErrorLines(before) ? null : 'the file would no longer parse'
}

function sameCode(existing: readonly string[], proposed: readonly string[]): boolean {
  const bare = (lines: readonly string[]) => lines.map((line) => line.trimEnd()).join('\n')
  return bare(existing) === bare(proposed)
}

function countErrorLines({ errorLines }: FileFacts): number {
  return errorLines.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0)
}
