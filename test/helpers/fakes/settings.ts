/** The settings and the environment with which the product talks to fakes, as an operator would write them. */
import type { ProviderKind } from '../../../src/config/settings/models.ts'
import { fakeCredentials } from './bedrock/signature.ts'
import type { FakeProvider } from './provider.ts'
import type { FakeKind } from './registry.ts'

/** How settings name each kind, and a model that its fake has. `keyFrom`: null where no key is asked for. */
export const usualSettings: Readonly<
  Record<FakeKind, { kind: ProviderKind; model: string; keyFrom: string | null }>
> = {
  anthropic: { kind: 'anthropic', model: 'claude-sonnet-5-5', keyFrom: 'ANTHROPIC_API_KEY' },
  openai: { kind: 'openai', model: 'gpt-5.5', keyFrom: 'OPENAI_API_KEY' },
  google: { kind: 'google', model: 'gemini-3-pro-preview', keyFrom: 'GOOGLE_GENERATIVE_AI_API_KEY' },
  ollama: { kind: 'openai-compatible', model: 'qwen3-coder:30b', keyFrom: null },
  bedrock: { kind: 'bedrock', model: 'amazon.nova-pro-v1:0', keyFrom: 'AWS_BEARER_TOKEN_BEDROCK' },
  azure: { kind: 'azure', model: 'gpt-5', keyFrom: 'AZURE_API_KEY' },
  'openai-compatible': { kind: 'openai-compatible', model: 'qwen3-coder', keyFrom: 'FAKE_API_KEY' },
}

export type FakeSettings = {
  /** What stands in the settings file. */
  settings: { models: { providers: Record<string, object>; roles: Record<string, string> } }
  environment: Record<string, string>
}

/** All roles are played by one model of the fake; the provider is named after its kind. */
export function settingsFor(
  kind: FakeKind,
  fake: Pick<FakeProvider, 'baseUrl' | 'apiKey'>,
  model?: string,
): FakeSettings {
  const usual = usualSettings[kind]
  const name = `${kind}/${model ?? usual.model}`
  return {
    settings: {
      models: {
        providers: {
          [kind]: {
            kind: usual.kind,
            baseUrl: fake.baseUrl,
            ...(usual.keyFrom === null ? {} : { keyFrom: usual.keyFrom }),
            ...(kind === 'bedrock' ? { region: fakeCredentials.region } : {}),
          },
        },
        roles: { scout: name, reviewer: name, judge: name },
      },
    },
    environment: usual.keyFrom === null ? {} : { [usual.keyFrom]: fake.apiKey },
  }
}
