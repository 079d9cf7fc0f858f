/** Which providers can be faked, and how one is started. */
import { anthropic } from './anthropic/protocol.ts'
import { azure } from './azure/protocol.ts'
import { bedrock } from './bedrock/protocol.ts'
import type { Protocol } from './contract.ts'
import { google } from './google/protocol.ts'
import { ollama } from './ollama/protocol.ts'
import { openai } from './openai/protocol.ts'
import { openaiCompatible } from './openai-compatible/protocol.ts'
import { type FakeProvider, type FakeProviderOptions, runProvider } from './provider.ts'
import type { Scenario } from './scenario/script.ts'

export const protocols = {
  anthropic,
  openai,
  google,
  ollama,
  bedrock,
  azure,
  'openai-compatible': openaiCompatible,
} as const satisfies Record<string, Protocol>

export type FakeKind = keyof typeof protocols

export function isFakeKind(kind: string): kind is FakeKind {
  return Object.hasOwn(protocols, kind)
}

/** The scenario is a value, the name of a file in test/fixtures/scenarios, or a path. */
export function startFakeProvider(
  kind: FakeKind,
  scenario: Scenario | string,
  options?: FakeProviderOptions,
): Promise<FakeProvider> {
  return runProvider(protocols[kind], scenario, options)
}
