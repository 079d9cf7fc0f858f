/** Which tools there are, cheap ones first. */
import type { Tool, ToolScope } from './contract.ts'
import { findCallers } from './find-callers.ts'
import { findDefinition } from './find-definition.ts'
import { findReferences } from './find-references.ts'
import { getFileHistory } from './get-file-history.ts'
import { getIssueDetails } from './get-issue-details.ts'
import { getPrDiscussion } from './get-pr-discussion.ts'
import { grep } from './grep.ts'
import { listDir } from './list-dir.ts'
import { outlineSymbols } from './outline-symbols.ts'
import { readFile } from './read-file.ts'
import { runTests } from './run-tests.ts'
import { searchCode } from './search-code.ts'
import { searchOpenIssues } from './search-open-issues.ts'

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

/** Those that have something to answer from: no discussion, no tool for it; no sandbox, no `run_tests`. */
export function toolsFor({ discussion, tickets, openTickets, testRunner }: ToolScope): readonly Tool[] {
  return [
    ...codeTools,
    ...(discussion.length > 0 ? [getPrDiscussion] : []),
    ...(tickets.length > 0 ? [getIssueDetails] : []),
    ...(openTickets.length > 0 ? [searchOpenIssues] : []),
    ...(testRunner && testRunner.commands.length > 0 ? [runTests] : []),
  ]
}
