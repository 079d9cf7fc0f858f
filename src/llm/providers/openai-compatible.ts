/** Every server that speaks like OpenAI's chat API: Ollama, vLLM, LM Studio, OpenRouter. */
import { baseUrl, type Provider, type ProviderFamily } from './contract.ts'

export const openaiCompatible: ProviderFamily = {
  structuredOutput: 'native',
  async open({ provider, model, secret, fetch }) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const key = secret(provider.keysFrom[0] ?? '')
    return createOpenAICompatible({
      name: provider.name,
      baseURL: baseUrl(provider.baseUrl, 'http://127.0.0.1:11434/v1'),
      ...(key === '' ? {} : { apiKey: key }),
      fetch,
      // Without these two the schema is dropped, and a streamed answer counts no tokens.
      supportsStructuredOutputs: true,
      includeUsage: true,
      ...(isOpenRouter(provider) ? { transformRequestBody: forOpenRouter } : {}),
    })(model)
  },
  cacheMark: (_lifetime, { provider }) =>
    isOpenRouter(provider) ? { openaiCompatible: { cache_control: { type: 'ephemeral' } } } : null,
  // Servers without thinking models refuse the setting; OpenRouter drops it where it means nothing.
  effortFor: (wanted, { provider }) => (isOpenRouter(provider) ? wanted : null),
  billedUsd: ({ cost }) => (typeof cost === 'number' && cost >= 0 ? cost : null),
  priceTable: (provider) => (isOpenRouter(provider) ? 'openrouter' : null),
}

export function isOpenRouter({ name, baseUrl: url }: Pick<Provider, 'name' | 'baseUrl'>): boolean {
  return name === 'openrouter' || (url !== undefined && new URL(url).hostname === 'openrouter.ai')
}

type Message = { content?: unknown; cache_control?: unknown }

/** It says what it took only when asked, and heeds a cache mark only on a part, never on a whole message. */
function forOpenRouter(body: Record<string, unknown>): Record<string, unknown> {
  const messages = Array.isArray(body.messages) ? body.messages.map(markPart) : body.messages
  return { ...body, messages, usage: { include: true } }
}

function markPart(message: Message): Message {
  const { cache_control, content, ...rest } = message
  if (cache_control === undefined || typeof content !== 'string') return message
  return { ...rest, content: [{ type: 'text', text: content, cache_control }] }
}
