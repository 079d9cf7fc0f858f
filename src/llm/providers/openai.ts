/** OpenAI's Responses API. */
import { baseUrl } from './base-url.ts'
import type { CallTraits, Dialect, ProviderFamily } from './contract.ts'

export const openai: ProviderFamily = {
  structuredOutput: 'native',
  async open({ provider, model, secret, fetch }) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({
      apiKey: secret(provider.keysFrom[0] ?? ''),
      baseURL: baseUrl(provider.baseUrl, 'https://api.openai.com/v1'),
      fetch,
    }).responses(model)
  },
  callOptions: (traits) => ({ openai: responsesOptions(traits) }),
  takesEffort: () => true,
  priceTable: () => 'openai',
}

/** Nothing is kept at OpenAI, and no summary of thoughts is written (and paid). */
export function responsesOptions({ cacheKey }: Pick<CallTraits, 'cacheKey'>): Dialect[string] {
  return { store: false, reasoningSummary: null, promptCacheKey: cacheKey }
}
