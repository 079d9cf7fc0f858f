/**
 * Turns texts into vectors. Whoever asks has taken secrets out of the texts before; what goes out and comes back passes
 * through the `fetch` that was handed in, so that the journal can stand in between.
 */

/** Models treat what is searched and what is asked for differently. */
export type InputType = 'document' | 'query'

/** Everything on which a vector depends besides the text and its input type. Vectors of different ids never mix. */
export type EmbedderId = {
  /** `openai`, `voyage`, `cohere`, `ollama`; with the address when it is not the usual one. */
  provider: string
  model: string
  /** Null: the model's own number. */
  dimensions: number | null
  dtype: 'float32'
  /** Put before each text, by input type; models without input types want it. */
  prefixes: Readonly<Record<InputType, string>>
}

/** Per call to the provider. Tokens are estimated as bytes of UTF-8 divided by three. */
export type EmbedderLimits = {
  inputs: number
  tokens: number
  /** What is beyond is cut off the end of a text. */
  tokensPerInput: number
}

export type EmbeddingUsage = {
  calls: number
  /** As the provider counted them, or estimated where it does not say. */
  tokens: number
}

export type Embedded = {
  /** One per text, in the order of the texts, all of one length. */
  rows: readonly Float32Array[]
  usage: EmbeddingUsage
}

export interface Embedder {
  readonly id: EmbedderId
  readonly limits: EmbedderLimits
  /**
   * Sends as many calls as the limits ask for, one after the other. Rejects with `RemoteError`, or with the reason of
   * the signal after an abort. No texts: no call.
   */
  embed(texts: readonly string[], input: InputType, signal: AbortSignal): Promise<Embedded>
}
