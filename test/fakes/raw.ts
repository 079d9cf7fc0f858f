/** Sends bodies to a fake without any provider package, to show what it refuses. */
import { onTestFinished } from 'vitest'
import type { FakeProvider } from '../helpers/fakes/provider.ts'
import { type FakeKind, startFakeProvider } from '../helpers/fakes/registry.ts'
import type { Scenario } from '../helpers/fakes/scenario/script.ts'

export const anyAnswer = { answer: 'good', times: 'always', text: 'All is well.' } as const

export type RawAnswer = { status: number; headers: Headers; text: string; message: string; body: Body }

type Body = {
  error?: {
    message?: string
    type?: string
    code?: string | number | null
    param?: string | null
    status?: string
  }
  message?: string
  usage?: Record<string, unknown>
}

export type Sender = { fake: FakeProvider; send(body: unknown, change?: Change): Promise<RawAnswer> }

type Change = { path?: string; headers?: Record<string, string | null>; method?: string }

/** A fake that ends with the test; `send` posts to `path` with these headers, of which null takes one away. */
export async function openFake(
  kind: FakeKind,
  path: string,
  headers: (fake: FakeProvider) => Record<string, string>,
  scenario: Scenario = { steps: [anyAnswer] },
): Promise<Sender> {
  const fake = await startFakeProvider(kind, scenario)
  onTestFinished(() => fake.close())
  return {
    fake,
    send: async (body, change = {}) => {
      const all = Object.entries({ 'content-type': 'application/json', ...headers(fake), ...change.headers })
      const response = await fetch(fake.url + (change.path ?? path), {
        method: change.method ?? 'POST',
        headers: all.filter((entry): entry is [string, string] => entry[1] !== null),
        ...(change.method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const parsed = parse(text)
      const message =
        typeof parsed.error === 'string' ? parsed.error : (parsed.error?.message ?? parsed.message ?? '')
      return { status: response.status, headers: response.headers, text, message, body: parsed }
    },
  }
}

function parse(text: string): Body {
  try {
    return JSON.parse(text) as Body
  } catch {
    return {}
  }
}
