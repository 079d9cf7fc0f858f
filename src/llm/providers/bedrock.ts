/**
 * Amazon Bedrock: Claude in its own wire body, which keeps cache marks; all other models through Converse. Signed with
 * the parts of an AWS key, or sent with a bearer token when there is one.
 */
import { anthropicMark, claudeEffort } from './anthropic.ts'
import { baseUrl, type OpenOptions, type ProviderFamily } from './contract.ts'

export const bedrock: ProviderFamily = {
  structuredOutput: 'native',
  needsWords: isClaude,
  async open(options) {
    const { model } = options
    if (isClaude(model)) {
      const { createAmazonBedrockAnthropic } = await import('@ai-sdk/amazon-bedrock/anthropic')
      return createAmazonBedrockAnthropic(connection(options))(model)
    }
    const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
    let ids = 0
    return createAmazonBedrock({ ...connection(options), generateId: () => `id-${++ids}` })(model)
  },
  cacheMark: (lifetime, { model }) =>
    isClaude(model)
      ? anthropicMark(lifetime)
      : takesCachePoints(model)
        ? { bedrock: { cachePoint: { type: 'default' } } }
        : null,
  effortFor: (wanted, { model }) => (isClaude(model) ? claudeEffort(wanted, model) : null),
  priceTable: () => 'aws',
}

function isClaude(model: string): boolean {
  return model.includes('anthropic.')
}

/** Other models refuse a request with a cache point in it. */
function takesCachePoints(model: string): boolean {
  return model.includes('amazon.nova')
}

/** Every value is given, also when empty: what is left out the SDK would take from the process's environment. */
function connection({ provider, secret, fetch }: OpenOptions) {
  const region = provider.region ?? 'us-east-1'
  const usual = `https://bedrock-runtime.${region}.amazonaws.com`
  return {
    region,
    apiKey: secret(provider.keyFrom ?? 'AWS_BEARER_TOKEN_BEDROCK'),
    accessKeyId: secret('AWS_ACCESS_KEY_ID') || 'none',
    secretAccessKey: secret('AWS_SECRET_ACCESS_KEY') || 'none',
    ...(secret('AWS_SESSION_TOKEN') === '' ? {} : { sessionToken: secret('AWS_SESSION_TOKEN') }),
    baseURL: baseUrl(provider.baseUrl, usual),
    fetch,
  }
}
