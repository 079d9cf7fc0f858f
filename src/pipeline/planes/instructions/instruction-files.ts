/** Files that tell tools and agents what to do, or people who must agree: that they changed is worth a word. */
import type { FileChange } from '../../../domain/change-set.ts'
import type { Sighting } from './sighting.ts'

type InstructionFile = { rule: string; path: RegExp; does: string; severity: 'medium' | 'low' }

const instructionFiles: readonly InstructionFile[] = [
  {
    rule: 'own-configuration',
    path: /^\.sightline(?:\.ya?ml$|\/)/,
    does: 'sets what this reviewer looks for',
    severity: 'medium',
  },
  {
    rule: 'agent-file',
    path: /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|BUGBOT)(?:\.local)?\.md$|(?:^|\/)\.(?:cursorrules|clinerules|windsurfrules|goosehints|roorules)$|(?:^|\/)\.(?:clinerules|cursor\/rules|windsurf\/rules|claude\/(?:agents|commands|skills)|roo)\/|(?:^|\/)\.github\/(?:copilot-instructions\.md$|instructions\/|prompts\/|agents\/)/,
    does: 'is read by coding agents as instructions',
    severity: 'low',
  },
  {
    rule: 'agent-tools',
    path: /(?:^|\/)(?:\.mcp\.json|\.(?:cursor|vscode|gemini|roo)\/mcp\.json|\.claude\/settings(?:\.local)?\.json|\.gemini\/settings\.json)$/,
    does: 'sets which programs a coding agent starts, and what it may do unasked',
    severity: 'medium',
  },
  {
    rule: 'code-owners',
    path: /^(?:|\.github\/|\.gitlab\/|docs\/)CODEOWNERS$/,
    does: 'sets who must agree to a change',
    severity: 'low',
  },
  {
    rule: 'submodules',
    path: /^\.gitmodules$/,
    does: 'sets which other repositories are fetched along with this one',
    severity: 'low',
  },
]

export function sightFile(file: FileChange): Sighting[] {
  if (file.role === 'vendored') return []
  const names = [file.path, ...(file.oldPath === null ? [] : [file.oldPath])]
  return instructionFiles
    .filter(({ path }) => names.some((name) => path.test(name)))
    .slice(0, 1)
    .map(({ rule, does, severity }) => ({
      rule,
      severity,
      confidence: 'certain',
      title: `${verbs[file.status]} \`${file.path}\`, which ${does}`,
      explanation: `Such a file steers what others do later, so a person should read the change to it word by word. This review was not steered by it: configuration, rules and instructions are taken from the commit before the change.`,
      remedy: null,
      lines: [],
    }))
}

const verbs: Readonly<Record<FileChange['status'], string>> = {
  added: 'Adds',
  deleted: 'Deletes',
  modified: 'Changes',
  renamed: 'Renames',
  copied: 'Copies',
  'type-changed': 'Replaces',
}
