/** What Ollama does and refuses in calls of its own manner, the fake does. */
import { describe, expect, test } from 'vitest'
import { openFake, type Sender } from './raw.ts'

describe('Ollama', () => {
  const hello = { model: 'qwen3-coder:30b', messages: [{ role: 'user', content: 'Hello.' }] }
  const open = (): Promise<Sender> => openFake('ollama', '/api/chat', () => ({}))

  test('streams lines of JSON unless it is told not to', async () => {
    const { send } = await open()
    const lines = (await send(hello)).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { done: boolean; message: { content: string } })
    expect(lines.map((line) => line.message.content).join('')).toBe('All is well.')
    expect(lines.at(-1)).toMatchObject({
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 2,
      eval_count: 3,
    })
    expect((await send({ ...hello, stream: false })).text).toContain('"content":"All is well."')
  })

  test('refuses unknown models and broken bodies; cuts prompts to the context', async () => {
    const { send, fake } = await open()
    expect(await send({ ...hello, model: 'nope' })).toMatchObject({
      status: 404,
      message: "model 'nope' not found",
    })
    expect(await send('')).toMatchObject({ status: 400, message: 'missing request body' })
    expect((await send({ ...hello, messages: 'x' })).message).toContain('json: cannot unmarshal messages')
    const long = {
      ...hello,
      messages: [{ role: 'user', content: 'x'.repeat(20_000) }],
      options: { num_ctx: 2048 },
    }
    await send(long)
    expect(fake.calls.at(-1)?.call.usage.input).toBe(2048)
  })

  test('keeps to a format that is a schema', async () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] }
    const { send, fake } = await openFake('ollama', '/api/chat', () => ({}), {
      steps: [{ answer: 'good', value: { a: 1 } }],
    })
    expect((await send({ ...hello, format: schema, stream: false })).text).toContain('{\\"a\\":1}')
    expect(fake.calls[0]?.call.schema?.schema).toEqual(schema)
  })

  test('tells what it has', async () => {
    const { send } = await open()
    expect((await send(null, { path: '/api/tags', method: 'GET' })).text).toContain('qwen3-coder:30b')
    expect((await send({ model: 'llama3.2' }, { path: '/api/show' })).text).toContain(
      '"fake.context_length":4096',
    )
  })
})
