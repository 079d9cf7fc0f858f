/** Which rerankers there are, and the one that the settings name. */

import type { RerankSettings } from '../../config/settings/embedding.ts'
import type { Agreed } from '../agreement.ts'
import type { Surroundings } from '../embedding/endpoint.ts'
import { cohereReranker } from './cohere.ts'
import type { Reranker, RerankerSettings } from './contract.ts'
import type { OpenReranker } from './remote-reranker.ts'
import { voyageReranker } from './voyage.ts'

const rerankers: Readonly<Record<RerankerSettings['kind'], OpenReranker>> = {
  cohere: cohereReranker,
  voyage: voyageReranker,
}

/** Null when none is configured. Throws `RemoteError` with `no-key`. */
export function openReranker(
  settings: RerankSettings,
  surroundings: Surroundings & { agreed: Agreed },
): Reranker | null {
  return settings && rerankers[settings.kind](settings, surroundings)
}
