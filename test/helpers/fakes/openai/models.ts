/** The models an account of the fake OpenAI may use. */
import type { FakeModel } from '../contract.ts'

const reasoning = { contextWindow: 400_000, maxOutputTokens: 128_000, rejectsSampling: true, reasons: true }

export const openaiModels: Readonly<Record<string, FakeModel>> = {
  'gpt-5.5': { ...reasoning, contextWindow: 1_000_000 },
  'gpt-5.5-mini': reasoning,
  'gpt-5': reasoning,
  'gpt-5-mini': reasoning,
  'gpt-4.1': { contextWindow: 1_047_576, maxOutputTokens: 32_768 },
  'gpt-4.1-mini': { contextWindow: 1_047_576, maxOutputTokens: 32_768 },
  'gpt-4o': { contextWindow: 128_000, maxOutputTokens: 16_384 },
  'gpt-4o-mini': { contextWindow: 128_000, maxOutputTokens: 16_384 },
  'gpt-3.5-turbo': { contextWindow: 16_385, maxOutputTokens: 4096, noStructuredOutput: true },
}
