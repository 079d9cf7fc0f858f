/** The models an account of the fake Bedrock may use. */
import type { FakeModel } from '../contract.ts'

const claude = { contextWindow: 200_000, maxOutputTokens: 64_000, cacheFrom: 1024 }

export const bedrockModels: Readonly<Record<string, FakeModel>> = {
  'us.anthropic.claude-sonnet-5-5': {
    ...claude,
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    rejectsSampling: true,
    rejectsForcedTools: true,
    reasons: true,
  },
  'us.anthropic.claude-sonnet-5': {
    ...claude,
    rejectsSampling: true,
    noStructuredOutput: true,
    reasons: true,
  },
  'anthropic.claude-sonnet-4-5-20250929-v1:0': claude,
  'anthropic.claude-haiku-4-5-20251001-v1:0': { ...claude, cacheFrom: 4096 },
  'amazon.nova-pro-v1:0': { contextWindow: 300_000, maxOutputTokens: 10_000, cacheFrom: 1024 },
  'us.meta.llama4-maverick-17b-instruct-v1:0': {
    contextWindow: 128_000,
    maxOutputTokens: 8192,
    isPlain: true,
  },
}
