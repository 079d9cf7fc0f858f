/** Gemini at Google's own API. It caches by itself. */
import { baseUrl, type ProviderFamily } from './contract.ts'

export const google: ProviderFamily = {
  structuredOutput: 'native',
  async open({ provider, model, secret, fetch }) {
    const { createGoogle } = await import('@ai-sdk/google')
    let ids = 0
    return createGoogle({
      apiKey: secret(provider.keysFrom[0] ?? ''),
      baseURL: baseUrl(provider.baseUrl, 'https://generativelanguage.googleapis.com/v1beta'),
      fetch,
      // Random ones would reach the wire, and no request would be the same twice.
      generateId: () => `id-${++ids}`,
    })(model)
  },
  effortFor: (wanted, { model }) => (/gemini-(?:2\.5|[3-9])/.test(model) ? wanted : null),
  priceTable: () => 'google',
}
