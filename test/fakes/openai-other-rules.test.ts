/** What OpenAI's responses refuse, and what Azure and those who talk alike do in another way. */
import { describe, expect, test } from 'vitest'
import { openFake, type Sender } from './raw.ts'

const hello = { role: 'user', content: 'Hello, JSON.' }
const bearer = (fake: { apiKey: string }): Record<string, string> => ({
  authorization: `Bearer ${fake.apiKey}`,
})
const openResponses = (): Promise<Sender> => openFake('openai', '/v1/responses', bearer)

describe('responses', () => {
  const base = { model: 'gpt-5', input: 'Hello.' }
  test.each<[string, object, string, string | null]>([
    [
      'an unknown model',
      { ...base, model: 'gpt-9' },
      "The requested model 'gpt-9' does not exist.",
      'model_not_found',
    ],
    ['an unknown key', { ...base, max_tokens: 100 }, "Unknown parameter: 'max_tokens'.", 'unknown_parameter'],
    ['no input', { model: 'gpt-5', input: [] }, "One of 'input' or", 'missing_required_parameter'],
    [
      'a tiny answer',
      { ...base, max_output_tokens: 8 },
      'Expected a value >= 16, but got 8 instead.',
      'integer_below_min_value',
    ],
    [
      'a temperature',
      { ...base, temperature: 0 },
      "Unsupported parameter: 'temperature' is not supported with this model.",
      null,
    ],
    [
      'effort without thinking',
      { model: 'gpt-4o', input: 'x', reasoning: { effort: 'low' } },
      "'reasoning.effort' is not supported with this model.",
      'unsupported_parameter',
    ],
    [
      'secret thoughts without thinking',
      { model: 'gpt-4o', input: 'x', include: ['reasoning.encrypted_content'] },
      'Encrypted content is not supported with this model.',
      null,
    ],
    [
      'a user who outputs',
      { ...base, input: [{ role: 'user', content: [{ type: 'output_text', text: 'x' }] }] },
      "Invalid value: 'output_text'.",
      'invalid_value',
    ],
    [
      'too long an input',
      { model: 'gpt-4o', input: 'x'.repeat(512_100) },
      'Your input exceeds the context window of this model.',
      'context_length_exceeded',
    ],
    [
      'a schema outside the subset',
      {
        ...base,
        text: { format: { type: 'json_schema', name: 'r', strict: true, schema: { type: 'object' } } },
      },
      "Invalid schema for response_format 'r': In context=(), 'additionalProperties'",
      'invalid_json_schema',
    ],
  ])('refuse %s', async (_, body, message, code) => {
    const { send } = await openResponses()
    const answer = await send(body)
    expect(answer.status).toBe(400)
    expect(answer.message).toContain(message)
    expect(answer.body.error?.code).toBe(code)
  })
})

describe('those who talk alike', () => {
  test('take more, and say it in their own form', async () => {
    const { send } = await openFake('openai-compatible', '/v1/chat/completions', bearer)
    const body = { model: 'qwen3-coder', messages: [hello], max_tokens: 100, top_k: 20 }
    expect((await send(body)).status).toBe(200)
    expect((await send({ ...body, max_tokens: 32_768 })).message).toContain(
      "This model's maximum context length is 32768 tokens. However, you requested",
    )
    expect(await send({ ...body, model: 'nope' })).toMatchObject({
      status: 404,
      body: { error: { type: 'NotFoundError', code: 404 } },
    })
    expect((await send(body, { headers: { authorization: null } })).status).toBe(401)
  })

  test('Ollama cuts a long prompt and says nothing', async () => {
    const { send, fake } = await openFake('ollama', '/v1/chat/completions', () => ({}))
    const answer = await send({
      model: 'llama3.2',
      messages: [{ role: 'user', content: 'x'.repeat(40_000) }],
    })
    expect(answer).toMatchObject({ status: 200, body: { usage: { prompt_tokens: 4096 } } })
    expect(fake.calls[0]?.call.prompt).toHaveLength(40_000)
    expect((await send({ model: 'nope', messages: [hello] })).message).toBe("model 'nope:latest' not found")
  })

  test('Azure knows deployments, and wants the version of its API', async () => {
    const path = '/openai/deployments/gpt-4o/chat/completions'
    const { send } = await openFake('azure', `${path}?api-version=2024-10-21`, (fake) => ({
      'api-key': fake.apiKey,
    }))
    expect((await send({ messages: [hello] })).status).toBe(200)
    expect((await send({ messages: [hello] }, { path })).message).toBe('Resource not found')
    const unknown = await send(
      { messages: [hello] },
      { path: `${path.replace('4o', '9')}?api-version=2024-10-21` },
    )
    expect(unknown.body.error?.code).toBe('DeploymentNotFound')
    expect((await send({ messages: [hello] }, { headers: { 'api-key': null } })).status).toBe(401)
  })
})
