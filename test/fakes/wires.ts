/** Every wire that the fakes speak, with the model of the AI SDK that speaks it. */
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { createAmazonBedrockAnthropic } from '@ai-sdk/amazon-bedrock/anthropic'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createAzure } from '@ai-sdk/azure'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import { fakeCredentials } from '../helpers/fakes/bedrock/signature.ts'
import type { FakeProvider } from '../helpers/fakes/provider.ts'
import type { FakeKind } from '../helpers/fakes/registry.ts'

export type Wire = {
  name: string
  kind: FakeKind
  model(fake: FakeProvider): LanguageModel
  /** The status of `overloaded`, `quota`. */
  status: { overloaded: number; quota: number }
  /** What the finish reason of a refusal becomes. */
  refusal: 'content-filter' | 'stop'
  showsThoughts: boolean
  /** Counts what came from the cache without being asked to. */
  cachesByItself: boolean
  /** The provider package sends the JSON schema for the server to enforce. */
  native: boolean
}

const talkAlike = {
  status: { overloaded: 503, quota: 402 },
  refusal: 'stop',
  showsThoughts: true,
  cachesByItself: false,
  native: true,
} as const

const compatible = (fake: FakeProvider, model: string): LanguageModel =>
  createOpenAICompatible({
    name: 'local',
    baseURL: fake.baseUrl,
    apiKey: fake.apiKey,
    supportsStructuredOutputs: true,
    includeUsage: true,
  })(model)

export const wires: readonly Wire[] = [
  {
    name: 'Anthropic Messages',
    kind: 'anthropic',
    model: (fake) => createAnthropic({ baseURL: fake.baseUrl, apiKey: fake.apiKey })('claude-sonnet-5-5'),
    status: { overloaded: 529, quota: 400 },
    refusal: 'content-filter',
    showsThoughts: true,
    cachesByItself: false,
    native: true,
  },
  {
    name: 'OpenAI chat',
    kind: 'openai',
    model: (fake) => createOpenAI({ baseURL: fake.baseUrl, apiKey: fake.apiKey }).chat('gpt-5'),
    status: { overloaded: 503, quota: 429 },
    refusal: 'content-filter',
    showsThoughts: false,
    cachesByItself: true,
    native: true,
  },
  {
    name: 'OpenAI responses',
    kind: 'openai',
    model: (fake) => createOpenAI({ baseURL: fake.baseUrl, apiKey: fake.apiKey }).responses('gpt-5.5'),
    status: { overloaded: 503, quota: 429 },
    refusal: 'content-filter',
    showsThoughts: true,
    cachesByItself: true,
    native: true,
  },
  {
    name: 'Gemini',
    kind: 'google',
    model: (fake) => createGoogle({ baseURL: fake.baseUrl, apiKey: fake.apiKey })('gemini-3-pro-preview'),
    status: { overloaded: 503, quota: 429 },
    refusal: 'content-filter',
    showsThoughts: true,
    cachesByItself: true,
    native: true,
  },
  { name: 'Ollama /v1', kind: 'ollama', model: (fake) => compatible(fake, 'qwen3-coder:30b'), ...talkAlike },
  {
    name: 'OpenAI-compatible',
    kind: 'openai-compatible',
    model: (fake) => compatible(fake, 'qwen3-coder'),
    ...talkAlike,
  },
  {
    name: 'Azure responses',
    kind: 'azure',
    model: (fake) => createAzure({ baseURL: fake.baseUrl, apiKey: fake.apiKey })('gpt-5'),
    status: { overloaded: 503, quota: 429 },
    // Its package brings an older one of OpenAI's, which drops the words of a refusal.
    refusal: 'stop',
    showsThoughts: true,
    cachesByItself: true,
    native: true,
  },
  {
    name: 'Azure deployments',
    kind: 'azure',
    model: (fake) =>
      createAzure({
        baseURL: `${fake.url}/openai`,
        apiKey: fake.apiKey,
        useDeploymentBasedUrls: true,
        apiVersion: '2024-10-21',
      }).chat('gpt-4o'),
    status: { overloaded: 503, quota: 429 },
    refusal: 'content-filter',
    showsThoughts: false,
    cachesByItself: true,
    native: true,
  },
  {
    name: 'Bedrock invoke, signed',
    kind: 'bedrock',
    model: (fake) =>
      createAmazonBedrockAnthropic({ baseURL: fake.baseUrl, apiKey: '', ...fakeCredentials })(
        'anthropic.claude-sonnet-4-5-20250929-v1:0',
      ),
    status: { overloaded: 503, quota: 400 },
    refusal: 'content-filter',
    showsThoughts: true,
    cachesByItself: false,
    native: true,
  },
  {
    name: 'Bedrock Converse, bearer key',
    kind: 'bedrock',
    model: (fake) =>
      createAmazonBedrock({ baseURL: fake.baseUrl, apiKey: fake.apiKey })('amazon.nova-pro-v1:0'),
    status: { overloaded: 503, quota: 400 },
    refusal: 'content-filter',
    showsThoughts: true,
    cachesByItself: false,
    native: false,
  },
]
