/** Claude at Anthropic itself: the Messages API. */
import { baseUrl, type Dialect, type Effort, type ProviderFamily } from './contract.ts'

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
  effortFor: (wanted, { model }) => claudeEffort(wanted, model),
  priceTable: () => 'anthropic',
}

/** Five minutes are the rule and go without saying. */
export function anthropicMark(lifetime: '5m' | '1h'): Dialect {
  const ttl = lifetime === '1h' ? { ttl: lifetime } : {}
  return { anthropic: { cacheControl: { type: 'ephemeral', ...ttl } } }
}

/** Models before 4.6 think by a budget on top of the answer, thousands of tokens at least: for little it is not worth it. */
export function claudeEffort(wanted: Effort, model: string): Effort | null {
  if (/claude-(?:instant|v?2|3-(?:opus|sonnet|haiku|5))/.test(model)) return null
  const hasBudget = /claude-(?:3-7|(?:opus|sonnet|haiku)-4(?:-[015]\b|-2\d|@|$))/.test(model)
  return hasBudget && wanted === 'low' ? 'none' : wanted
}
