/** The embedder and the reranker of the operator's settings, for searches by meaning. */
import type { SearchOptions } from '../code-index/search/search.ts'
import type { Settings } from '../config/settings/schema.ts'
import { openEmbedder } from '../llm/embedding/registry.ts'
import { RemoteError } from '../llm/embedding/remote-error.ts'
import { openReranker } from '../llm/rerank/registry.ts'

export type SearchModels = Pick<SearchOptions, 'embedder' | 'reranker' | 'problems'>

/** Why one that is configured could not be opened is among `problems`, which are told with each answer. */
export function searchModels(
  settings: Pick<Settings, 'embedding' | 'rerank'>,
  environment: NodeJS.ProcessEnv = process.env,
): SearchModels {
  const surroundings = { environment, fetch }
  const problems: string[] = []
  const open = <Model>(make: () => Model | null): Model | null => {
    try {
      return make()
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error
      problems.push(error.message)
      return null
    }
  }
  return {
    embedder: open(() => openEmbedder(settings.embedding, surroundings)),
    reranker: open(() => openReranker(settings.rerank, surroundings)),
    problems,
  }
}
