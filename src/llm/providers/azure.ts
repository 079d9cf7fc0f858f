/** OpenAI's models at Azure; the model's name is that of the deployment. */
import { baseUrl, type ProviderFamily } from './contract.ts'
import { openaiEffort, responsesOptions } from './openai.ts'

export const azure: ProviderFamily = {
  structuredOutput: 'native',
  async open({ provider, model, secret, fetch }) {
    const { createAzure } = await import('@ai-sdk/azure')
    const usual = `https://${provider.resourceName ?? 'unnamed'}.openai.azure.com/openai`
    return createAzure({
      apiKey: secret(provider.keysFrom[0] ?? ''),
      baseURL: baseUrl(provider.baseUrl, usual),
      ...(provider.apiVersion === undefined ? {} : { apiVersion: provider.apiVersion }),
      fetch,
    }).responses(model)
  },
  callOptions: (traits) => ({ azure: responsesOptions(traits), openai: responsesOptions(traits) }),
  effortFor: (wanted, { model }) => openaiEffort(wanted, model),
  priceTable: () => 'azure',
}
