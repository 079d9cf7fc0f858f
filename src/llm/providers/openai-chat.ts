/** OpenAI's older Chat Completions API, for models and proxies that have only that. */
import { baseUrl, type ProviderFamily } from './contract.ts'
import { openaiEffort } from './openai.ts'

export const openaiChat: ProviderFamily = {
  structuredOutput: 'native',
  async open({ provider, model, secret, fetch }) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({
      apiKey: secret(provider.keysFrom[0] ?? ''),
      baseURL: baseUrl(provider.baseUrl, 'https://api.openai.com/v1'),
      fetch,
    }).chat(model)
  },
  callOptions: ({ cacheKey }) => ({ openai: { store: false, promptCacheKey: cacheKey } }),
  effortFor: (wanted, { model }) => openaiEffort(wanted, model),
  priceTable: () => 'openai',
}
