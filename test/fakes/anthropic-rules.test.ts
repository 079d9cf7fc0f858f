/** What the Anthropic API refuses, the fake refuses, with the same words and the same status. */
import { expect, test } from 'vitest'
import { openFake, type Sender } from './raw.ts'

const hello = { role: 'user', content: 'Hello.' }
const base = { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [hello] }
const mark = { type: 'ephemeral' }
const object = (properties: object, more: object = {}): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
})
const withSchema = (schema: object): object => ({
  ...base,
  output_config: { format: { type: 'json_schema', schema } },
})

const open = (): Promise<Sender> =>
  openFake('anthropic', '/v1/messages', (fake) => ({
    'x-api-key': fake.apiKey,
    'anthropic-version': '2023-06-01',
  }))

test('a plain request is answered', async () => {
  const { send } = await open()
  const answer = await send(base)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('request-id')).toBe('req_000000000000000000000002')
  expect(answer.body.usage).toMatchObject({ input_tokens: 3, output_tokens: 3 })
})

test('keys, versions, paths and bodies', async () => {
  const { send } = await open()
  const refused = async (body: unknown, change = {}): Promise<[number, string | undefined, string]> => {
    const answer = await send(body, change)
    return [answer.status, answer.body.error?.type, answer.message]
  }
  const at = 'authentication_error'
  expect(await refused(base, { headers: { 'x-api-key': null } })).toEqual([
    401,
    at,
    'x-api-key header is required',
  ])
  expect(await refused(base, { headers: { 'x-api-key': 'wrong' } })).toEqual([401, at, 'invalid x-api-key'])
  expect(await refused(base, { headers: { 'anthropic-version': null } })).toEqual([
    400,
    'invalid_request_error',
    'anthropic-version: header is required',
  ])
  expect((await refused(base, { headers: { 'anthropic-version': '1999-01-01' } }))[0]).toBe(400)
  expect(await refused(base, { path: '/v1/complete' })).toEqual([404, 'not_found_error', 'Not Found'])
  expect((await refused('{"model": '))[2]).toContain('not valid JSON')
  expect(await refused({ ...base, model: 'claude-9' })).toEqual([404, 'not_found_error', 'model: claude-9'])
  expect((await refused(`{"x": "${'y'.repeat(33 * 1024 * 1024)}"}`)).slice(0, 2)).toEqual([
    413,
    'request_too_large',
  ])
})

test.each<[string, object, string]>([
  ['no output limit', { model: base.model, messages: [hello] }, 'max_tokens: Field required'],
  ['an unknown key', { ...base, respond_with: 'json' }, 'respond_with: Extra inputs are not permitted'],
  [
    'an output limit above the model’s',
    { ...base, max_tokens: 64_001 },
    'max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4-5',
  ],
  ['no turn', { ...base, messages: [] }, 'messages: at least one message is required'],
  [
    'a model’s turn first',
    { ...base, messages: [{ role: 'assistant', content: 'Hi.' }, hello] },
    'messages: first message must use the "user" role',
  ],
  [
    'a system turn',
    { ...base, messages: [{ role: 'system', content: 'x' }] },
    "messages.0.role: Input should be 'user' or 'assistant'",
  ],
  ['an empty turn', { ...base, messages: [{ role: 'user', content: '' }] }, 'must have non-empty content'],
  [
    'an empty block',
    {
      ...base,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: '' },
            { type: 'text', text: 'x' },
          ],
        },
      ],
    },
    'messages: text content blocks must be non-empty',
  ],
  [
    'only white space',
    { ...base, messages: [{ role: 'user', content: ' \n' }] },
    'must contain non-whitespace text',
  ],
  [
    'a begun answer with a space at its end',
    { ...base, messages: [hello, { role: 'assistant', content: '{ ' }] },
    'messages: final assistant content cannot end with trailing whitespace',
  ],
  [
    'a begun answer for a thinking model',
    { ...base, model: 'claude-sonnet-5-5', messages: [hello, { role: 'assistant', content: '{' }] },
    'This model does not support assistant message prefill.',
  ],
  [
    'five cache marks',
    {
      ...base,
      system: [1, 2, 3, 4, 5].map((n) => ({ type: 'text', text: `Part ${n}`, cache_control: mark })),
    },
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  ],
  [
    'an hour after five minutes',
    {
      ...base,
      system: [
        { type: 'text', text: 'a', cache_control: mark },
        { type: 'text', text: 'b', cache_control: { ...mark, ttl: '1h' } },
      ],
    },
    "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.",
  ],
  [
    'a forced tool for a model that takes none',
    {
      ...base,
      model: 'claude-opus-5-5',
      tools: [{ name: 'submit', input_schema: object({}) }],
      tool_choice: { type: 'tool', name: 'submit' },
    },
    'tool_choice: type "tool" and "any" are not supported for this model.',
  ],
  [
    'a forced tool that is not there',
    { ...base, tools: [{ name: 'a', input_schema: object({}) }], tool_choice: { type: 'tool', name: 'b' } },
    "Tool 'b' not found in provided tools",
  ],
  [
    'a temperature for a model that takes none',
    { ...base, model: 'claude-sonnet-5-5', temperature: 0 },
    '`temperature` is deprecated for this model.',
  ],
  ['two ways of sampling', { ...base, temperature: 0, top_p: 0.5 }, 'cannot both be specified'],
  [
    'thinking switched off where it cannot be',
    { ...base, model: 'claude-opus-5-5', thinking: { type: 'disabled' } },
    '"thinking.type.disabled" is not supported for this model.',
  ],
  [
    'a prompt above the context window',
    { ...base, messages: [{ role: 'user', content: 'x'.repeat(800_004) }] },
    'prompt is too long: 200003 tokens > 200000 maximum',
  ],
])('%s', async (_, body, message) => {
  const { send } = await open()
  const answer = await send(body)
  expect(answer).toMatchObject({
    status: 400,
    body: { type: 'error', error: { type: 'invalid_request_error' } },
  })
  expect(answer.message).toContain(message)
})

test.each<[string, object, string]>([
  [
    'an open object',
    { type: 'object', properties: {} },
    "'additionalProperties' must be explicitly set to false",
  ],
  [
    'a number with bounds',
    object({ n: { type: 'integer', minimum: 1, maximum: 5 } }),
    "For 'integer' type, properties minimum, maximum are not supported",
  ],
  [
    'a string with a length',
    object({ s: { type: 'string', minLength: 1 } }),
    "For 'string' type, property 'minLength' is not supported",
  ],
  [
    'a list with an upper bound',
    object({ l: { type: 'array', items: { type: 'string' }, maxItems: 3 } }),
    "For 'array' type, property 'maxItems' is not supported",
  ],
  [
    'a list with a lower bound',
    object({ l: { type: 'array', items: { type: 'string' }, minItems: 2 } }),
    "'minItems' values other than 0 or 1 are not supported",
  ],
  ['oneOf', object({ o: { oneOf: [{ type: 'string' }] } }), "Schema type 'oneOf' is not supported"],
  [
    'a schema that holds itself',
    object(
      { next: { $ref: '#/$defs/Node' } },
      { $defs: { Node: object({ next: { $ref: '#/$defs/Node' } }) } },
    ),
    'Circular reference detected in schema definitions: Node -> Node',
  ],
  [
    'too many optional properties',
    object(Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`p${n}`, { type: 'string' }])), {
      required: [],
    }),
    'too many optional parameters (25)',
  ],
  [
    'too many unions',
    object(Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`p${n}`, { type: ['string', 'null'] }]))),
    'too many parameters with union types (17',
  ],
])('a schema with %s', async (_, schema, message) => {
  const { send } = await open()
  const answer = await send(withSchema(schema))
  expect(answer.status).toBe(400)
  expect(answer.message).toContain('output_config.format.schema: ')
  expect(answer.message).toContain(message)
})

test('a schema within the subset is taken, but not by an old model', async () => {
  const { send } = await open()
  const schema = object(
    { a: { type: 'array', items: { $ref: '#/$defs/Item' }, minItems: 1 } },
    {
      $defs: {
        Item: object({ kind: { enum: ['x', 'y'] }, note: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
      },
    },
  )
  expect((await send(withSchema(schema))).status).toBe(200)
  const old = await send({ ...withSchema(schema), model: 'claude-3-haiku-20240307' })
  expect(old).toMatchObject({
    status: 400,
    message: "'claude-3-haiku-20240307' does not support output format.",
  })
})

test('tokens can be counted, and models listed', async () => {
  const { send } = await open()
  const counted = await send({ model: base.model, messages: [hello] }, { path: '/v1/messages/count_tokens' })
  expect(counted.body).toEqual({ input_tokens: 3 })
  const listed = await send(null, { path: '/v1/models', method: 'GET' })
  expect(listed.text).toContain('"id":"claude-sonnet-5-5"')
})
