/** Files that steer what agents, reviewers and tools do later. */
import type { FileChange } from './change-set.ts'

export type SteeringFile = {
  rule: string
  path: RegExp
  does: string
  do: string
  /** It starts programs or turns checks off, so a change to it is a finding; a change to another is only stated. */
  isFinding: boolean
}

const kinds: readonly SteeringFile[] = [
  {
    rule: 'own-configuration',
    path: /^\.sightline(?:\.ya?ml$|\/)/,
    does: 'sets what this reviewer looks for',
    do: 'set what this reviewer looks for',
    isFinding: true,
  },
  {
    rule: 'agent-file',
    path: /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|BUGBOT)(?:\.local)?\.md$|(?:^|\/)\.(?:cursorrules|clinerules|windsurfrules|goosehints|roorules)$|(?:^|\/)\.(?:clinerules|cursor\/rules|windsurf\/rules|claude\/(?:agents|commands|skills)|roo)\/|(?:^|\/)\.github\/(?:copilot-instructions\.md$|instructions\/|prompts\/|agents\/)/,
    does: 'is read by coding agents as instructions',
    do: 'are read by coding agents as instructions',
    isFinding: false,
  },
  {
    rule: 'agent-tools',
    path: /(?:^|\/)(?:\.mcp\.json|\.(?:cursor|vscode|gemini|roo)\/mcp\.json|\.claude\/settings(?:\.local)?\.json|\.gemini\/settings\.json)$/,
    does: 'sets which programs a coding agent starts, and what it may do unasked',
    do: 'set which programs a coding agent starts, and what it may do unasked',
    isFinding: true,
  },
  {
    rule: 'code-owners',
    path: /^(?:|\.(?:github|gitlab|forgejo|gitea|bitbucket)\/|docs\/)CODEOWNERS$/,
    does: 'sets who must agree to a change',
    do: 'set who must agree to a change',
    isFinding: false,
  },
  {
    rule: 'submodules',
    path: /^\.gitmodules$/,
    does: 'sets which other repositories are fetched along with this one',
    do: 'set which other repositories are fetched along with this one',
    isFinding: false,
  },
]

/** By kind, without what was only moved or is not reviewed. */
export function steeringFiles(files: readonly FileChange[]): Map<SteeringFile, FileChange[]> {
  const found = new Map<SteeringFile, FileChange[]>()
  for (const file of files) {
    const kind = kindOf(file)
    if (!kind || file.role === 'vendored' || file.role === 'excluded') continue
    // A folder that moves takes them along as they are.
    if (!kind.isFinding && file.status === 'renamed' && file.added === 0 && file.removed === 0) continue
    found.set(kind, [...(found.get(kind) ?? []), file])
  }
  return found
}

export function isAgentFile(file: FileChange): boolean {
  return kindOf(file)?.rule === 'agent-file'
}

function kindOf({ path, oldPath }: FileChange): SteeringFile | undefined {
  return kinds.find((kind) => kind.path.test(path) || (oldPath !== null && kind.path.test(oldPath)))
}
