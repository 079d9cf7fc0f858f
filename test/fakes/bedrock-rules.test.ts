/** What Bedrock refuses, the fake refuses, with the same words and the same status. */
import { describe, expect, test } from 'vitest'
import { openFake, type Sender } from './raw.ts'

describe('Bedrock', () => {
  const nova = '/model/amazon.nova-pro-v1%3A0/converse'
  const claude = '/model/us.anthropic.claude-sonnet-5-5/invoke'
  const turn = (role: string, text = 'Hello.'): object => ({ role, content: [{ text }] })
  const open = (path: string): Promise<Sender> =>
    openFake('bedrock', path, (fake) => ({ authorization: `Bearer ${fake.apiKey}` }))

  test.each<[string, object, string]>([
    [
      'a model’s turn first',
      { messages: [turn('assistant')] },
      'A conversation must start with a user message.',
    ],
    [
      'two turns of one role',
      { messages: [turn('user'), turn('user')] },
      'A conversation must alternate between user and assistant roles.',
    ],
    [
      'a blank text',
      { messages: [turn('user', ' ')] },
      'The text field in the ContentBlock object at messages.0.content.0 is blank.',
    ],
    [
      'an empty turn',
      { messages: [{ role: 'user', content: [] }] },
      'The content field in the Message object at messages.0 is empty.',
    ],
    [
      'too large an answer',
      { messages: [turn('user')], inferenceConfig: { maxTokens: 10_001 } },
      'exceeds the model limit of 10000',
    ],
    ['an unknown key', { messages: [turn('user')], stream: true }, 'is invalid'],
    [
      'five cache points',
      {
        messages: [turn('user')],
        system: [1, 2, 3, 4, 5].flatMap((n) => [{ text: `${n}` }, { cachePoint: { type: 'default' } }]),
      },
      'exceeded the maximum of 4 cache points',
    ],
    [
      'too long a prompt',
      { messages: [turn('user', 'x'.repeat(1_300_000))] },
      'Input is too long for requested model.',
    ],
  ])('Converse refuses %s', async (_, body, message) => {
    const { send } = await open(nova)
    const answer = await send(body)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('x-amzn-errortype')).toContain('ValidationException')
    expect(answer.message).toContain(message)
  })

  test('Converse refuses forced tools and temperatures where the model does', async () => {
    const { send } = await open('/model/us.anthropic.claude-sonnet-5-5/converse')
    const tools = [{ toolSpec: { name: 'json', inputSchema: { json: {} } } }]
    const forced = await send({ messages: [turn('user')], toolConfig: { tools, toolChoice: { any: {} } } })
    expect(forced.message).toContain("This model doesn't support the toolConfig.toolChoice.any field.")
    expect((await send({ messages: [turn('user')], inferenceConfig: { temperature: 0 } })).message).toContain(
      '`temperature` is deprecated',
    )
  })

  test('Converse refuses cache points and streamed tools of a plain model', async () => {
    const { send } = await open('/model/us.meta.llama4-maverick-17b-instruct-v1%3A0/converse-stream')
    const tools = [{ toolSpec: { name: 'json', inputSchema: { json: {} } } }]
    const cached = await send({
      messages: [turn('user')],
      system: [{ text: 'x' }, { cachePoint: { type: 'default' } }],
    })
    expect([cached.status, cached.message]).toEqual([
      403,
      expect.stringContaining('did not allow prompt caching'),
    ])
    const streamed = await send({ messages: [turn('user')], toolConfig: { tools } })
    expect(streamed.message).toBe("This model doesn't support tool use in streaming mode.")
    expect((await send({ messages: [turn('user')] })).status).toBe(200)
  })

  test('invoking Claude keeps Anthropic’s rules and has its own', async () => {
    const { send } = await open(claude)
    const body = {
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hello.' }],
    }
    expect((await send(body)).status).toBe(200)
    expect((await send({ ...body, anthropic_version: undefined })).message).toBe(
      'anthropic_version: Field required',
    )
    expect((await send({ ...body, model: 'x' })).message).toBe('model: Extra inputs are not permitted')
    expect((await send({ ...body, temperature: 0 })).message).toBe(
      '`temperature` is deprecated for this model.',
    )
    expect((await send(body, { path: '/model/nope/invoke' })).message).toBe(
      'The provided model identifier is invalid.',
    )
  })

  test('strangers stay outside', async () => {
    const { send } = await open(nova)
    const body = { messages: [turn('user')] }
    expect((await send(body, { headers: { authorization: null } })).message).toBe(
      'Missing Authentication Token',
    )
    expect((await send(body, { headers: { authorization: 'Bearer x' } })).status).toBe(403)
    const signature = `AWS4-HMAC-SHA256 Credential=AKIAFAKE0000000000EX/20260101/us-east-1/bedrock/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`
    expect((await send(body, { headers: { authorization: signature } })).message).toContain(
      'The request signature we calculated does not match',
    )
    expect(
      (await send(body, { headers: { authorization: signature.replace('AKIAFAKE', 'AKIAREAL') } })).message,
    ).toContain('security token included in the request is invalid')
  })
})
