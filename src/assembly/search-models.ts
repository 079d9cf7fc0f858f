/** The embedder and the reranker of the operator's settings, for searches by meaning: their calls counted and on record. */
import type { SearchOptions } from '../code-index/search/search.ts'
import type { Settings } from '../config/settings/schema.ts'
import type { EventListener } from '../domain/events.ts'
import type { Journal } from '../domain/journal.ts'
import { type Agreed, agreeByName } from '../llm/agreement.ts'
import { RemoteError } from '../llm/embedding/endpoint.ts'
import { openEmbedder } from '../llm/embedding/registry.ts'
import { type Metered, type MeterParts, meteredFetch, noJournal } from '../llm/metered-fetch.ts'
import type { Account } from '../llm/money/account.ts'
import { openReranker } from '../llm/rerank/registry.ts'
import { patientFetch } from '../llm/wire/post.ts'

export type SearchModels = Pick<SearchOptions, 'embedder' | 'reranker' | 'problems'>

export type SearchSpending = {
  /** Null keeps nothing. */
  journal: Journal | null
  account: Account
  onEvent?: EventListener
}

type SearchSettings = Pick<Settings, 'embedding' | 'rerank' | 'models' | 'money'>

/** Why one that is configured could not be opened is among `problems`, which are told with each answer. */
export async function searchModels(
  settings: SearchSettings,
  { journal, account, onEvent = () => {} }: SearchSpending,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<SearchModels> {
  const { embedding, rerank, models, money } = settings
  if (!embedding && !rerank) return { embedder: null, reranker: null, problems: [] }
  const { openPriceBook } = await import('../llm/money/prices.ts')
  const parts: MeterParts = {
    journal: journal ?? noJournal,
    account,
    prices: openPriceBook(models),
    unknownPrice: money.unknownPrice,
    onEvent,
    send: patientFetch,
    now: () => new Date(),
  }
  const problems: string[] = []
  const open = <Model>(
    role: Metered['role'],
    configured: typeof embedding | typeof rerank,
    make: (surroundings: {
      environment: NodeJS.ProcessEnv
      fetch: typeof fetch
      agreed: Agreed
    }) => Model | null,
  ): Model | null => {
    if (!configured) return null
    try {
      const send = meteredFetch({ role, model: pricedModel(configured) }, parts)
      return make({ environment, fetch: send, agreed: agreeByName(configured) })
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error
      problems.push(error.message)
      return null
    }
  }
  return {
    embedder: open('embedder', embedding, (surroundings) => openEmbedder(embedding, surroundings)),
    reranker: open('reranker', rerank, (surroundings) => openReranker(rerank, surroundings)),
    problems,
  }
}

/** Prices of the table are those of the services themselves; what another address charges only the operator knows. */
function pricedModel({
  kind,
  model,
  baseUrl,
}: {
  kind: string
  model: string
  baseUrl?: string | undefined
}): Metered['model'] {
  return { name: `${kind}/${model}`, model, table: baseUrl === undefined && kind !== 'ollama' ? kind : null }
}
