/** Opens what a review looks around with: the graph retrieval and the tools, their answers kept in the journal. */

import { z } from 'zod'
import { callKey } from '../agent/answer.ts'
import type { ToolAnswer, Toolbox } from '../agent/contract.ts'
import { canonicalJson, sha256 } from '../base/canonical-json.ts'
import { UserError } from '../base/errors.ts'
import { once } from '../base/remembered.ts'
import { withinSeconds } from '../base/time-budget.ts'
import type { IndexStore } from '../code-index/contract.ts'
import { findTargets } from '../code-index/query/definitions.ts'
import { openIndexedTree } from '../code-index/query/open-tree.ts'
import { symbolOf } from '../code-index/resolve/symbols.ts'
import { openCodeSearch } from '../code-index/search/search.ts'
import type { Config } from '../config/schema.ts'
import type { SandboxSettings } from '../config/settings/schema.ts'
import type { ChangeSet } from '../domain/change-set.ts'
import type { Journal } from '../domain/journal.ts'
import type { EarlierChange, MemoryView } from '../domain/memory.ts'
import { ModelCall } from '../domain/model-call.ts'
import type { UsesElsewhere, WorkspaceView } from '../domain/workspace.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import type { ForeignParts } from '../hosts/mcp/servers.ts'
import { withCallsOf } from '../llm/metered-fetch.ts'
import type { Explorer } from '../pipeline/ask-models.ts'
import { findReach } from '../pipeline/context/find-reach.ts'
import type { GraphRetrieval } from '../pipeline/context/retrieval/contract.ts'
import { retrieveGraph, retrieveInTime } from '../pipeline/context/retrieval/retrieve-graph.ts'
import type { ContextParts } from '../pipeline/freeze-context.ts'
import type { FindReach } from '../pipeline/review.ts'
import type { ToolScope, ToolServers } from '../tools/contract.ts'
import { codeTools, isMemoryTool, toolsFor } from '../tools/registry.ts'
import { openTestRunner } from '../tools/test-runner.ts'
import { createToolbox } from '../tools/toolbox.ts'
import { openForeignTools } from './foreign-tools.ts'
import { graphOnRecord, recordTimeouts, runRecorded } from './run-recorded.ts'
import type { SearchModels } from './search-models.ts'
import { elsewhereOnRecord } from './workspace/uses-elsewhere.ts'

export type ContextTools = Explorer &
  Required<{ [Part in 'retrieveGraph' | 'keepEnd']: NonNullable<ContextParts[Part]> }> & {
    findReach: FindReach
  }

export type ContextToolParts = {
  /** As it was collected, not as it is recorded: what is read for an index is no part of the run. */
  change: Pick<CollectedChange, 'head' | 'base' | 'history' | 'request' | 'repositoryLabel'>
  facts: IndexStore
  cacheFolder: string | null
  config: Config
  journal: Journal | null
  sandbox: SandboxSettings
  /** The operator's MCP servers; null, or not given, where there are none. */
  foreign?: ForeignParts | null
  /** For what a scout asks, once it may cost something; the bundle itself is gathered before anybody agreed to that. */
  searchModels?: () => Promise<SearchModels>
  /** What the search behind an answer on record had cost. */
  recountSearch?: (calls: readonly ModelCall[]) => void
  /** What is on record is taken as it is, also where time had run out. */
  isReplay?: boolean
  /** Whether this review asks language servers, and who does; the second is null where only the journal answers. */
  asksServers?: () => boolean
  toolServers?: ToolServers | null
  /** What the tools of the memory answer from; they are not offered without. */
  remembered?: { memory: MemoryView; developer: readonly EarlierChange[] }
  /** Who answers for other repositories, where the request has nothing of them. */
  elsewhere?: UsesElsewhere | null
  /** For each call of a tool; the toolbox's own limit when not given. */
  toolSeconds?: number | undefined
  signal: AbortSignal
}

/** Raise it when the retrieval finds something else for the same change: what an earlier one found is then not used. */
const graphVersion = 4
/** For whom a change affects, where nothing else is collected around it. */
const reachSeconds = 5
/** For the definitions of names that a judge is shown. */
const locateSeconds = 10
/** Tools that ask a language server beside the index. */
const servedTools: ReadonlySet<string> = new Set(['find_references', 'find_callers', 'find_definition'])

export function openContextTools(parts: ContextToolParts): ContextTools {
  const { change, facts, cacheFolder, config, journal, sandbox, isReplay = false, signal } = parts
  const { head, base, history, request } = change
  const openTree = once(() => {
    const keep = request.head.commit !== null
    return openIndexedTree(head, facts, { cacheFolder, repository: change.repositoryLabel, keep, signal })
  })
  const openForeign = once(() =>
    openForeignTools(parts.foreign ?? null, { journal, isReplay, tree: head.tree, signal }),
  )
  const openSearchByMeaning = once(async () =>
    openCodeSearch(head, facts, { cacheFolder, signal, ...(await parts.searchModels?.()) }),
  )
  return {
    async retrieveGraph(changed, inner) {
      const { tree: base } = request.base
      const input = {
        version: graphVersion,
        base,
        head: head.tree,
        paths: changed.files.map(({ path }) => path),
      }
      // By itself it stops at its time; a little later it is cut off, and soon after that the whole section.
      const seconds = config.context.graphSeconds * 1.05
      return await graphOnRecord({ journal, input, seconds, isReplay, signal: inner }, (bounded) =>
        gatherGraph(changed, bounded),
      )
    },
    async findReach(changed, symbols) {
      const paths = changed.files.map(({ path }) => path)
      const input = { version: 1, base: request.base.tree, head: head.tree, paths }
      const seconds = parts.toolSeconds ?? reachSeconds
      try {
        return await foundInTime({ address: 'context/reach', tool: 'reach', input }, seconds * 1.5, () => {
          const startedAt = performance.now()
          const isOutOfTime = () => performance.now() - startedAt > seconds * 1000
          return findReach({ change: changed, symbols, head, facts, globs: config.paths.tests, isOutOfTime })
        })
      } catch (error) {
        // A run from before this was asked has no answer on record.
        if (!isReplay || !(error instanceof UserError)) throw error
        return []
      }
    },
    keepEnd: recordTimeouts({ journal, isReplay, base: request.base.tree, head: head.tree }),
    async openToolbox(stage = 'explore', surroundings = { changed: [], related: [] }) {
      const asksServers = parts.asksServers?.() ?? false
      const scope: ToolScope = {
        head,
        base,
        surroundings,
        history,
        tree: openTree,
        search: openSearchByMeaning,
        discussion: request.discussion ?? null,
        tickets: request.tickets ?? null,
        openTickets: request.openTickets ?? null,
        errors: request.errors ?? null,
        openChanges: request.openChanges ?? null,
        elsewhere: parts.elsewhere ?? (request.workspace ? elsewhereOnRecord(request.workspace) : null),
        memory:
          parts.remembered?.memory.notes.filter(
            ({ state, effect }) => state === 'active' && effect === null,
          ) ?? [],
        developer: parts.remembered?.developer ?? [],
        foreign: await openForeign(),
        testRunner: await openTestRunner(head, sandbox, signal),
        servers: asksServers ? (parts.toolServers ?? null) : null,
      }
      return keepAnswers(createToolbox({ ...toolsFor(scope), scope, seconds: parts.toolSeconds }), {
        scope,
        journal,
        asksServers,
        stage,
        workspace: request.workspace ?? null,
        recountSearch: parts.recountSearch ?? (() => {}),
      })
    },
    async definitionsOf(names) {
      const input = { version: 1, tree: head.tree, names }
      const task = { address: 'refute/definitions', tool: 'definitions', input }
      return await foundInTime(task, locateSeconds, async () => {
        const tree = await openTree()
        const found = await Promise.all(names.map((name) => findTargets(tree, name)))
        return found.flatMap((definitions, at) =>
          definitions.map((one) => {
            const { startLine, endLine } = symbolOf(one)
            return { name: names[at] ?? '', path: one.path, startLine, endLine }
          }),
        )
      })
    },
    async elapsedSeconds(bundle, iteration, startedAt) {
      const work = async () => ({ seconds: (performance.now() - startedAt) / 1000 })
      const address = `explore/iter-${iteration}`
      const input = { bundle, iteration }
      return (await runRecorded(journal, { kind: 'clock', address, clock: 'elapsed', input }, work)).result
        .seconds
    },
  }

  /** On record, unless it took too long or failed: then it is nothing, and the next review of the same tree tries again. */
  async function foundInTime<Found>(
    asked: { address: string; tool: string; input: object },
    seconds: number,
    find: () => Promise<Found[]>,
  ): Promise<Found[]> {
    const work = async () => {
      try {
        return await withinSeconds(seconds, signal, find)
      } catch {
        signal.throwIfAborted()
        return null
      }
    }
    const isToKeep = async (found: Found[] | null) => isReplay || found !== null
    return (await runRecorded(journal, { kind: 'tool', ...asked }, work, isToKeep)).result ?? []
  }

  function gatherGraph(changed: ChangeSet, inner: AbortSignal): Promise<GraphRetrieval> {
    return retrieveInTime(config.context.graphSeconds, inner, (keep, isOutOfTime) =>
      retrieveGraph({ change: changed, base, head, facts, isOutOfTime }, keep),
    )
  }
}

type Kept = {
  scope: ToolScope
  journal: Journal | null
  asksServers: boolean
  stage: 'explore' | 'review' | 'refute'
  workspace: WorkspaceView | null
  recountSearch: (calls: readonly ModelCall[]) => void
}

/** As it is on record: with the calls of embedder and reranker that it took, so that who finds it there counts them too. */
type RecordedAnswer = ToolAnswer & { searched?: ModelCall[] }

const Searched = z.object({ searched: z.array(ModelCall).optional() })

/** The calls behind an answer of a tool on record. */
export function searchedFor(answer: unknown): ModelCall[] {
  return Searched.safeParse(answer).data?.searched ?? []
}

/**
 * Answers are kept by tree and call, so that the next review of the same tree, and a replay, need no tool; what is told of
 * the discussion of a change also by that discussion, which goes on while the tree stays.
 */
function keepAnswers(toolbox: Toolbox, kept: Kept): Toolbox {
  const { scope, journal, asksServers, stage } = kept
  const { base, surroundings, discussion, tickets, openTickets, errors, openChanges, memory, developer } =
    scope
  const others = {
    ...(errors ? { errors } : {}),
    ...(openChanges ? { openChanges } : {}),
    ...(kept.workspace ? { workspace: kept.workspace } : {}),
  }
  const discussed = sha256(canonicalJson({ discussion, tickets, openTickets, ...others }))
  const remembered = sha256(canonicalJson({ memory, developer }))
  const change = sha256(canonicalJson({ base: base.tree, surroundings }))
  const treeOnly = new Set(codeTools.map(({ name }) => name))
  const knowsChange = new Set(codeTools.filter((tool) => tool.knowsChange).map(({ name }) => name))
  return {
    ...toolbox,
    async run(call, signal) {
      const known = {
        version: 2,
        tree: scope.head.tree,
        call: callKey(call),
        ...(knowsChange.has(call.tool) ? { change } : {}),
        ...(asksServers && servedTools.has(call.tool) ? { servers: true } : {}),
      }
      const input = treeOnly.has(call.tool)
        ? known
        : isMemoryTool(call.tool)
          ? { ...known, remembered }
          : { ...known, talk: discussed }
      const work = { kind: 'tool', address: `${stage}/${callKey(call)}`, tool: call.tool, input } as const
      const { result, isKept } = await runRecorded<RecordedAnswer>(journal, work, async () => {
        const { result: answer, calls } = await withCallsOf(() => toolbox.run(call, signal))
        return calls.length > 0 ? { ...answer, searched: calls } : answer
      })
      const { searched: _, ...answer } = result
      if (isKept) kept.recountSearch(searchedFor(result))
      return { ...answer, cached: isKept }
    },
  }
}
