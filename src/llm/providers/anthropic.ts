/** Claude at Anthropic itself: the Messages API. */
import { baseUrl } from './base-url.ts'
import type { Dialect, ProviderFamily } from './contract.ts'

export const anthropic: ProviderFamily = {
  structuredOutput: 'native',
  async open({ provider, model, secret, fetch }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({
      apiKey: secret(provider.keysFrom[0] ?? ''),
      baseURL: baseUrl(provider.baseUrl, 'https://api.anthropic.com/v1'),
      fetch,
    })(model)
  },
  // Left to itself the SDK forces a tool on models it does not know, which current Claude refuses.
  callOptions: () => ({ anthropic: { structuredOutputMode: 'outputFormat' } }),
  cacheMark: anthropicMark,
  takesEffort: () => true,
  priceTable: () => 'anthropic',
}

/** Five minutes are the rule and go without saying. */
export function anthropicMark(lifetime: '5m' | '1h'): Dialect {
  const ttl = lifetime === '1h' ? { ttl: lifetime } : {}
  return { anthropic: { cacheControl: { type: 'ephemeral', ...ttl } } }
}
