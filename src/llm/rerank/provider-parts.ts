/** Small parts that all rerankers share. */
import type { RerankSettings } from '../../config/settings/embedding.ts'

export type RerankerSettings = NonNullable<RerankSettings>

/** A row is a hundred bytes, and nobody sends thousands of documents. */
export const rerankAnswerBytes = 1024 * 1024
