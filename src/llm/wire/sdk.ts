/**
 * The SDK packages: their versions, for the header of a journal, since a patch release may change what goes over the wire;
 * and a guard against two of their habits.
 */
import { createRequire } from 'node:module'

const packages = [
  'ai',
  '@ai-sdk/anthropic',
  '@ai-sdk/openai',
  '@ai-sdk/google',
  '@ai-sdk/amazon-bedrock',
  '@ai-sdk/azure',
  '@ai-sdk/openai-compatible',
] as const

/** By package name; one that is not installed is left out. */
export function sdkVersions(): Record<string, string> {
  const load = createRequire(import.meta.url)
  return Object.fromEntries(
    packages.flatMap((name) => {
      try {
        const { version } = load(`${name}/package.json`) as { version: string }
        return [[name, version]]
      } catch {
        return []
      }
    }),
  )
}

let isSet = false

export function guardSdk(): void {
  if (isSet) return
  isSet = true
  const refuse = () => {
    throw new Error('A model was given to the SDK by its name; it must be an object of ours.')
  }
  Object.assign(globalThis, {
    AI_SDK_LOG_WARNINGS: false,
    AI_SDK_DEFAULT_PROVIDER: {
      specificationVersion: 'v4',
      languageModel: refuse,
      embeddingModel: refuse,
      imageModel: refuse,
    },
  })
}
