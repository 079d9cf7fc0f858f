/** What OpenAI refuses in chat completions, the fake refuses, with the same words and codes. */
import { describe, expect, test } from 'vitest'
import { openFake, type Sender } from './raw.ts'

const hello = { role: 'user', content: 'Hello, JSON.' }
const chatBase = { model: 'gpt-4o', messages: [hello] }
const object = (properties: object, more: object = {}): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
})
const shaped = (schema: object, name: unknown = 'review', strict: unknown = true): object => ({
  ...chatBase,
  response_format: { type: 'json_schema', json_schema: { name, schema, strict } },
})
const bearer = (fake: { apiKey: string }): Record<string, string> => ({
  authorization: `Bearer ${fake.apiKey}`,
})
const openChat = (): Promise<Sender> => openFake('openai', '/v1/chat/completions', bearer)
const nested = (depth: number): object =>
  depth === 0 ? { type: 'string' } : object({ in: nested(depth - 1) })

describe('chat completions', () => {
  test.each<[string, object, string, string | null]>([
    [
      'an unknown model',
      { ...chatBase, model: 'gpt-9' },
      'The model `gpt-9` does not exist',
      'model_not_found',
    ],
    [
      'no messages',
      { model: 'gpt-4o' },
      "Missing required parameter: 'messages'.",
      'missing_required_parameter',
    ],
    ['an unknown key', { ...chatBase, system: 'x' }, 'Unrecognized request argument supplied: system', null],
    [
      'a wrong role',
      { ...chatBase, messages: [{ role: 'model', content: 'x' }] },
      "Invalid type for 'messages[0].role'",
      'invalid_type',
    ],
    [
      'no content',
      { ...chatBase, messages: [{ role: 'user', content: null }] },
      'expected a string, got null',
      null,
    ],
    [
      'max_tokens for a thinking model',
      { ...chatBase, model: 'gpt-5', max_tokens: 9 },
      "Use 'max_completion_tokens' instead.",
      'unsupported_parameter',
    ],
    [
      'a temperature for one',
      { ...chatBase, model: 'gpt-5', temperature: 0.2 },
      "'temperature' does not support 0.2 with this model.",
      'unsupported_value',
    ],
    [
      'top_p for one',
      { ...chatBase, model: 'gpt-5', top_p: 0.2 },
      "'top_p' is not supported with this model.",
      'unsupported_parameter',
    ],
    [
      'too large an answer',
      { ...chatBase, max_tokens: 16_385 },
      'max_tokens is too large: 16385. This model supports at most 16384 completion tokens',
      'invalid_value',
    ],
    [
      'too long a prompt',
      { ...chatBase, messages: [{ role: 'user', content: 'x'.repeat(512_100) }] },
      "This model's maximum context length is 128000 tokens. However, your messages resulted in",
      'context_length_exceeded',
    ],
    [
      'JSON mode without the word',
      { ...chatBase, messages: [{ role: 'user', content: 'Hi' }], response_format: { type: 'json_object' } },
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      null,
    ],
    [
      'a schema for an old model',
      { ...shaped(object({})), model: 'gpt-3.5-turbo' },
      "'response_format' of type 'json_schema' is not supported with this model.",
      null,
    ],
    [
      'a schema without a name',
      shaped(object({}), null),
      "Missing required parameter: 'response_format.json_schema.name'.",
      'missing_required_parameter',
    ],
    [
      'a name with a space',
      shaped(object({}), 'my review'),
      "matches the pattern '^[a-zA-Z0-9_-]+$'",
      'invalid_value',
    ],
    [
      'a name too long',
      shaped(object({}), 'n'.repeat(65)),
      'Expected a string with maximum length 64, but got a string with length 65',
      'string_above_max_length',
    ],
    [
      'a tool choice without tools',
      { ...chatBase, tool_choice: 'required' },
      "'tool_choice' is only allowed when 'tools' are specified.",
      null,
    ],
  ])('refuse %s', async (_, body, message, code) => {
    const { send } = await openChat()
    const answer = await send(body)
    expect(answer.status).toBe(code === 'model_not_found' ? 404 : 400)
    expect(answer.message).toContain(message)
    expect(answer.body.error?.code).toBe(code)
  })

  test.each<[string, object, string]>([
    [
      'a list on top',
      { type: 'array', items: { type: 'string' } },
      `schema must be a JSON Schema of 'type: "object"', got 'type: "array"'.`,
    ],
    ['a union on top', object({}, { anyOf: [object({})] }), "In context=(), 'anyOf' is not permitted."],
    [
      'an open object',
      object({ a: { type: 'object', properties: {} } }),
      "In context=('properties', 'a'), 'additionalProperties' is required to be supplied and to be false.",
    ],
    [
      'an optional property',
      object({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['a'] }),
      "an array including every key in properties. Missing 'b'.",
    ],
    [
      'oneOf',
      object({ a: { oneOf: [{ type: 'string' }] } }),
      "In context=('properties', 'a'), 'oneOf' is not permitted.",
    ],
    ['a default', object({ a: { type: 'string', default: '' } }), "'default' is not permitted."],
    [
      'a length',
      object({ a: { type: 'array', items: { type: 'string', minLength: 1 } } }),
      "In context=('properties', 'a', 'items'), 'minLength' is not permitted.",
    ],
    ['an unknown format', object({ a: { type: 'string', format: 'uri' } }), "'uri' is not a valid format."],
    ['no type', object({ a: {} }), "In context=('properties', 'a'), schema must have a 'type' key."],
    ['a list of nothing', object({ a: { type: 'array' } }), 'array schema missing items.'],
    [
      'words beside a reference',
      object({ a: { $ref: '#/$defs/A', description: 'x' } }, { $defs: { A: object({}) } }),
      "$ref cannot have keywords {'description'}.",
    ],
    ['too deep nesting', nested(11), '11 levels of nesting exceeds limit of 10.'],
    [
      'too many properties',
      object(Object.fromEntries(Array.from({ length: 5001 }, (_, n) => [`p${n}`, { type: 'null' }]))),
      'Expected at most 5000 object properties in total, got 5001.',
    ],
    [
      'too many enum values',
      object({ a: { type: 'string', enum: Array.from({ length: 1001 }, (_, n) => `v${n}`) } }),
      'Expected at most 1000 enum values in total, got 1001.',
    ],
  ])('refuse a strict schema with %s', async (_, schema, message) => {
    const { send } = await openChat()
    const answer = await send(shaped(schema))
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { type: 'invalid_request_error', param: 'response_format' } },
    })
    expect(answer.message).toContain("Invalid schema for response_format 'review': ")
    expect(answer.message).toContain(message)
  })

  test('take a strict schema within the subset, and any schema that is not strict', async () => {
    const { send, fake } = await openChat()
    const schema = object(
      {
        a: { type: 'array', items: { $ref: '#/$defs/A' }, maxItems: 5 },
        b: { type: ['string', 'null'] },
        c: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
      },
      { $defs: { A: object({ kind: { type: 'string', enum: ['x'] } }) } },
    )
    expect((await send(shaped(schema))).status).toBe(200)
    expect(fake.calls[0]?.call.schema).toEqual({ name: 'review', schema })
    expect((await send(shaped({ type: 'object' }, 'loose', false))).status).toBe(200)
    expect(fake.calls[1]?.call.schema).toBeNull()
  })

  test('refuse a missing key, a wrong key, and what is no JSON', async () => {
    const { send } = await openChat()
    const missing = await send(chatBase, { headers: { authorization: null } })
    expect([missing.status, missing.message]).toEqual([
      401,
      expect.stringContaining("You didn't provide an API key."),
    ])
    const wrong = await send(chatBase, { headers: { authorization: 'Bearer sk-wrong' } })
    expect([wrong.status, wrong.body.error?.code]).toEqual([401, 'invalid_api_key'])
    expect(wrong.message).not.toContain('sk-wrong')
    expect((await send('{')).message).toContain('We could not parse the JSON body of your request.')
  })
})
