/** What a tool is: one read-only question to one frozen tree, its history or its discussion. */
import type { z } from 'zod'
import type { CitedRange } from '../agent/contract.ts'
import type { LanguageServers } from '../code-index/language-servers/contract.ts'
import type { CodeTree } from '../code-index/query/contract.ts'
import type { CodeSearch } from '../code-index/search/search.ts'
import type { ChangeSurroundings } from '../domain/change-set.ts'
import type { EarlierChange, MemoryNote } from '../domain/memory.ts'
import type { OpenChange } from '../domain/open-change.ts'
import type { ProductionError } from '../domain/production-error.ts'
import type { RepoHistory, RepoSnapshot } from '../domain/snapshot.ts'
import type { DiscussionEntry, Ticket, TicketLine } from '../domain/ticket.ts'
import type { UsesElsewhere } from '../domain/workspace.ts'
import type { ForeignTools } from '../hosts/mcp/contract.ts'

/** All that tools can reach. Nothing in it writes, and nothing leaves the tree that is reviewed. */
export type ToolScope = {
  head: RepoSnapshot
  /** The tree before the change. */
  base: RepoSnapshot
  surroundings: ChangeSurroundings
  history: RepoHistory
  /** Opened by the first tool that needs it. */
  tree(): Promise<CodeTree>
  search(): Promise<CodeSearch>
  /** What people said of the change, as the collector froze it; null when nobody looked for it. */
  discussion: readonly DiscussionEntry[] | null
  /** Tickets that the change points to, and lines of open ones: frozen too, so that no tool needs a token. */
  tickets: readonly Ticket[] | null
  openTickets: readonly TicketLine[] | null
  /** Errors of production in changed files, frozen too; null when no tracker of errors was asked. */
  errors: readonly ProductionError[] | null
  /** Open change requests with a file in common, frozen too; null when the host was not asked. */
  openChanges: readonly OpenChange[] | null
  /** Who uses what is provided here in other repositories; null where there is no workspace. */
  elsewhere: UsesElsewhere | null
  /** Notes of the base that have an effect, and what became of the author's earlier changes; empty for none. */
  memory: readonly MemoryNote[]
  developer: readonly EarlierChange[]
  /** The operator's MCP servers; null where none is set up. */
  foreign: ForeignTools | null
  /** Null when no sandbox was found, or the operator allowed no tests. */
  testRunner: TestRunner | null
  /** Null when this review asks no language server. */
  servers: ToolServers | null
}

/** Language servers over the head, within the time that the review has for them. */
export interface ToolServers {
  /** Null when it took too long or failed, and the index has to do. Throws only when the signal aborts. */
  ask<Answer>(
    work: (servers: LanguageServers) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer | null>
}

/** Runs the operator's test commands on a copy of the head, cut off from the network and from all secrets. */
export interface TestRunner {
  /** Names of the commands that the operator allows. */
  readonly commands: readonly string[]
  /** For people: `bubblewrap 0.8.0`. */
  readonly sandbox: string
  run(
    command: string,
    signal: AbortSignal,
  ): Promise<{ exitCode: number | null; output: string; ended: string }>
}

export type ToolOutput = {
  /** Complete lines, before compaction; nothing of it is ours but the layout. */
  lines: readonly string[]
  /** Told below the lines, in our words: first how much there is, then doubts. */
  remarks: readonly string[]
  /** Which lines are lines of files: these are cited as such, and the rest is not. None: the answer is cited as a whole. */
  ranges?: readonly CitedRange[]
  /** True when the tool itself left something out: the remarks say what, and how to get it. */
  isPartial?: boolean
  /** Of an answer without lines: why it has none, and whether that proves that there is nothing. */
  emptiness?: { isEvidence: boolean; why: string } | null
}

/** How much one answer may hold. What is beyond is cut, and the cut is told. */
export type OutputLimits = { lines: number; lineLength: number; bytes: number }

export type ToolCost = 'cheap' | 'fair' | 'dear'

export interface Tool<Args = Readonly<Record<string, unknown>>> {
  /** Snake case, as models write it. */
  readonly name: string
  readonly cost: ToolCost
  /** One or two sentences for the model: what it answers, and when to ask. */
  readonly about: string
  /** Flat: texts, numbers and flags only. Unknown keys are dropped. */
  readonly args: z.ZodType<Args>
  readonly limits: OutputLimits
  /** How a model gets what was cut, for the mark of the cut: `narrow it with path`. Ranges of files name a line instead. */
  readonly narrow: string
  /** Part of the key under which answers are kept: raised when an answer to the same call changes. */
  readonly version: number
  /** False when its answer depends on more than the tree: then it is never kept for other runs. */
  readonly keeps: boolean
  /** True when its answer depends on the change too: its base tree, or what is near it. */
  readonly knowsChange?: boolean
  /** May throw `ToolError` for what the model can fix; anything else is reported as a failure of the tool. */
  run(args: Args, scope: ToolScope, signal: AbortSignal): Promise<ToolOutput>
}

/** What the model can fix, in words for it. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** Ties the arguments that `run` gets to the schema beside it; the toolbox parses before it runs. */
export function defineTool<Args>(tool: Tool<Args>): Tool {
  return tool as unknown as Tool
}
