/** The models an account of the fake Anthropic may use. */
import type { FakeModel } from '../contract.ts'

const thinking = { contextWindow: 1_000_000, maxOutputTokens: 128_000, rejectsSampling: true, reasons: true }
const earlier = { contextWindow: 200_000, maxOutputTokens: 64_000 }

export const anthropicModels: Readonly<Record<string, FakeModel>> = {
  'claude-opus-5-5': { ...thinking, rejectsForcedTools: true, cacheFrom: 1024 },
  'claude-sonnet-5-5': { ...thinking, rejectsForcedTools: true, cacheFrom: 1024 },
  'claude-haiku-5-5': { ...thinking, contextWindow: 200_000, cacheFrom: 2048 },
  'claude-fable-5-2': { ...thinking, rejectsForcedTools: true, cacheFrom: 1024 },
  'claude-opus-5': { ...thinking, cacheFrom: 1024 },
  'claude-sonnet-5': { ...thinking, cacheFrom: 1024 },
  'claude-sonnet-4-6': { ...earlier, contextWindow: 1_000_000, maxOutputTokens: 128_000, cacheFrom: 1024 },
  'claude-sonnet-4-5': { ...earlier, cacheFrom: 1024 },
  'claude-haiku-4-5': { ...earlier, cacheFrom: 4096 },
  'claude-3-haiku-20240307': {
    contextWindow: 200_000,
    maxOutputTokens: 4096,
    noStructuredOutput: true,
    cacheFrom: 2048,
  },
}
