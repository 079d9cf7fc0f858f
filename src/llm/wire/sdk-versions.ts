/** The versions of the SDK packages, for the header of a journal: a patch release may change what goes over the wire. */
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
