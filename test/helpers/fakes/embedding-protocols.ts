/** What each embedding service checks and answers, as its documentation has it. */
import { type HttpAnswer, jsonAnswer, type ReceivedRequest } from './server.ts'
import { tokensIn } from './tokens-of-text.ts'

export type EmbeddingKind = 'openai' | 'voyage' | 'cohere' | 'ollama'

export type EmbeddingService = {
  key: string
  dimensions: number
  vectorOf(text: string): number[]
}

type Body = Readonly<Record<string, unknown>>
type Protocol = (request: ReceivedRequest, service: EmbeddingService) => HttpAnswer

export const embeddingProtocols: Readonly<Record<EmbeddingKind, Protocol>> = {
  openai,
  voyage,
  cohere,
  ollama,
}

function openai({ path, headers, body }: ReceivedRequest, service: EmbeddingService): HttpAnswer {
  const refuse = (status: number, message: string, code: string | null = null): HttpAnswer =>
    jsonAnswer(status, { error: { message, type: 'invalid_request_error', param: null, code } })
  const sent = headers.authorization ?? ''
  if (sent !== `Bearer ${service.key}`)
    return refuse(401, `Incorrect API key provided: ${sent.slice(7)}.`, 'invalid_api_key')
  if (path !== '/v1/embeddings') return refuse(404, `Invalid URL (POST ${path})`)
  const known = ['model', 'input', 'encoding_format', 'dimensions', 'user']
  const { input, encoding_format: encoding } = fields(body)
  const strange = Object.keys(fields(body)).find((name) => !known.includes(name))
  if (strange !== undefined) return refuse(400, `Unrecognized request argument supplied: ${strange}`)
  if (!isTexts(input) || input.length > 2_048 || input.includes(''))
    return refuse(400, "'$.input' is invalid.")
  const tokens = input.map(tokensIn)
  const longest = Math.max(...tokens)
  if (longest > 8_192)
    return refuse(
      400,
      `This model's maximum context length is 8192 tokens, however you requested ${longest} tokens.`,
    )
  const total = tokens.reduce((sum, count) => sum + count, 0)
  if (total > 300_000)
    return refuse(
      400,
      "Invalid 'input': maximum request size is 300000 tokens per request.",
      'max_tokens_per_request',
    )
  const vectors = vectorsOf(input, fields(body).dimensions, service)
  if (!vectors) return refuse(400, "Invalid value for 'dimensions'.")
  return jsonAnswer(200, {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: written(vector, encoding),
    })),
    model: fields(body).model,
    usage: { prompt_tokens: total, total_tokens: total },
  })
}

function voyage({ path, headers, body }: ReceivedRequest, service: EmbeddingService): HttpAnswer {
  const refuse = (status: number, detail: string): HttpAnswer => jsonAnswer(status, { detail })
  if (headers.authorization !== `Bearer ${service.key}`) return refuse(401, 'Provided API key is invalid.')
  const sent = fields(body)
  if (path === '/v1/rerank') {
    const { query, documents, top_k: most } = sent
    if (typeof query !== 'string' || !isTexts(documents) || documents.length > 1_000 || 'top_n' in sent)
      return refuse(400, 'Argument of the request is not supported by the API.')
    const data = order(query, documents, most, service).map(({ index, score }) => ({
      index,
      relevance_score: score,
    }))
    return jsonAnswer(200, {
      object: 'list',
      data,
      model: sent.model,
      usage: { total_tokens: tokensIn(documents.join(' ')) },
    })
  }
  if (path !== '/v1/embeddings') return refuse(404, 'Not Found')
  const { input, input_type: type, encoding_format: encoding } = sent
  if (!isTexts(input) || input.length > 1_000) return refuse(400, 'The batch size limit is 1000.')
  if (![null, undefined, 'query', 'document'].includes(type as string))
    return refuse(400, 'Unknown input_type.')
  const total = input.reduce((sum, text) => sum + Math.min(32_000, tokensIn(text)), 0)
  if (total > 120_000)
    return refuse(
      400,
      `The max allowed tokens per submitted batch is 120000. Your batch has ${total} tokens after truncation.`,
    )
  const vectors = vectorsOf(input, sent.output_dimension, service)
  if (!vectors) return refuse(400, 'Value of output_dimension is not supported.')
  return jsonAnswer(200, {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: written(vector, encoding),
    })),
    model: sent.model,
    usage: { total_tokens: total },
  })
}

function cohere({ path, headers, body }: ReceivedRequest, service: EmbeddingService): HttpAnswer {
  const refuse = (status: number, message: string): HttpAnswer => jsonAnswer(status, { id: 'fake', message })
  if (headers.authorization !== `Bearer ${service.key}`) return refuse(401, 'invalid api token')
  const sent = fields(body)
  if (path === '/v2/rerank') {
    const { query, documents, top_n: most } = sent
    if (typeof query !== 'string' || !isTexts(documents) || 'top_k' in sent)
      return refuse(400, 'invalid request: list of documents must not be empty')
    const results = order(query, documents, most, service).map(({ index, score }) => ({
      index,
      relevance_score: score,
    }))
    return jsonAnswer(200, { id: 'fake', results, meta: { billed_units: { search_units: 1 } } })
  }
  if (path !== '/v2/embed') return refuse(404, `the path ${path} does not exist`)
  const { texts, input_type: type, embedding_types: types } = sent
  if (!isTexts(texts) || texts.length > 96)
    return refuse(400, 'invalid request: total number of texts must be at most 96')
  if (!['search_document', 'search_query', 'classification', 'clustering'].includes(type as string))
    return refuse(400, 'invalid request: valid input_type must be provided with the provided model')
  if (!Array.isArray(types) || !types.includes('float'))
    return refuse(400, 'invalid request: embedding_types')
  const vectors = vectorsOf(texts, sent.output_dimension, service)
  if (!vectors) return refuse(400, 'invalid request: output_dimension')
  return jsonAnswer(200, {
    id: 'fake',
    texts,
    embeddings: { float: vectors },
    meta: { billed_units: { input_tokens: texts.reduce((sum, text) => sum + tokensIn(text), 0) } },
  })
}

function ollama({ path, body }: ReceivedRequest, service: EmbeddingService): HttpAnswer {
  if (path !== '/api/embed') return jsonAnswer(404, { error: '404 page not found' })
  const { input, model } = fields(body)
  if (model === 'absent') return jsonAnswer(404, { error: 'model "absent" not found, try pulling it first' })
  if (!isTexts(input)) return jsonAnswer(400, { error: 'invalid input type' })
  const embeddings = vectorsOf(input, fields(body).dimensions, service)
  return jsonAnswer(200, { model, embeddings, prompt_eval_count: tokensIn(input.join(' ')) })
}

function fields(body: unknown): Body {
  return typeof body === 'object' && body !== null ? Object.fromEntries(Object.entries(body)) : {}
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === 'string')
}

/** Null when the model has no such number of dimensions. */
function vectorsOf(
  texts: readonly string[],
  dimensions: unknown,
  service: EmbeddingService,
): number[][] | null {
  if (dimensions !== undefined && dimensions !== service.dimensions) return null
  return texts.map((text) => service.vectorOf(text))
}

function written(vector: readonly number[], encoding: unknown): string | readonly number[] {
  return encoding === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector
}

function order(
  query: string,
  documents: readonly string[],
  most: unknown,
  { vectorOf }: EmbeddingService,
): { index: number; score: number }[] {
  const asked = vectorOf(query)
  return documents
    .map((text, index) => {
      const vector = vectorOf(text)
      const length = Math.hypot(...vector) * Math.hypot(...asked)
      const score = vector.reduce((sum, part, at) => sum + part * (asked[at] ?? 0), 0) / length
      return { index, score: Math.max(0, score) }
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, typeof most === 'number' ? most : documents.length)
}
