/**
 * Step 5: a suggestion is committed with one click, so it must be harmless, apply, parse and type-check. One that may be
 * shown but not offered becomes an example; the finding itself is kept in any case.
 */
import { sha256 } from '../../../base/canonical-json.ts'
import type { FileFacts } from '../../../code-index/contract.ts'
import { type Candidate, type Edit, editsOf, type Suggestion } from '../../../domain/finding.ts'
import type { Checker, Problem, Problems } from '../checker/contract.ts'
import {
  type CandidateState,
  locationOf,
  type StepResult,
  type ValidationContext,
  type ValidationStep,
} from '../contract.ts'
import { type Sources, splitLines } from '../sources.ts'
import {
  isElsewhere,
  isHidden,
  isOnProtectedFile,
  isTooLarge,
  isUnnamed,
  type OfferedSuggestion,
  type SuggestionGuard,
} from './safety.ts'

/** Guards that remove a suggestion come first, so that no harmful one is shown as an example. */
export const suggestionSteps: readonly ValidationStep[] = [
  guard('protected files', isOnProtectedFile, 'removed'),
  guard('size of the suggestion', isTooLarge, 'removed'),
  guard('visible suggestion', isHidden, 'removed'),
  guard('foreign literals', isUnnamed, 'removed'),
  guard('place of the suggestion', isElsewhere, 'example'),
  guard('suggestion applies', doesNotApply, 'example'),
  guard('new code', isIdentical, 'example'),
  guard('suggestion parses', doesNotParse, 'example'),
  { name: 'suggestion type-checks', step: 'suggestion', run: checkTyped },
]

const longestExample = 4_000

function guard(name: string, fault: SuggestionGuard, fate: 'removed' | 'example'): ValidationStep {
  return {
    name,
    step: 'suggestion',
    async run(state, context) {
      const { suggestion } = state.candidate
      if (!suggestion) return {}
      const reason = await fault({ suggestion, state, location: locationOf(state) }, context)
      return reason === null ? {} : withhold(state.candidate, suggestion, reason, fate)
    },
  }
}

function withhold(
  candidate: Candidate,
  suggestion: Suggestion,
  reason: string,
  fate: 'removed' | 'example',
): StepResult {
  const code = editsOf(suggestion)
    .map(({ replacement }) => replacement)
    .filter((text) => text.trim() !== '')
    .join('\n\n')
  const example = fate === 'example' && code !== '' ? { example: code.slice(0, longestExample) } : {}
  return {
    candidate: { ...candidate, suggestion: null, ...example, refusedSuggestion: reason },
    demotions: [`suggestion ${'example' in example ? 'shown as an example only' : 'left out'}: ${reason}`],
  }
}

async function doesNotApply(
  { suggestion }: OfferedSuggestion,
  { sources }: ValidationContext,
): Promise<string | null> {
  const lines = await sources.lines('new', suggestion.path)
  if (!lines) return `\`${suggestion.path}\` cannot be read after the change`
  return editsOf(suggestion).some(({ endLine }) => endLine > lines.length)
    ? 'it does not apply: the file is shorter'
    : null
}

/** White space at line ends does not count. */
async function isIdentical(
  { suggestion }: OfferedSuggestion,
  { sources }: ValidationContext,
): Promise<string | null> {
  const lines = (await sources.lines('new', suggestion.path)) ?? []
  const bare = (some: readonly string[]) => some.map((line) => line.trimEnd()).join('\n')
  const changesNothing = editsOf(suggestion).every(
    ({ startLine, endLine, replacement }) =>
      bare(lines.slice(startLine - 1, endLine)) === bare(splitLines(replacement)),
  )
  return changesNothing ? 'it is identical to the existing code' : null
}

/** A file in a language without a grammar counts as parsed. */
async function doesNotParse(
  { suggestion }: OfferedSuggestion,
  { sources }: ValidationContext,
): Promise<string | null> {
  const before = await sources.facts('new', suggestion.path)
  const changed = await applySuggestion(suggestion, sources)
  if (!before || changed === null) return null
  const after = await sources.factsOfText(suggestion.path, sha256(changed), changed)
  return after && parsesAsBefore(before, after) ? null : 'the file would no longer parse'
}

/** Whether a file has no more lines that cannot be parsed than it had. */
export function parsesAsBefore(before: FileFacts, after: FileFacts): boolean {
  return countErrorLines(after) <= countErrorLines(before)
}

function countErrorLines({ errorLines }: FileFacts): number {
  return errorLines.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0)
}

/** The last check, because it is the slowest; it also reports what the earlier ones verified. */
async function checkTyped(
  { candidate }: CandidateState,
  { sources, checker }: ValidationContext,
): Promise<StepResult> {
  const { suggestion } = candidate
  if (!suggestion) return {}
  const text = await applySuggestion(suggestion, sources)
  const typed = text === null ? null : await checkTypes(checker, suggestion.path, text)
  if (typed && typed.fault !== null) return withhold(candidate, suggestion, typed.fault, 'example')
  const isParsed = (await sources.facts('new', suggestion.path)) !== null
  const seen = ['applies', ...(isParsed ? ['parses'] : []), ...(typed?.verified ? [typed.verified] : [])]
  return {
    verifiedBy: [
      `the suggestion ${seen.slice(0, -1).join(', ')}${seen.length > 1 ? ' and ' : ''}${seen.at(-1)}`,
    ],
  }
}

/** The text of the file with all edits in it; null if unreadable. */
async function applySuggestion(suggestion: Suggestion, sources: Sources): Promise<string | null> {
  const lines = await sources.lines('new', suggestion.path)
  return lines && `${withEdits(lines, editsOf(suggestion)).join('\n')}\n`
}

/** The lines of a file with edits in them, sorted from the top, that share no line; each takes the line ends of what it replaces. */
export function withEdits(lines: readonly string[], edits: readonly Edit[]): string[] {
  const changed = [...lines]
  // From the bottom, so that the numbers of the lines above stay right.
  for (const { startLine, endLine, replacement } of [...edits].reverse()) {
    const ending = lines[startLine - 1]?.endsWith('\r') ? '\r' : ''
    const proposed = splitLines(replacement).map((line) => line.replace(/\r$/, '') + ending)
    changed.splice(startLine - 1, endLine - startLine + 1, ...proposed)
  }
  return changed
}

type TypeCheck =
  /** The checker's complaint, as a reason. */
  | { fault: string }
  /** `type-checks (typescript 7.0.2)`; null when no checker could say. */
  | { fault: null; verified: string | null }

/** Whether a file would still type-check with another text: it must have no error that it did not have before. */
export async function checkTypes(
  checker: Checker | null | undefined,
  path: string,
  text: string,
): Promise<TypeCheck> {
  const before = checker ? await checker.problems('new', path) : null
  const after = before && checker ? await checker.problemsWith(path, text) : null
  if (!before || !after) return { fault: null, verified: null }
  const [first] = newProblems(before, after)
  if (first)
    return {
      fault: `with it ${after.by} finds ${first.code === null ? 'an error' : `error ${first.code}`} in line ${first.line}`,
    }
  if (!after.checksTypes) return { fault: null, verified: null }
  const isPartial = after.problems.some(({ isAbsence }) => isAbsence)
  const without = isPartial ? ', without what is not in the repository' : ''
  return { fault: null, verified: `type-checks (${after.by}${without})` }
}

/** Lines shift, so errors are compared by message, and counted. */
function newProblems({ problems: before }: Problems, { problems: after }: Problems): Problem[] {
  const known = new Map<string, number>()
  for (const one of before) known.set(nameOf(one), (known.get(nameOf(one)) ?? 0) + 1)
  return after.filter((one) => {
    if (one.isAbsence) return false
    const left = known.get(nameOf(one)) ?? 0
    known.set(nameOf(one), left - 1)
    return left <= 0
  })
}

function nameOf({ code, messageId }: Problem): string {
  return `${code}\n${messageId}`
}
