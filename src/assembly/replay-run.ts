/** Goes through a run again: from its record alone, or with one role played by another model. */

import { canonicalJson } from '../base/canonical-json.ts'
import { UserError } from '../base/errors.ts'
import type { ModelRoles, ModelSettings } from '../config/settings/models.ts'
import { defaultSettings } from '../config/settings/schema.ts'
import type { Journal } from '../domain/journal.ts'
import type { MemoryNote } from '../domain/memory.ts'
import type { ModelCall, ModelRole } from '../domain/model-call.ts'
import type { Review } from '../domain/review.ts'
import type { ChangeSource } from '../hosts/contract.ts'
import { replayChange } from '../hosts/recorded/replay-change.ts'
import type { LedgerView } from '../ledger/settle.ts'
import { type Agreed, isAgreed, nothingIsSent, readAgreement } from '../llm/agreement.ts'
import { recordedCall } from '../llm/metered-fetch.ts'
import { openAccount } from '../llm/money/account.ts'
import { askedRoles, type ModelSetup, providerName, setUpModels } from '../llm/routes/setup.ts'
import type { Explorer, ModelParts } from '../pipeline/ask-models.ts'
import { replayJournal, swapJournal } from '../storage/runs/replay-journal.ts'
import { readAnswer } from '../storage/runs/secrets.ts'
import { findRun, readKept, type StoredRun } from '../storage/runs/stored-run.ts'
import type { Conducted, ReviewOverrides } from './conduct-review.ts'
import { ledgerOnRecord } from './follow-findings.ts'
import { searchedFor } from './open-context-tools.ts'
import type { PreparedModels } from './open-models.ts'
import type { Outside } from './outside.ts'
import { parseRecorded } from './recorded-reviews.ts'
import { type RunOptions, readRunOptions } from './run-options.ts'
import type { Services } from './services.ts'

export type ReplayInput = {
  /** The name of a run, a part of it that no other has, or `last`. */
  run: string
  /** One role that is played by other models this time. */
  swap?: { role: 'scout' | 'reviewer' | 'judge'; models: readonly string[] } | null
  /** The models of the run are asked again wherever their questions are others than then. */
  again?: boolean
  /** US dollars that a swap may cost; the settings' when not given. */
  budget?: number
  /** The run answers a question about a review. */
  isAboutReview?: boolean
  /** One note of the memory is another one, or is not there. */
  memory?: { path: string; note: MemoryNote | null }
  /** As in `ModelOptions`: a swap that others ask for needs the agreement of the settings. */
  isServed?: boolean
}

/** What the stages are given instead of a repository and the operator's models. */
export type OpenReplay = {
  source: ChangeSource
  overrides: ReviewOverrides
  models: PreparedModels
  openOutside: (live: Journal | null) => Outside
  compare(analysis: Pick<Conducted, 'review' | 'remarks'>): Compared
}

export type Compared = {
  review: Review
  /** The same bytes as the recorded review. Always false for a swap. */
  isIdentical: boolean
  /** Of a swap: how many answers came from the record, and how many from a model. */
  served: { record: number; live: number } | null
  remarks: string[]
}

/** Throws `run-unknown`, `run-unreadable`, and, for a swap, what a review throws. */
export async function openReplay(options: ReplayInput, services: Services): Promise<OpenReplay> {
  const { settings, environment, runs: store } = services
  const { run } = await findRun(store, options.run)
  const { ask, prove } = run.header.options
  const command = ask !== undefined ? 'ask' : prove !== undefined ? 'prove' : null
  if (command !== null && !options.isAboutReview)
    throw new UserError(
      'run-unreadable',
      `run ${run.header.run} is not a review; \`sightline ${command} --replay ${run.header.run}\` repeats it`,
    )
  const kept = await readKept(run, store.keyFolder)
  const recorded = parseRecorded(run, kept.review)
  const recordedOptions = readRunOptions(run)
  const { setup, models, money, wishes } = recordedOptions
  const same =
    options.again && setup ? { role: 'reviewer' as const, models: setup.roles.reviewer.models } : null
  const swap = options.swap ?? same
  const roles: ModelRoles = swap ? { [swap.role]: [...swap.models] } : {}
  const agreement = swap ? readAgreement(settings.models, options.isServed !== true) : nothingIsSent
  if (!isAgreed(agreement)) throw new UserError('no-model', 'code may not be sent to a model here.')
  const searched = swap ? [] : await searchCallsOf(run, store.keyFolder)
  const served = { record: 0, live: 0 }
  return {
    source: { collect: async () => replayChange(kept.reads), isFrozen: true },
    overrides: wishes,
    models: {
      settings: { ...settings, models, money },
      environment,
      setup,
      budget: options.budget,
      mayAsk: undefined,
      agreement,
      maySend: undefined,
      isServed: options.isServed ?? false,
    },
    openOutside(live) {
      const journal =
        swap && live
          ? swapJournal(run, store.keyFolder, {
              role: swap.role,
              live,
              onCount: (from) => served[from]++,
              mayGoOut: rolesAsTheyWere(setup, settings.models, environment),
            })
          : replayJournal(run, store.keyFolder)
      return {
        journal,
        openModels: (explorer) =>
          openRecordedModels({
            explorer,
            recordedOptions,
            wasDeclined: wasDeclined(recorded),
            searched,
            journal,
            swap: swap ? roles : null,
            agreed: agreement,
            budget: options.budget,
            services,
          }),
        // What language servers said is on record; the repository itself is not read here.
        openServers: null,
        searchModels: async () => ({}),
        // Counted from the record, before anything is asked.
        recountSearch: () => {},
        sandbox: defaultSettings.sandbox,
        // Nothing runs: what tests came to is on record, and one of another model is not written.
        tests: swap ? null : { findSandbox: async () => null, checkout: null },
        foreign: null,
        // No question of this review: it counts neither as served from the record nor as asked.
        async readLedger() {
          const view = await ledgerOnRecord(replayJournal(run, store.keyFolder), recorded)
          return options.memory ? withNote(view, options.memory) : view
        },
        isReplay: true,
      }
    },
    compare({ review: replayed, remarks }) {
      if (swap) return { review: replayed, isIdentical: false, served, remarks }
      const review = withRecordedRun(replayed, recorded)
      const isIdentical = JSON.stringify(review) === kept.review
      return {
        review,
        isIdentical,
        served: null,
        remarks: isIdentical ? remarks : [...remarks, whyDifferent(run, kept.lacksSecrets)],
      }
    },
  }
}

function withNote(view: LedgerView, { path, note }: NonNullable<ReplayInput['memory']>): LedgerView {
  const others = view.memory.notes.filter((one) => one.path !== path)
  return { ...view, memory: { ...view.memory, notes: note ? [...others, note] : others } }
}

type OpenInput = {
  explorer: Explorer
  recordedOptions: RunOptions
  journal: Journal
  /** Null: nothing goes out, and no key is needed. */
  swap: ModelRoles | null
  agreed: Agreed
  budget: number | undefined
  wasDeclined: boolean
  /** What the embedder and the reranker of the run took; a replay does not ask them. */
  searched: readonly ModelCall[]
  services: Services
}

async function openRecordedModels(input: OpenInput): Promise<ModelParts | null> {
  const { recordedOptions, journal, swap, services } = input
  const { settings, environment, onEvent } = services
  const { models, money, setup } = recordedOptions
  if (!setup) return null
  const account = openAccount(input.budget ?? recordedOptions.budget ?? money.perRun)
  for (const call of input.searched) account.keep(call)
  const { createGateway } = await import('../llm/gateway.ts')
  const gateway = await createGateway({
    settings: swap ? settings : { models, money },
    environment: swap ? environment : {},
    journal,
    onEvent,
    setup: swap ? mixedSetup(setup, settings.models, environment, swap) : setup,
    account,
    agreed: input.agreed,
    ...(swap ? {} : { fetch: refuseNetwork }),
  })
  // Who declined the cost then does so again; a swap has a budget of its own.
  return {
    gateway,
    journal,
    explorer: input.explorer,
    mayAsk: async () => swap !== null || !input.wasDeclined,
  }
}

/**
 * Answers of tools are on record as a whole, so that no search is made again; what it cost is part of the run. A tool whose
 * answer was on record for the run itself says what its search had cost.
 */
async function searchCallsOf({ entries, object }: StoredRun, keyFolder: string): Promise<ModelCall[]> {
  const calls: ModelCall[] = []
  for (const entry of entries) {
    if (entry.type !== 'answer' || !entry.answer) continue
    const isSearch = entry.kind === 'embedding' || entry.kind === 'rerank'
    const isKeptTool = entry.kind === 'tool' && entry.served === 'record'
    if (!isSearch && !isKeptTool) continue
    const answer = readAnswer(await object(entry.answer), keyFolder)
    if (!answer) continue
    const call = isSearch ? recordedCall(answer) : null
    calls.push(...(call ? [call] : isKeptTool ? searchedFor(JSON.parse(answer.body)) : []))
  }
  return calls
}

function wasDeclined({ models }: Review): boolean {
  return models?.groups.some(({ outcome }) => outcome === 'declined') ?? false
}

const refuseNetwork: typeof fetch = () =>
  Promise.reject(new UserError('run-unreadable', 'the replay tried to use the network, which is not allowed'))

/** When it ran and under which name are facts of the run, not of its replay. */
function withRecordedRun(review: Review, { run }: Review): Review {
  const { startedAt, durationMs, stagesMs, repository, trace } = run
  const known = { startedAt, durationMs, stagesMs, repository, ...(trace ? { trace } : {}) }
  // In the order of the schema, since replays are compared to the byte.
  return { ...review, run: { ...known, ...review.run, ...known } }
}

function whyDifferent({ header: { versions } }: StoredRun, lacksSecrets: boolean): string {
  if (lacksSecrets)
    return 'this change contains secrets, which were not exported: the hashes of their lines differ here'
  return `this replay differs from the recorded review, which version ${versions.sightline ?? 'unknown'} made`
}

/**
 * The model of each role when one is swapped: that one as the operator has it now, all others as they were. Throws `settings-invalid`
 * for a model whose provider the operator does not have.
 */
function mixedSetup(
  recorded: ModelSetup,
  settings: ModelSettings,
  environment: NodeJS.ProcessEnv,
  swap: ModelRoles,
): ModelSetup {
  const now = setUpModels(settings, environment, swap)
  const roles = { ...recorded.roles }
  for (const role of askedRoles) if (swap[role]) roles[role] = now.roles[role]
  const names = new Set(now.providers.map(({ name }) => name))
  return {
    roles,
    providers: [...now.providers, ...recorded.providers.filter(({ name }) => !names.has(name))],
  }
}

/**
 * Which roles would be played today just as they were in the run. Only they may be asked again: the addresses of a run that
 * somebody else exported are his, and so are the names of the variables whose values would be sent there.
 */
function rolesAsTheyWere(
  recorded: ModelSetup | null,
  settings: ModelSettings,
  environment: NodeJS.ProcessEnv,
): ReadonlySet<ModelRole> {
  return new Set(
    askedRoles.filter((role) => {
      const models = recorded?.roles[role].models ?? []
      try {
        const now = setUpModels(settings, environment, { [role]: [...models] })
        return models.map(providerName).every((name) => {
          const [then, today] = [recorded?.providers, now.providers].map((all) =>
            all?.find((provider) => provider.name === name),
          )
          return then !== undefined && canonicalJson(then) === canonicalJson(today)
        })
      } catch {
        return false
      }
    }),
  )
}
