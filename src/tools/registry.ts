/** Which tools there are, cheap ones first. */
import type { Tool, ToolScope } from './contract.ts'
import { findCallers } from './find-callers.ts'
import { findDefinition } from './find-definition.ts'
import { findReferences } from './find-references.ts'
import { findUsesElsewhere } from './find-uses-elsewhere.ts'
import { foreignTool } from './foreign.ts'
import { getFileHistory } from './get-file-history.ts'
import { getIssueDetails } from './get-issue-details.ts'
import { getLinkedIssues } from './get-linked-issues.ts'
import { getOpenChanges } from './get-open-changes.ts'
import { getPrDiscussion } from './get-pr-discussion.ts'
import { getRelatedErrors } from './get-related-errors.ts'
import { grep } from './grep.ts'
import { listDir } from './list-dir.ts'
import { outlineSymbols } from './outline-symbols.ts'
import { readFile } from './read-file.ts'
import { runTests } from './run-tests.ts'
import { searchCode } from './search-code.ts'
import { searchDeveloperMemory } from './search-developer-memory.ts'
import { searchOpenIssues } from './search-open-issues.ts'
import { searchProjectMemory } from './search-project-memory.ts'

/** Tools that a tree and its history are enough for. */
export const codeTools: readonly Tool[] = [
  outlineSymbols,
  grep,
  findDefinition,
  listDir,
  readFile,
  findReferences,
  findCallers,
  getFileHistory,
  searchCode,
]

/** Those that have something to answer from, and of the others why they have not, in words for the model. */
export function toolsFor(scope: ToolScope): OfferedTools {
  const { discussion, tickets, openTickets, errors, openChanges, elsewhere, testRunner, foreign } = scope
  const some: readonly { tools: readonly Tool[]; missing: string | null }[] = [
    { tools: [getPrDiscussion], missing: discussion ? null : 'no pull request is known for this change' },
    { tools: [getLinkedIssues, getIssueDetails], missing: tickets ? null : 'no tickets were requested' },
    { tools: [searchOpenIssues], missing: openTickets ? null : 'no list of open tickets was fetched' },
    {
      tools: [runTests],
      missing:
        testRunner && testRunner.commands.length > 0
          ? null
          : 'no test command is configured, or no sandbox works here',
    },
  ]
  return {
    tools: [
      ...codeTools,
      ...memoryTools(scope),
      ...some.flatMap(({ tools, missing }) => (missing === null ? tools : [])),
      // Where no tracker of errors is set up, nothing is said of it: most operators have none.
      ...(errors ? [getRelatedErrors] : []),
      ...(openChanges ? [getOpenChanges] : []),
      ...(elsewhere ? [findUsesElsewhere] : []),
      ...(foreign?.tools ?? []).map(foreignTool),
    ],
    missing: [
      ...some.flatMap(({ tools, missing }) =>
        missing === null ? [] : tools.map(({ name }) => ({ name, why: missing })),
      ),
      ...(foreign?.missing ?? []),
    ],
  }
}

/** Where there is no memory, nothing is said of it: a team without one loses nothing. */
function memoryTools({ memory, developer }: ToolScope): readonly Tool[] {
  return [
    ...(memory.length > 0 ? [searchProjectMemory] : []),
    ...(developer.length > 0 ? [searchDeveloperMemory] : []),
  ]
}

export function isMemoryTool(name: string): boolean {
  return name === searchProjectMemory.name || name === searchDeveloperMemory.name
}

export type OfferedTools = { tools: readonly Tool[]; missing: readonly { name: string; why: string }[] }
