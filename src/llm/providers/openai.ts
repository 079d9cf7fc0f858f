/** OpenAI's Responses API. */
import { baseUrl, type CallTraits, type Dialect, type Effort, type ProviderFamily } from './contract.ts'

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
  effortFor: (wanted, { model }) => openaiEffort(wanted, model),
  priceTable: () => 'openai',
}

/** Nothing is kept at OpenAI, and no summary of thoughts is written (and paid). */
export function responsesOptions({ cacheKey }: Pick<CallTraits, 'cacheKey'>): Dialect[string] {
  return { store: false, reasoningSummary: null, promptCacheKey: cacheKey }
}

/** Models that do not think refuse it; a deployment of another name may be of any model. */
export function openaiEffort(wanted: Effort, model: string): Effort | null {
  return /^(?:o\d|gpt-[5-9])/.test(model) && !model.includes('-chat') ? wanted : null
}
