/** Files for which nobody should be offered a change to commit with one click. */
import type { FileChange } from '../../../domain/change-set.ts'

const folders = /(?:^|\/)(?:\.github|\.gitlab|\.circleci|\.cursor|\.claude|\.vscode|\.husky|\.sightline)\//i
const names =
  /(?:^|\/)(?:agents|claude|gemini|copilot-instructions|codeowners)(?:\.[\w.-]+)?$|(?:^|\/)(?:\.[\w.-]+|jenkinsfile|dockerfile|makefile|[\w.-]+\.lock|package(?:-lock)?\.json|npm-shrinkwrap\.json|[\w.-]+-lock\.ya?ml|go\.(?:mod|sum))$/i

/** Workflows, lock files, configuration, instructions to agents, and whatever people do not read anyway. */
export function isProtected({ path, role, kind, newMode }: FileChange): boolean {
  const isPlain = kind === 'text' && newMode !== null
  const isRead = role === 'source' || role === 'test' || role === 'docs'
  return !isPlain || !isRead || folders.test(path) || names.test(path)
}
