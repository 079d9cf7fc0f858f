/** The models that the fake Ollama has pulled. Their context is the server's setting, not what they could take. */
import type { FakeModel } from '../contract.ts'

export const ollamaModels: Readonly<Record<string, FakeModel>> = {
  'qwen3-coder:30b': { contextWindow: 32_768, maxOutputTokens: 32_768 },
  'gpt-oss:20b': { contextWindow: 8192, maxOutputTokens: 8192 },
  'llama3.2:latest': { contextWindow: 4096, maxOutputTokens: 4096 },
}

/** `llama3.2` means `llama3.2:latest`. */
export function fullName(name: string): string {
  return name.includes(':') ? name : `${name}:latest`
}
