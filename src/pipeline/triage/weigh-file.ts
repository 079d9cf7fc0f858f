/**
 * What code alone decides about one file, by a table of rules: which categories are not worth asking about, why, and which
 * of the others a scout may still leave out.
 */
import { type FileChange, unreadRoles } from '../../domain/change-set.ts'
import { Category } from '../../domain/severity.ts'
import { changesNothing, hintedCategories, touchesOnlyComments, touchesOnlyImports } from './changed-lines.ts'

export type Weighed = {
  /** Not worth asking about, with the reason. */
  skipped: ReadonlyMap<Category, string>
  /** Asked about, unless a scout says that it is not worth it. */
  open: readonly Category[]
  /** Name of the rule that applied; null where none fits. */
  rule: string | null
}

/**
 * What a scout may leave out. Never correctness, contracts or security: the author of the change also wrote the text that
 * the scout reads.
 */
const mayBeOpen: readonly Category[] = ['performance', 'tests', 'documentation', 'maintainability']

/** `found`: categories in which planes of code found something in the file; these are asked about in any case. */
export function weighFile(file: FileChange, found: ReadonlySet<Category> = new Set()): Weighed {
  const rule = triageRules.find(({ fits }) => fits(file))
  if (rule) {
    const pointless = Category.options.filter((one) => !rule.worth.includes(one) && !found.has(one))
    return { skipped: new Map(pointless.map((one) => [one, rule.reason])), open: [], rule: rule.name }
  }
  const hinted = hintedCategories(file)
  const open = mayBeOpen.filter((one) => !found.has(one) && !hinted.has(one))
  return { skipped: new Map(), open, rule: null }
}

type TriageRule = {
  /** As docs/quality/triage.md counts it. */
  name: string
  fits: (file: FileChange) => boolean
  worth: readonly Category[]
  /** Why the other categories are left out, as coverage reports it. */
  reason: string
}

const notHandWritten: readonly TriageRule[] = [...unreadRoles].map((role) => ({
  name: role,
  fits: (file) => file.role === role,
  worth: [],
  reason: `${role === 'lock' ? 'a lock file' : role}: ${role === 'excluded' ? 'left out by paths.exclude' : 'not written by hand'}`,
}))

/** The first that fits applies. A file that none fits is source code, and every category is worth asking about. */
const triageRules: readonly TriageRule[] = [
  ...notHandWritten,
  {
    name: 'moved',
    fits: changesNothing,
    worth: ['contract', 'security'],
    reason: 'moved, or another mode, without a changed line',
  },
  {
    name: 'for models',
    fits: ({ role, path }) => role === 'docs' && speaksToModels(path),
    worth: ['correctness', 'security', 'documentation', 'maintainability'],
    reason: 'instructions for models: they steer models but run no code',
  },
  {
    name: 'document',
    fits: ({ role }) => role === 'docs',
    // Whether its commands and claims are right belongs to documentation.
    worth: ['documentation', 'maintainability'],
    reason: 'a document: nothing in it runs',
  },
  {
    name: 'test',
    fits: ({ role }) => role === 'test',
    worth: ['tests', 'correctness', 'documentation', 'maintainability'],
    reason: 'a test: only developers of the code run it',
  },
  {
    name: 'data',
    // SQL and notebooks run, so whatever may be wrong with code may be wrong with them.
    fits: ({ role, path }) => role === 'data' && !/\.(?:sql|ipynb)$/i.test(path),
    worth: ['correctness', 'contract', 'security'],
    reason: 'data: nothing in it runs',
  },
  {
    name: 'deleted',
    fits: ({ status }) => status === 'deleted',
    worth: ['correctness', 'contract', 'security', 'tests'],
    reason: 'the file was deleted: the question is who still needs it',
  },
  {
    name: 'workflow',
    fits: ({ role, path }) => role === 'config' && runsAsWorkflow(path),
    worth: ['correctness', 'security', 'maintainability'],
    reason: 'it builds or ships the code but is not part of it',
  },
  {
    name: 'configuration',
    fits: ({ role }) => role === 'config',
    worth: ['correctness', 'contract', 'security', 'performance', 'maintainability', 'documentation'],
    reason: 'a configuration file: usually not tested',
  },
  {
    name: 'comments',
    fits: touchesOnlyComments,
    worth: ['documentation', 'maintainability'],
    reason: 'only comments and blank lines changed',
  },
  {
    name: 'imports',
    fits: touchesOnlyImports,
    worth: ['correctness', 'contract', 'security', 'maintainability'],
    reason: 'only imports changed',
  },
]

/** Files that steer models. */
const forModels =
  /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|SKILL|copilot-instructions|[^/]*\.(?:prompt|instructions))\.mdx?$|(?:^|\/)(?:prompts?|skills|\.cursor|\.claude)\//i

/** Files that build and ship the code. */
const workflow =
  /^\.github\/(?:workflows|actions)\/|(?:^|\/)(?:\.gitlab-ci\.yml|action\.ya?ml|azure-pipelines\.yml|Dockerfile[^/]*|docker-compose[^/]*\.ya?ml|compose\.ya?ml)$|^\.circleci\//i

function speaksToModels(path: string): boolean {
  return forModels.test(path)
}

function runsAsWorkflow(path: string): boolean {
  return workflow.test(path)
}
