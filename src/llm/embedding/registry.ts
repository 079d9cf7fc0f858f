/** Which embedders there are, and the one that the settings name. */

import type { EmbeddingSettings } from '../../config/settings/embedding.ts'
import type { Agreed } from '../agreement.ts'
import { cohereEmbedder } from './cohere.ts'
import type { Embedder } from './contract.ts'
import type { EmbedderSettings } from './embed-all.ts'
import type { Surroundings } from './endpoint.ts'
import { ollamaEmbedder } from './ollama.ts'
import { openaiEmbedder } from './openai.ts'
import type { OpenEmbedder } from './remote-embedder.ts'
import { voyageEmbedder } from './voyage.ts'

const embedders: Readonly<Record<EmbedderSettings['kind'], OpenEmbedder>> = {
  openai: openaiEmbedder,
  voyage: voyageEmbedder,
  cohere: cohereEmbedder,
  ollama: ollamaEmbedder,
}

/** Null when none is configured. Throws `RemoteError` with `no-key`. */
export function openEmbedder(
  settings: EmbeddingSettings,
  surroundings: Surroundings & { agreed: Agreed },
): Embedder | null {
  return settings && embedders[settings.kind](settings, surroundings)
}
