/**
 * The stage on which a run is played: the real change through real git, opened once, and handed to the real pipeline
 * again and again. What follows from the frozen tree alone (texts, facts, deterministic planes, the graph) is computed
 * by the product once and remembered; all that a model's words go through runs anew each time.
 */

import type { ToolAnswer, Toolbox, ToolCall } from '../../../src/agent/contract.ts'
import { openContextTools } from '../../../src/assembly/open-context-tools.ts'
import type { IndexStore } from '../../../src/code-index/contract.ts'
import { loadConfig } from '../../../src/config/load.ts'
import { type Config, defaultConfig } from '../../../src/config/schema.ts'
import { defaultSettings } from '../../../src/config/settings/schema.ts'
import type { ReviewEvent } from '../../../src/domain/events.ts'
import type { FormatName } from '../../../src/domain/formats.ts'
import type { Journal, JournalAnswer } from '../../../src/domain/journal.ts'
import { type Depth, Review } from '../../../src/domain/review.ts'
import type { ReviewRequest } from '../../../src/domain/review-request.ts'
import type { RepoSnapshot } from '../../../src/domain/snapshot.ts'
import type { CollectedChange } from '../../../src/hosts/contract.ts'
import { collectLocal } from '../../../src/hosts/local/collect.ts'
import { nothingIsSent } from '../../../src/llm/agreement.ts'
import { createGateway } from '../../../src/llm/gateway.ts'
import type { Plane, PlaneInput, PlaneReport } from '../../../src/pipeline/planes/contract.ts'
import { planes as allPlanes } from '../../../src/pipeline/planes/registry.ts'
import { formats } from '../../../src/pipeline/publish/registry.ts'
import { review } from '../../../src/pipeline/review.ts'
import { journalKey } from '../../../src/storage/runs/recorder.ts'
import { anthropic } from '../../helpers/fakes/anthropic/protocol.ts'
import type { Call } from '../../helpers/fakes/contract.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'
import { type Exchange, playInProcess, type Said } from '../wire/in-process.ts'
import type { HostilePlaces } from './hostile-repository.ts'

/** All that came of one run, as those who judge it see it. */
export type Played = {
  depth: Depth
  review: Review
  exchanges: readonly Exchange[]
  events: readonly ReviewEvent[]
  /** What the journal was told: requests, answers, notes. */
  journal: readonly string[]
  outputs: Readonly<Record<string, string>>
  /** What the tools were really called with, and what came of it. */
  toolCalls: readonly { call: ToolCall; answer: ToolAnswer }[]
  /** Every path that was asked of a snapshot in this run. */
  pathsRead: readonly string[]
  config: Config
  budgetUsd: number
  /** Of this process, which does one run at a time; other work of the machine does not count. */
  processorMs: number
  refused: readonly string[]
}

export type Script = {
  speak: (call: Call) => Said
  depth: Depth
  budgetUsd: number
  config?: Partial<Config>
}

export interface Stage {
  play(script: Script): Promise<Played>
  close(): Promise<void>
}

export type StageOptions = {
  cacheFolder: string
  /** As if a host, a tracker or the operator had brought them for the change. */
  words?: Partial<ReviewRequest>
  /** HEAD when not given. */
  commit?: string
  /** What follows from trees alone, kept by a caller that opens many stages. */
  shared?: SharedWork
}

/** What the rules found between two trees, whoever says what of them. */
export type SharedWork = { facts: IndexStore; ruleReports: Map<string, Promise<PlaneReport>> }

export function openSharedWork(): SharedWork {
  return { facts: sharedFacts(), ruleReports: new Map() }
}

const model = 'fake/claude-sonnet-5-5'

export async function openStage(
  places: HostilePlaces,
  { cacheFolder, words = {}, commit = 'HEAD', shared }: StageOptions,
): Promise<Stage> {
  const signal = new AbortController().signal
  const selector = { kind: 'commit', commit } as const
  const limits = defaultConfig.limits
  const collected = await collectLocal({ folder: places.repository, selector, limits, signal })
  const pathsRead: string[] = []
  const base = remember(collected.base, pathsRead)
  const head = remember(collected.head, pathsRead)
  const request = { ...collected.request, ...words }
  const rawDiff = await collected.diff()
  const change: CollectedChange = {
    request,
    base,
    head,
    history: collected.history,
    repositoryLabel: collected.repositoryLabel,
    diff: async () => rawDiff,
    close: () => collected.close(),
  }
  const { config: read } = await loadConfig((path) => base.read(path))
  const facts = shared?.facts ?? sharedFacts()
  const planes = allPlanes.map((plane) =>
    shared && plane.name === 'rules' ? sharedPlane(plane, shared.ruleReports) : rememberPlane(plane),
  )
  const graphs = new Map<string, Promise<unknown>>()

  return {
    async play({ speak, depth, budgetUsd, config: own = {} }) {
      pathsRead.length = 0
      const events: ReviewEvent[] = []
      const journal: string[] = []
      const toolCalls: Played['toolCalls'][number][] = []
      const kept = listenTo(journal)
      const wire = playInProcess(anthropic, speak)
      const onEvent = (event: ReviewEvent) => void events.push(event)
      const config: Config = { ...read, ...own, review: { ...read.review, ...own.review, depth } }
      const gateway = await createGateway({
        agreed: nothingIsSent,
        settings: {
          ...defaultSettings,
          models: {
            ...defaultSettings.models,
            providers: { fake: { kind: 'anthropic', baseUrl: 'http://127.0.0.1:9/v1', keyFrom: 'FAKE_KEY' } },
            roles: { scout: [model], reviewer: [model], judge: [model] },
            prices: { [model]: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } },
          },
        },
        environment: { FAKE_KEY: 'sk-fake-0123456789abcdef' },
        journal: kept,
        budget: budgetUsd,
        onEvent,
        fetch: wire.fetch,
        wait: async () => {},
        random: () => 0.5,
      })
      const around = openContextTools({
        change,
        facts,
        cacheFolder,
        config,
        journal: null,
        sandbox: defaultSettings.sandbox,
        signal,
      })
      const startedAt = process.cpuUsage()
      const reviewed = await review(change, {
        config,
        planes,
        facts,
        models: {
          gateway,
          journal: kept,
          mayAsk: async () => true,
          explorer: {
            openToolbox: async (...asked) => watchTools(await around.openToolbox(...asked), toolCalls),
            definitionsOf: around.definitionsOf,
            elapsedSeconds: around.elapsedSeconds,
          },
        },
        retrieveGraph: (changed, inner) => {
          const known = graphs.get(depth) ?? around.retrieveGraph(changed, inner)
          graphs.set(depth, known)
          return known as ReturnType<typeof around.retrieveGraph>
        },
        onEvent,
        signal,
        now: () => new Date(0),
      })
      const { user, system } = process.cpuUsage(startedAt)
      const parsed = Review.parse(reviewed)
      return {
        depth,
        review: parsed,
        exchanges: wire.exchanges,
        events,
        journal,
        outputs: renderAll(parsed),
        toolCalls,
        pathsRead: [...pathsRead],
        config,
        budgetUsd,
        processorMs: (user + system) / 1000,
        refused: wire.refused,
      }
    },
    async close() {
      await collected.close()
    },
  }
}

/** Each format as people get it; the terminal also in colour. */
export function renderAll(done: Review): Record<string, string> {
  const options = { color: false, width: 100, explain: true, maxInline: 8 }
  const names: FormatName[] = ['terminal', 'markdown', 'html', 'json', 'sarif', 'rdjson', 'code-quality']
  return Object.fromEntries([
    ...names.map((name) => [name, formats[name](done, options)]),
    ['terminal in colour', formats.terminal(done, { ...options, color: true })],
  ])
}

/** The same tree, each file read from git once; who asks for what is written down. */
function remember(snapshot: RepoSnapshot, paths: string[]): RepoSnapshot {
  const kept = new Map<string, Promise<unknown>>()
  const once = <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const known = kept.get(key) ?? work()
    kept.set(key, known)
    return known as Promise<Result>
  }
  return {
    tree: snapshot.tree,
    list: () => once('list', () => snapshot.list()),
    entry(path) {
      paths.push(path)
      return once(`entry ${path}`, () => snapshot.entry(path))
    },
    read(path) {
      paths.push(path)
      return once(`read ${path}`, () => snapshot.read(path))
    },
    readMany(wanted) {
      paths.push(...wanted)
      return once(`many ${wanted.join('\0')}`, () => snapshot.readMany(wanted))
    },
    filesWithWords: (words) => once(`words ${words.join('\0')}`, () => snapshot.filesWithWords(words)),
  }
}

function rememberPlane(plane: Plane): Plane {
  return rememberBy(
    plane,
    new Map(),
    ({ context, config }) => `${context.hash} ${config.paths.exclude.join()}`,
  )
}

function sharedPlane(plane: Plane, reports: SharedWork['ruleReports']): Plane {
  return rememberBy(plane, reports, ({ base, head }) => `${base.tree} ${head.tree}`)
}

function rememberBy(
  plane: Plane,
  reports: Map<string, Promise<PlaneReport>>,
  keyOf: (input: PlaneInput) => string,
): Plane {
  return {
    name: plane.name,
    description: plane.description,
    look(input) {
      const key = keyOf(input)
      const known = reports.get(key) ?? plane.look(input)
      reports.set(key, known)
      return known
    },
  }
}

/** Remembers within the run, as the real one does, so that nothing that was paid for is asked again. */
function listenTo(journal: string[]): Journal {
  const known = new Map<string, JournalAnswer>()
  return {
    find: async (request) => known.get(journalKey(request)) ?? null,
    async record(request, answer) {
      known.set(journalKey(request), answer)
      journal.push(JSON.stringify(request), JSON.stringify(answer))
    },
    note: (note) => void journal.push(JSON.stringify(note)),
  }
}

function watchTools(toolbox: Toolbox, calls: Played['toolCalls'][number][]): Toolbox {
  return {
    guide: toolbox.guide,
    names: toolbox.names,
    argumentTypes: toolbox.argumentTypes,
    check: (call) => toolbox.check(call),
    async run(call, signal) {
      const answer = await toolbox.run(call, signal)
      calls.push({ call, answer })
      return answer
    },
  }
}
