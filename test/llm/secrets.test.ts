/** Secrets stay out of what is sent, kept and told, and keys of ours out of everything. */
import { expect, test } from 'vitest'
import { targetOf } from '../../src/domain/journal.ts'
import { fakeCredentials } from '../helpers/fakes/bedrock/signature.ts'
import { fakeApiKey } from '../helpers/fakes/provider.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { gatewayTo, goodNotes, modelAt, question } from './fake-gateway.ts'

const token = ['ghp_', 'Zr8qT1xY5mN0bV7cL3kJ9hG2fD4sA6wE8uIo'].join('')

test('a secret in a prompt is shortened before it is sent', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: [{ answer: 'good', value: goodNotes }] })
  const gateway = await gatewayTo([modelAt(fake, 'anthropic', 'claude-sonnet-5-5')])
  const text = `+ const key = "${token}"\n+ const ours = "${fakeApiKey}"`
  await gateway.ask(question({ turns: [{ from: 'user', parts: [{ text }] }] }))
  expect(fake.requests[0]?.text).toContain('const key')
  for (const secret of [token, fakeApiKey]) {
    expect(fake.requests[0]?.text).not.toContain(secret)
    expect(JSON.stringify([...gateway.journal.entries.values()])).not.toContain(secret)
  }
})

test.each([
  ['anthropic', 'claude-sonnet-5-5'],
  ['openai', 'gpt-5.5'],
  ['google', 'gemini-2.5-pro'],
] as const)(
  '%s: the key is in no record, note, event or reason, whatever the server repeats',
  async (kind, model) => {
    await using fake = await startFakeProvider(kind, { steps: [{ answer: 'good', value: goodNotes }] })
    const echo: typeof fetch = async (_url, init) => {
      const headers = JSON.stringify([...new Headers(init?.headers).entries()])
      return new Response(JSON.stringify({ error: { message: `Bad headers: ${headers}` } }), { status: 401 })
    }
    const gateway = await gatewayTo([modelAt(fake, kind, model)], { fetch: echo })
    const reply = await gateway.ask(question())
    expect(reply).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('Bad headers') })
    const all = JSON.stringify([
      reply,
      gateway.events,
      gateway.journal.notes,
      [...gateway.journal.entries.values()],
    ])
    expect(all).not.toContain(fakeApiKey)
    expect(all).not.toContain('authorization":"')
  },
)

test('headers are never kept, and credentials in an address neither', async () => {
  await using fake = await startFakeProvider('google', { steps: [{ answer: 'good', value: goodNotes }] })
  const gateway = await gatewayTo([modelAt(fake, 'google', 'gemini-2.5-pro')])
  expect(await gateway.ask(question())).toMatchObject({ outcome: 'answered' })
  const [entry] = gateway.journal.entries.values()
  expect(Object.keys(entry?.request ?? {}).sort()).toEqual([
    'address',
    'body',
    'kind',
    'method',
    'outcome',
    'role',
    'sample',
    'url',
  ])
  expect(entry && targetOf(entry.request)).not.toMatch(/key=|@/)
  expect(Object.keys(entry?.answer.headers ?? {}).sort()).toEqual(['content-type', 'sightline-price'])
})

test('a redirect is not followed with prompt and key', async () => {
  let asked = ''
  const gateway = await gatewayTo(
    [modelAt({ baseUrl: 'http://127.0.0.1:1/v1' }, 'anthropic', 'claude-sonnet-5-5')],
    {
      fetch: async (_url, init) => {
        asked = String(init?.redirect)
        throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') })
      },
    },
  )
  expect(await gateway.ask(question())).toMatchObject({ outcome: 'failed' })
  expect(asked).toBe('error')
})

test('Bedrock’s signature holds for a prompt out of which a secret was taken, for both of its APIs', async () => {
  for (const model of ['us.anthropic.claude-sonnet-5-5', 'amazon.nova-pro-v1:0']) {
    await using fake = await startFakeProvider('bedrock', { steps: [{ answer: 'good', value: goodNotes }] })
    const gateway = await gatewayTo([], {
      environment: {
        AWS_ACCESS_KEY_ID: fakeCredentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: fakeCredentials.secretAccessKey,
      },
      models: { providers: { bedrock: { kind: 'bedrock', baseUrl: fake.baseUrl, region: 'us-east-1' } } },
      roles: { reviewer: [`bedrock/${model}`] },
    })
    const text = `+ const key = "${token}" // ${fakeCredentials.secretAccessKey}`
    expect(await gateway.ask(question({ turns: [{ from: 'user', parts: [{ text }] }] }))).toMatchObject({
      outcome: 'answered',
    })
    expect(fake.requests[0]?.headers.authorization).toContain('AWS4-HMAC-SHA256')
    for (const secret of [token, fakeCredentials.secretAccessKey])
      expect(JSON.stringify([fake.requests[0]?.text, ...gateway.journal.entries.values()])).not.toContain(
        secret,
      )
  }
})
