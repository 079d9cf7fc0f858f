/** Guards against harmful suggestions, which must not even be shown as code to copy: see docs/reading-a-review.md. */
import { visibleText } from '../../../base/visible-text.ts'
import type { FileChange } from '../../../domain/change-set.ts'
import { type Edit, editsOf, type Suggestion } from '../../../domain/finding.ts'
import type { CandidateState, DiffLocation, ValidationContext } from '../contract.ts'

export type OfferedSuggestion = { suggestion: Suggestion; state: CandidateState; location: DiffLocation }

/** Returns the reason why the suggestion must not be offered; null when there is none. */
export type SuggestionGuard = (
  offered: OfferedSuggestion,
  context: ValidationContext,
) => string | null | Promise<string | null>

/** Files for which no one-click change is offered. */
const folders = /(?:^|\/)(?:\.github|\.gitlab|\.circleci|\.cursor|\.claude|\.vscode|\.husky|\.sightline)\//i
const names =
  /(?:^|\/)(?:agents|claude|gemini|copilot-instructions|codeowners)(?:\.[\w.-]+)?$|(?:^|\/)(?:\.[\w.-]+|jenkinsfile|dockerfile|makefile|[\w.-]+\.lock|package(?:-lock)?\.json|npm-shrinkwrap\.json|[\w.-]+-lock\.ya?ml|go\.(?:mod|sum))$/i

/** The file it is for, by its path and by what the change says of it, and the file of the finding. */
export const isOnProtectedFile: SuggestionGuard = ({ suggestion: { path }, location }, { bundle }) => {
  const own = bundle.change.files.find((file) => file.path === path)
  return isProtected(location.file) || isProtected({ ...(own ?? location.file), path })
    ? 'it would change a workflow, lock, configuration or instruction file'
    : null
}

/** Workflows, lock files, configuration, instructions to agents, and files that people do not read. */
function isProtected({ path, role, kind, newMode }: FileChange): boolean {
  const isPlain = kind === 'text' && newMode !== null
  const isRead = role === 'source' || role === 'test' || role === 'docs'
  return !isPlain || !isRead || folders.test(path) || names.test(path)
}

const longestLines = 20
const longestCharacters = 4000

/** Counts the lines that it adds and those that it replaces, over all edits. */
export const isTooLarge: SuggestionGuard = async ({ suggestion }, { sources }) => {
  const edits = editsOf(suggestion)
  const lines = (await sources.lines('new', suggestion.path)) ?? []
  const sum = (size: (edit: Edit) => number) => edits.reduce((total, edit) => total + size(edit), 0)
  if (
    sum(({ startLine, endLine }) => endLine - startLine + 1) > longestLines ||
    sum(({ replacement }) => replacement.split('\n').length) > longestLines
  )
    return `it is longer than ${longestLines} lines`
  if (sum(({ replacement }) => replacement.length) > longestCharacters)
    return `it is longer than ${longestCharacters} characters`
  return sum((edit) => replacedBy(edit, lines).length) > longestCharacters
    ? `it replaces more than ${longestCharacters} characters`
    : null
}

function replacedBy({ startLine, endLine }: Edit, lines: readonly string[]): string {
  return lines.slice(startLine - 1, Math.max(startLine - 1, endLine)).join('\n')
}

/**
 * It must be on lines that the diff shows and the finding is about. Lines that were found by their words are in the function
 * of the finding, whether the diff shows them or not.
 */
export const isElsewhere: SuggestionGuard = ({ suggestion, location }) => {
  const { path, startLine, endLine, replaced } = suggestion
  if (path !== location.file.path) return 'it is about another file than the finding'
  if (endLine < startLine) return 'its lines run backwards'
  if (replaced !== undefined) return null
  if (location.side === 'new' && (endLine < location.startLine || startLine > location.endLine))
    return 'it is about other lines than the finding'
  const shown = new Set(location.file.hunks.flatMap((hunk) => hunk.lines.map((line) => line.new)))
  for (let line = startLine; line <= endLine; line++)
    if (!shown.has(line)) return 'it reaches beyond the diff'
  return null
}

export const isHidden: SuggestionGuard = ({ suggestion }) =>
  editsOf(suggestion).every(({ replacement }) => visibleText(replacement) === replacement)
    ? null
    : 'it holds hidden or control characters'

/** Finding strings is quadratic at worst, in a text full of quotation marks. */
const mostCharacters = 10_000

/** A string, an address or a word that loads or runs code may be added or removed only when the finding names it. */
export const isUnnamed: SuggestionGuard = async ({ suggestion, state: { candidate } }, { sources }) => {
  const lines = (await sources.lines('new', suggestion.path)) ?? []
  const words = [candidate.title, candidate.explanation, candidate.remedy ?? ''].join('\n')
  const edits = editsOf(suggestion).map((edit) => ({ old: replacedBy(edit, lines), now: edit.replacement }))
  if (edits.reduce((sum, { old, now }) => sum + old.length + now.length, 0) > mostCharacters)
    return 'its lines are too long to check'
  const changes = edits.flatMap(({ old, now }) => delicateChanges(old, now))
  const unnamed = changes.find((part) => !words.includes(part))
  return unnamed === undefined
    ? null
    : `it changes \`${unnamed.slice(0, 60)}\`, which the finding does not name`
}

/** Quadratic at worst on a run of unclosed quotation marks, so callers keep the code short (`mostCharacters`). */
const literal = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/g
const address = /\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'`<>)]+/gi
const power =
  /\b(?:import|require|include|eval|exec\w*|spawn\w*|system|popen|subprocess|child_process|Function|fetch|curl|wget|unsafe|__import__)\b/g

/** Strings and powerful words that one text has and the other has not (or not as often), without quotation marks. */
export function delicateChanges(before: string, after: string): string[] {
  const [old, now] = [delicateParts(before), delicateParts(after)]
  return [...new Set([...missingFrom(now, old), ...missingFrom(old, now)])]
    .filter((part) => part !== '')
    .sort()
}

function delicateParts(code: string): string[] {
  return [
    ...(code.match(literal) ?? []).map((text) => text.slice(1, -1)),
    ...(code.match(address) ?? []),
    ...(code.match(power) ?? []),
  ]
}

function missingFrom(pool: readonly string[], parts: readonly string[]): string[] {
  const rest = new Map<string, number>()
  for (const part of pool) rest.set(part, (rest.get(part) ?? 0) + 1)
  return parts.filter((part) => {
    const number = rest.get(part) ?? 0
    rest.set(part, number - 1)
    return number <= 0
  })
}
