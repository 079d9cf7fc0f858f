/** Which addresses a review may send code to, by the operator's settings: so that a wall around it can let only these through. */
import type { Settings } from '../config/settings/schema.ts'
import type { Provider } from '../llm/providers/contract.ts'
import { setUpModels } from '../llm/routes/setup.ts'

/** `host:port` of every model, embedder and reranker that is set up. Throws `settings-invalid` as `setUpModels` does. */
export function modelAddresses(
  { models, embedding, rerank }: Pick<Settings, 'models' | 'embedding' | 'rerank'>,
  environment: NodeJS.ProcessEnv,
): ReadonlySet<string> {
  const { providers } = setUpModels(models, environment)
  const urls = [
    ...providers.map((provider) => provider.baseUrl ?? defaultUrls[provider.kind](provider)),
    ...[embedding, rerank].flatMap((one) => (one ? [one.baseUrl ?? searchUrls[one.kind]] : [])),
  ]
  return new Set(urls.map(placeOf))
}

/** As the providers' own files have them. */
const defaultUrls: Readonly<Record<Provider['kind'], (provider: Provider) => string>> = {
  anthropic: () => 'https://api.anthropic.com',
  openai: () => 'https://api.openai.com',
  'openai-chat': () => 'https://api.openai.com',
  google: () => 'https://generativelanguage.googleapis.com',
  bedrock: ({ region = 'us-east-1' }) => `https://bedrock-runtime.${region}.amazonaws.com`,
  azure: ({ resourceName = 'unnamed' }) => `https://${resourceName}.openai.azure.com`,
  'openai-compatible': () => 'http://127.0.0.1:11434',
}

const searchUrls = {
  openai: 'https://api.openai.com',
  voyage: 'https://api.voyageai.com',
  cohere: 'https://api.cohere.com',
  ollama: 'http://127.0.0.1:11434',
} as const

function placeOf(address: string): string {
  const { protocol, hostname, port } = new URL(address)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}
