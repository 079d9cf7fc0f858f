/**
 * The gateway asks every kind of provider in every scenario, with the settings an operator would write. By default one kind is
 * drawn for each scenario, and another for the next; `npm run test:matrices` plays all.
 */

import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseSettings } from '../../../src/config/settings/load.ts'
import { nothingIsSent } from '../../../src/llm/agreement.ts'
import type { Reply } from '../../../src/llm/contract.ts'
import { createGateway } from '../../../src/llm/gateway.ts'
import { noJournal } from '../../../src/llm/metered-fetch.ts'
import type { FakeProvider } from '../../helpers/fakes/provider.ts'
import { type FakeKind, startFakeProvider } from '../../helpers/fakes/registry.ts'
import { listScenarios } from '../../helpers/fakes/scenario/load.ts'
import { settingsFor, usualSettings } from '../../helpers/fakes/settings.ts'
import { drawn } from '../../helpers/matrix.ts'

const Review = z.object({ findings: z.array(z.string()), summary: z.string() })
type Review = z.infer<typeof Review>

async function review(kind: FakeKind, fake: FakeProvider): Promise<Reply<Review>> {
  const { settings, environment } = settingsFor(kind, fake)
  const gateway = await createGateway({
    agreed: nothingIsSent,
    settings: parseSettings(JSON.stringify(settings), 'settings.yaml'),
    environment,
    journal: noJournal,
    wait: async () => {},
    random: () => 0.5,
    patienceMs: 60_000,
    timeouts: { firstByteMs: 400, chunkMs: 400 },
  })
  return gateway.ask({
    role: 'reviewer',
    address: 'quick/group-1/review',
    prompt: 'quick-review@4',
    instructions: [{ text: 'You review code and answer with JSON.', stable: true }],
    turns: [{ from: 'user', parts: [{ text: 'The change: [L2#abc] + return total - 1' }] }],
    answer: { name: 'review', schema: Review },
    maxOutputTokens: 2000,
    effort: 'low',
    signal: AbortSignal.timeout(30_000),
  })
}

/** The outcome and the most requests it may take; all other scenarios end in the good answer. */
const badEnds: Readonly<Record<string, { outcome: Reply<Review>['outcome']; requests: number }>> = {
  'everything-fails': { outcome: 'failed', requests: 4 },
  looping: { outcome: 'unusable', requests: 2 },
  quota: { outcome: 'failed', requests: 1 },
  'rate-limited-long': { outcome: 'failed', requests: 4 },
  refusing: { outcome: 'refused', requests: 1 },
  silent: { outcome: 'failed', requests: 4 },
  truncated: { outcome: 'truncated', requests: 1 },
  'truncated-forever': { outcome: 'truncated', requests: 1 },
}

/** Models of one's own say in words that they will not: that is an answer without JSON. */
const refusesInWords = new Set<FakeKind>(['ollama', 'openai-compatible'])

const kinds = Object.keys(usualSettings) as FakeKind[]
const played = listScenarios().flatMap((name, at) => drawn(kinds, at).map((kind) => [kind, name] as const))

test.each(played)('%s: %s', async (kind, name) => {
  await using fake = await startFakeProvider(kind, name)
  const reply = await review(kind, fake)
  const inWords = name === 'refusing' && refusesInWords.has(kind)
  const end = inWords ? { outcome: 'unusable', requests: 2 } : badEnds[name]
  expect(reply.outcome).toBe(end?.outcome ?? 'answered')
  expect(fake.requests.length).toBeLessThanOrEqual(end?.requests ?? 4)
  expect(fake.mistakes).toEqual([])
  if (reply.outcome !== 'answered') expect(reply.reason).toContain(kind)
  else if (name !== 'malicious') expect(reply.value.summary).toBe('Nothing to report.')
  else expect(reply.value.summary).toContain('\u202e')
})
