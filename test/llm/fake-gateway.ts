/** A gateway whose models are fakes on loopback, and a question to ask it. */

import { z } from 'zod'
import type { ModelSettings, ProviderSettings } from '../../src/config/settings/models.ts'
import { defaultSettings, type MoneySettings } from '../../src/config/settings/schema.ts'
import type { ReviewEvent } from '../../src/domain/events.ts'
import { nothingIsSent } from '../../src/llm/agreement.ts'
import type { Gateway, Question } from '../../src/llm/contract.ts'
import { createGateway, type GatewayOptions } from '../../src/llm/gateway.ts'
import type { FakeProvider } from '../helpers/fakes/provider.ts'
import { fakeApiKey } from '../helpers/fakes/provider.ts'
import { type MemoryJournal, memoryJournal } from './memory-journal.ts'

export const Notes = z.object({
  notes: z.array(z.object({ line: z.number().int(), text: z.string(), why: z.string().nullable() })),
})
export type Notes = z.infer<typeof Notes>

export const goodNotes: Notes = { notes: [{ line: 3, text: 'a leak', why: null }] }

export function question(changes: Partial<Question<Notes>> = {}): Question<Notes> {
  return {
    role: 'reviewer',
    address: 'test/review',
    prompt: 'test@1',
    instructions: [{ text: 'You review code.', stable: true }],
    turns: [{ from: 'user', parts: [{ text: 'The change: + let a = 1' }] }],
    answer: { name: 'notes', schema: Notes },
    maxOutputTokens: 2000,
    effort: 'low',
    signal: AbortSignal.timeout(30_000),
    ...changes,
  }
}

/** The model and provider of a test; `provider` is laid over what is needed to reach the fake. */
export type FakeModelName = { name: string; provider: ProviderSettings }

export function modelAt(fake: Pick<FakeProvider, 'baseUrl'>, kind: ProviderSettings['kind'], model: string) {
  const provider: ProviderSettings = { kind, baseUrl: fake.baseUrl, keyFrom: 'FAKE_KEY' }
  return { name: `fake/${model}`, provider }
}

export type FakeGateway = Gateway & {
  journal: MemoryJournal
  events: ReviewEvent[]
  waits: number[]
}

export async function gatewayTo(
  models: readonly FakeModelName[],
  options: Omit<Partial<GatewayOptions>, 'settings' | 'journal' | 'agreed'> & {
    journal?: MemoryJournal
    models?: Partial<ModelSettings>
    money?: Partial<MoneySettings>
  } = {},
): Promise<FakeGateway> {
  const { journal = memoryJournal(), models: modelSettings, money, ...rest } = options
  const events: ReviewEvent[] = []
  const waits: number[] = []
  const providers = Object.fromEntries(models.map(({ name, provider }) => [name.split('/')[0], provider]))
  const gateway = await createGateway({
    settings: {
      models: {
        ...defaultSettings.models,
        providers,
        roles: { reviewer: models.map(({ name }) => name) },
        ...modelSettings,
      },
      money: { ...defaultSettings.money, ...money },
    },
    environment: { FAKE_KEY: fakeApiKey },
    agreed: nothingIsSent,
    onEvent: (event) => events.push(event),
    wait: async (ms, signal) => {
      signal.throwIfAborted()
      waits.push(ms)
    },
    random: () => 0.5,
    ...rest,
    journal,
  })
  return { ...gateway, journal, events, waits }
}
