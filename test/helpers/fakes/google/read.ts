/** Reads a generateContent request by all rules, and counts what of it comes from the cache. */
import { z } from 'zod'
import type { Account, Call, FakeModel } from '../contract.ts'
import { isObject } from '../json-schema.ts'
import type { HttpAnswer, ReceivedRequest } from '../server.ts'
import { countTokens } from '../tokens.ts'
import { googleError, invalidArgument } from './errors.ts'
import { jsonSchemaProblem, openApiProblem } from './schema-subset.ts'

const Content = z.looseObject({
  role: z.string().optional(),
  parts: z.array(z.looseObject({ text: z.string().optional() })).default([]),
})

const Body = z.looseObject({
  contents: z.array(Content).default([]),
  systemInstruction: Content.optional(),
  generationConfig: z
    .looseObject({
      maxOutputTokens: z.int().optional(),
      responseMimeType: z.string().optional(),
      responseSchema: z.record(z.string(), z.unknown()).optional(),
      responseJsonSchema: z.record(z.string(), z.unknown()).optional(),
    })
    .default({}),
  tools: z.array(z.looseObject({})).optional(),
  toolConfig: z.looseObject({ functionCallingConfig: z.looseObject({}).optional() }).optional(),
})
type Body = z.infer<typeof Body>

const bodyKeys = new Set(
  'contents systemInstruction generationConfig safetySettings tools toolConfig cachedContent labels serviceTier store model'.split(
    ' ',
  ),
)

export function readGenerate(
  request: ReceivedRequest,
  account: Account,
  place: { model: string; stream: boolean; method: string },
): Call | HttpAnswer {
  if (!isObject(request.body)) return invalidArgument('Invalid JSON payload received. Unexpected token.\n^')
  const unknown = Object.keys(request.body).find((key) => !bodyKeys.has(key))
  if (unknown)
    return invalidArgument(`Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`)
  const checked = Body.safeParse(request.body)
  if (!checked.success)
    return invalidArgument(`Invalid value at '${checked.error.issues[0]?.path.join('.')}'`)
  const model = Object.hasOwn(account.models, place.model) ? account.models[place.model] : undefined
  if (!model)
    return googleError(
      404,
      'NOT_FOUND',
      `models/${place.model} is not found for API version v1beta, or is not supported for ${place.method}. Call ListModels to see the list of available models and their supported methods.`,
    )
  const body = checked.data
  const serialized = JSON.stringify([body.tools ?? [], body.systemInstruction ?? null, ...body.contents])
  const input = countTokens(serialized)
  const broken = contentProblem(body) ?? settingsProblem(body, model) ?? schemaProblem(body)
  if (broken) return invalidArgument(broken)
  if (input > model.contextWindow)
    return invalidArgument(
      `The input token count (${input}) exceeds the maximum number of tokens allowed (${model.contextWindow}).`,
    )
  const { responseJsonSchema, responseSchema, maxOutputTokens } = body.generationConfig
  const schema = responseJsonSchema ?? responseSchema
  return {
    request,
    model: place.model,
    stream: place.stream,
    prompt: [body.systemInstruction, ...body.contents].map(wordsOf).filter(Boolean).join('\n\n'),
    lastTurn: wordsOf(body.contents.at(-1)),
    schema: schema ? { name: null, schema } : null,
    answerTool: null,
    maxOutputTokens: maxOutputTokens ?? model.maxOutputTokens,
    usage: {
      input,
      cacheRead: account.cache.commonPrefix(place.model, serialized, model.cacheFrom ?? 1024),
      cacheWrite: 0,
    },
  }
}

function wordsOf(content: z.infer<typeof Content> | undefined): string {
  return (content?.parts ?? []).map((part) => part.text ?? '').join('\n')
}

function contentProblem(body: Body): string | null {
  if (body.contents.length === 0) return '* GenerateContentRequest.contents: contents is not specified\n'
  for (const [index, content] of body.contents.entries()) {
    if (
      content.role !== undefined &&
      content.role !== 'user' &&
      content.role !== 'model' &&
      content.role !== 'function'
    )
      return 'Please use a valid role: user, model.'
    if (content.parts.length === 0)
      return `* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.\n`
    const empty = content.parts.findIndex((part) => Object.keys(part).length === 0 || part.text === '')
    if (empty >= 0)
      return `* GenerateContentRequest.contents[${index}].parts[${empty}].data: required oneof field 'data' must have one initialized field\n`
  }
  return body.contents.at(-1)?.role === 'model' && body.tools
    ? 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
    : null
}

function settingsProblem(body: Body, model: FakeModel): string | null {
  const { maxOutputTokens, responseMimeType } = body.generationConfig
  if (maxOutputTokens !== undefined && (maxOutputTokens < 1 || maxOutputTokens > model.maxOutputTokens))
    return `Unable to submit request because it has a maxOutputTokens value of ${maxOutputTokens} but the supported range is from 1 (inclusive) to ${model.maxOutputTokens + 1} (exclusive). Update the value and try again.`
  const functions = body.tools?.some((tool) => 'functionDeclarations' in tool)
  return functions && responseMimeType === 'application/json' && model.toolsOrJson
    ? "Function calling with a response mime type: 'application/json' is unsupported"
    : null
}

function schemaProblem(body: Body): string | null {
  const { responseSchema, responseJsonSchema, responseMimeType } = body.generationConfig
  if (responseSchema && responseJsonSchema)
    return 'Only one of response_schema and response_json_schema may be set in GenerationConfig.'
  if ((responseSchema || responseJsonSchema) && responseMimeType !== 'application/json')
    return '* GenerateContentRequest.generation_config.response_schema: response_mime_type must be application/json\n'
  if (responseSchema) return openApiProblem(responseSchema)
  return responseJsonSchema ? jsonSchemaProblem(responseJsonSchema) : null
}
