/** Puts the gateway together: who is asked, what it may cost, and where every exchange is kept. */

import type { ModelRoles, ModelSettings } from '../config/settings/models.ts'
import type { MoneySettings } from '../config/settings/schema.ts'
import type { EventListener } from '../domain/events.ts'
import type { Journal } from '../domain/journal.ts'
import type { Agreed } from './agreement.ts'
import { wireSchema } from './answers/wire-schema.ts'
import { askRoute } from './ask.ts'
import type { AskedRole, Gateway, Question } from './contract.ts'
import type { GatewayParts } from './exchange.ts'
import { type Account, beyondBudget, openAccount } from './money/account.ts'
import { orderReservations, type ReservationTurn } from './money/ordered-reservations.ts'
import type { PriceBook } from './money/prices.ts'
import { createTokenEstimator, type Observation } from './money/tokens.ts'
import { type OpenedModel, openModel } from './opened-model.ts'
import type { Environment } from './routes/find-providers.ts'
import { askedRoles, type ModelSetup, providerName, setUpModels } from './routes/setup.ts'
import { fault, pause } from './wire/fault.ts'
import { openSecretFilter } from './wire/journalled.ts'
import { defaultTimeouts, patientFetch, type WireTimeouts } from './wire/post.ts'

export type GatewayOptions = {
  settings: { models: ModelSettings; money: MoneySettings }
  environment: Environment
  journal: Journal
  /** From the command line; they win over settings and environment. */
  roles?: ModelRoles
  /** Of an earlier run (`setUpModels`), for its replay: then settings and environment do not choose the models. */
  setup?: ModelSetup
  /** US dollars for the run; the settings' `perRun` when not given. `Infinity`: no limit. */
  budget?: number
  /** That code may be sent. Whoever has none opens no gateway. */
  agreed: Agreed
  /** Where others spend the money of this run too; then `budget` has no say. */
  account?: Account
  onEvent?: EventListener
  /** What earlier runs took, so that the first estimates are good. */
  seen?: readonly Observation[]
  /** The most that all waits before one answer may take together; two minutes when not given. */
  patienceMs?: number
  timeouts?: Partial<WireTimeouts>
  /** Tests do not wait, know the dice, and have a network of their own. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
  random?: () => number
  fetch?: typeof fetch
  now?: () => Date
}

/** Nothing is sent and no key is needed yet. Throws `settings-invalid` for a role whose provider is unknown. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { settings, environment } = options
  const setup = options.setup ?? setUpModels(settings.models, environment, options.roles)
  const { openPriceBook } = await import('./money/prices.ts')
  const book = openPriceBook(settings.models)
  const routes = new Map<AskedRole, readonly OpenedModel[]>(
    askedRoles.map((role) => [
      role,
      setup.roles[role].models.map((name) => openModel(name, setup, environment)),
    ]),
  )
  const routeOf = (role: AskedRole) => routes.get(role) ?? []
  const routeFor = ({ role, apartFrom }: Pick<Question<unknown>, 'role' | 'apartFrom'>) => {
    if (apartFrom === undefined) return routeOf(role)
    const provider = providerName(apartFrom)
    // A model that reads does not judge what it found itself, as far as that can be helped.
    const roles: readonly AskedRole[] = role === 'reviewer' ? ['reviewer'] : ['judge', 'reviewer']
    const others = roles.flatMap(routeOf).filter(({ name }) => providerName(name) !== provider)
    return [...new Set([...others, ...routeOf(role)])]
  }
  const account = options.account ?? openAccount(options.budget ?? settings.money.perRun)
  const parts = gatherParts(options, setup, book, account)
  const ask = <Value>(question: Question<Value>, own: GatewayParts, place: ReservationTurn | null) => {
    const route = routeFor(question)
    const instructionsCachedFor = settings.models.keepInstructionsCached
    return askRoute(question, { route, instructionsCachedFor, place }, own)
  }
  return {
    ask: (question) => ask(question, parts, null),
    askAll(questions) {
      const { places, budget, estimator } = orderReservations(questions.length, parts)
      return Promise.all(
        questions.map((question, index) => {
          const place = places[index] ?? null
          return ask(question, { ...parts, budget, estimator }, place).finally(() => place?.pass())
        }),
      )
    },
    modelOf(role, apartFrom) {
      const [first] = routeFor({ role, ...(apartFrom === undefined ? {} : { apartFrom }) })
      return first ? { model: first.name, contextWindow: book.contextWindow(first)?.tokens ?? null } : null
    },
    estimate(question) {
      const [first] = routeFor(question)
      const inputTokens = parts.estimator.estimateAtStart(first?.name ?? '', bytesOf(question))
      const outputTokens = question.maxOutputTokens
      const tokens = { input: inputTokens, cacheRead: 0, cacheWrite: 0, output: outputTokens }
      const price = first ? book.price(first, tokens, (options.now ?? (() => new Date()))()) : null
      return { inputTokens, outputTokens, usd: price?.usd ?? null }
    },
    cost: () => account.cost(),
  }
}

function gatherParts(
  options: GatewayOptions,
  setup: ModelSetup,
  book: PriceBook,
  account: Account,
): GatewayParts {
  const { settings, environment, journal, onEvent, now = () => new Date() } = options
  const { money } = settings
  const { budget } = account
  const estimator = createTokenEstimator(options.seen)
  const secrets = openSecretFilter(setup.providers, environment)
  return {
    journal,
    secrets,
    budget,
    estimator,
    patienceMs: options.patienceMs ?? 120_000,
    send: options.fetch ?? patientFetch,
    random: options.random ?? Math.random,
    wait: options.wait ?? pause,
    timeoutsOf({ firstWordSeconds }) {
      const { firstByteMs, totalMs } = defaultTimeouts
      const ownMs = firstWordSeconds === undefined ? firstByteMs : firstWordSeconds * 1000
      // Whoever waits long for the first word has as much time as anybody for the rest.
      const own = { firstByteMs: ownMs, totalMs: totalMs + Math.max(0, ownMs - firstByteMs) }
      return { ...defaultTimeouts, ...own, ...options.timeouts }
    },
    admit(model, bytes, maxOutputTokens) {
      if (model.missingKeys.length > 0)
        return fault('no-key', `it needs a key: set ${model.missingKeys.join(' and ')}`)
      const input = estimator.estimate(model.name, bytes)
      const price = book.price(model, { input, cacheRead: 0, cacheWrite: 0, output: maxOutputTokens }, now())
      if (!price)
        return money.unknownPrice === 'refuse'
          ? fault('over-budget', 'its price is not known, and the settings refuse such models')
          : { usd: 0 }
      if (budget.reserve(price.usd)) return { usd: price.usd }
      return fault('over-budget', beyondBudget(price.usd, budget))
    },
    priceOf(model, usage, raw) {
      if (!usage.isKnown) return { usd: null, pricedAs: null }
      const billed = model.family.billedUsd?.(raw) ?? null
      if (billed !== null) return { usd: billed, pricedAs: `${model.name} (as billed)` }
      const priced = { ...usage.tokens, cacheWriteHour: usage.cacheWriteHour }
      return book.price(model, priced, now()) ?? { usd: null, pricedAs: null }
    },
    note: (type, address, detail) => journal.note({ type, address, detail }),
    reportRetry(retry) {
      journal.note({ type: 'retry', address: retry.address, detail: { ...retry } })
      onEvent?.({ type: 'model-retry', ...retry })
    },
    reportCall(call) {
      account.keep(call)
      onEvent?.({ type: 'model-call', call })
    },
  }
}

/** Of all that is sent: the words, and the schema of the answer. */
function bytesOf<Value>({ instructions, turns, answer }: Question<Value>): number {
  const words = [...instructions, ...turns.flatMap(({ parts }) => parts)]
  const schema = Buffer.byteLength(JSON.stringify(wireSchema(answer)))
  return words.reduce((sum, { text }) => sum + Buffer.byteLength(text), schema)
}
