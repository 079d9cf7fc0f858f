/** What Gemini refuses, the fake refuses, with the same words and the same status. */
import { describe, expect, test } from 'vitest'
import { openFake, type Sender } from './raw.ts'

const words = (text: string): object => ({ parts: [{ text }] })

describe('Gemini', () => {
  const path = '/v1beta/models/gemini-2.5-flash:generateContent'
  const base = { contents: [{ role: 'user', ...words('Hello.') }] }
  const shaped = (config: object): object => ({
    ...base,
    generationConfig: { responseMimeType: 'application/json', ...config },
  })
  const open = (): Promise<Sender> => openFake('google', path, (fake) => ({ 'x-goog-api-key': fake.apiKey }))

  test.each<[string, object, string]>([
    ['no contents', {}, 'contents is not specified'],
    ['an unknown key', { ...base, prompt: 'x' }, 'Unknown name "prompt": Cannot find field.'],
    [
      'a wrong role',
      { contents: [{ role: 'assistant', ...words('x') }] },
      'Please use a valid role: user, model.',
    ],
    ['no parts', { contents: [{ role: 'user', parts: [] }] }, 'contents.parts must not be empty'],
    [
      'an empty part',
      { contents: [{ role: 'user', ...words('') }] },
      "required oneof field 'data' must have one initialized field",
    ],
    [
      'too large an answer',
      { ...base, generationConfig: { maxOutputTokens: 70_000 } },
      'maxOutputTokens value of 70000 but the supported range is from 1 (inclusive) to 65537',
    ],
    [
      'a closed object in OpenAPI',
      shaped({
        responseSchema: {
          type: 'OBJECT',
          properties: { a: { type: 'ARRAY', items: { type: 'OBJECT', additionalProperties: false } } },
        },
      }),
      `Unknown name "additionalProperties" at 'generation_config.response_schema.properties[0].value.items': Cannot find field.`,
    ],
    [
      'a list of types in OpenAPI',
      shaped({ responseSchema: { type: ['string', 'null'] } }),
      "Invalid value at 'generation_config.response_schema.type'",
    ],
    [
      'a constant in JSON Schema',
      shaped({ responseJsonSchema: { type: 'object', properties: { a: { const: 1 } } } }),
      '"const"',
    ],
    [
      'two schemas',
      shaped({ responseSchema: { type: 'STRING' }, responseJsonSchema: { type: 'string' } }),
      'Only one of',
    ],
    [
      'a schema without its type',
      { ...base, generationConfig: { responseSchema: { type: 'STRING' } } },
      'must be application/json',
    ],
    [
      'too deep nesting',
      shaped({ responseJsonSchema: deep(30) }),
      'exceeds the maximum allowed nesting depth',
    ],
    [
      'too many states',
      shaped({
        responseJsonSchema: { type: 'string', enum: Array.from({ length: 1001 }, (_, n) => `${n}`) },
      }),
      'too many states for serving',
    ],
    [
      'tools and JSON at once',
      { ...shaped({}), tools: [{ functionDeclarations: [{ name: 'a' }] }] },
      "Function calling with a response mime type: 'application/json' is unsupported",
    ],
    [
      'too long a prompt',
      { contents: [{ role: 'user', ...words('x'.repeat(4_300_000)) }] },
      'exceeds the maximum number of tokens allowed (1048576).',
    ],
  ])('refuses %s', async (_, body, message) => {
    const { send } = await open()
    const answer = await send(body)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 400, status: 'INVALID_ARGUMENT' } } })
    expect(answer.message).toContain(message)
  })

  test('takes schemas of both kinds, and refuses strangers and unknown models', async () => {
    const { send } = await open()
    expect(
      (
        await send(
          shaped({
            responseSchema: {
              type: 'OBJECT',
              properties: { a: { type: 'STRING', nullable: true } },
              required: ['a'],
            },
          }),
        )
      ).status,
    ).toBe(200)
    expect(
      (
        await send(
          shaped({
            responseJsonSchema: {
              type: 'object',
              properties: { a: { type: ['string', 'null'] } },
              additionalProperties: false,
            },
          }),
        )
      ).status,
    ).toBe(200)
    expect((await send(base, { headers: { 'x-goog-api-key': null } })).body.error?.status).toBe(
      'PERMISSION_DENIED',
    )
    const wrong = await send(base, { headers: { 'x-goog-api-key': 'AIzaWrong' } })
    expect([wrong.status, wrong.message]).toEqual([400, 'API key not valid. Please pass a valid API key.'])
    expect(wrong.text).toContain('API_KEY_INVALID')
    const unknown = await send(base, { path: path.replace('2.5', '9') })
    expect([unknown.status, unknown.body.error?.status]).toEqual([404, 'NOT_FOUND'])
    expect((await send('{"contents"')).message).toContain('Invalid JSON payload received.')
    const stream = await send(base, { path: path.replace('generate', 'streamGenerate') })
    expect(JSON.parse(stream.text)).toHaveLength(4)
  })

  function deep(levels: number): object {
    return levels === 0 ? { type: 'string' } : { type: 'object', properties: { in: deep(levels - 1) } }
  }
})
