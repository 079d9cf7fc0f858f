/** What must not even be shown as code to copy: see docs/reading-a-review.md. */
import { visibleText } from '../../../base/visible-text.ts'
import type { SuggestionGuard } from './contract.ts'
import { delicateChanges } from './literals.ts'
import { isProtected } from './protected-paths.ts'

/** The file it is for, by its path and by what the change says of it, and the file of the finding. */
export const isOnProtectedFile: SuggestionGuard = ({ suggestion: { path }, place }, { context }) => {
  const own = context.change.files.find((file) => file.path === path)
  return isProtected(place.file) || isProtected({ ...(own ?? place.file), path })
    ? 'it would change a workflow, lock, configuration or instruction file'
    : null
}

export const isHidden: SuggestionGuard = ({ suggestion: { replacement } }) =>
  visibleText(replacement) === replacement ? null : 'it holds hidden or control characters'

/** Looking for strings is quadratic at worst, in a text full of quotation marks. */
const mostCharacters = 10_000

/** A string, an address or a word that loads or runs things may come, go or change only when the finding says so. */
export const isUnnamed: SuggestionGuard = async ({ suggestion, walk: { candidate } }, { sources }) => {
  const { path, startLine, endLine, replacement } = suggestion
  const lines = (await sources.lines('new', path)) ?? []
  const words = [candidate.title, candidate.explanation, candidate.remedy ?? ''].join('\n')
  const existing = lines.slice(startLine - 1, Math.max(startLine - 1, endLine)).join('\n')
  if (existing.length + replacement.length > mostCharacters) return 'its lines are too long to check'
  const unnamed = delicateChanges(existing, replacement).find((part) => !words.includes(part))
  return unnamed === undefined
    ? null
    : `it changes \`${unnamed.slice(0, 60)}\`, which the finding does not name`
}
