/** Takes secrets out of what goes to a model and what comes back: keys of ours by their value, all others by form. */
import { redactStrings } from '../../base/secrets/redact.ts'
import { redactFrames, redactStream } from '../../base/secrets/redact-stream.ts'
import type { Question } from '../contract.ts'
import type { Provider } from '../providers/contract.ts'
import type { Environment } from '../routes/find-providers.ts'

/** A shorter value would be found in ordinary words. */
const shortestKey = 8

export interface SecretFilter {
  /** Our own keys only: for error texts and other short words. */
  withoutKeys(text: string): string
  /** Of an answer, streamed or not. */
  clean(text: string): string
  /** Of an answer in the binary frames of AWS. */
  cleanFrames(bytes: Uint8Array): Uint8Array
  cleanQuestion<Value>(question: Question<Value>): Question<Value>
}

export function openSecretFilter(providers: readonly Provider[], environment: Environment): SecretFilter {
  const names = new Set(providers.flatMap(({ keysFrom }) => keysFrom))
  const keys = [...names]
    .map((name) => environment[name] ?? '')
    .filter((key) => key.length >= shortestKey)
    .sort((a, b) => b.length - a.length)
  const withoutKeys = (text: string) => keys.reduce((rest, key) => rest.replaceAll(key, '…'), text)
  return {
    withoutKeys,
    clean: (text) => redactStream(text, keys),
    cleanFrames: (bytes) => redactFrames(bytes, keys),
    cleanQuestion(question) {
      const { instructions, turns } = redactStrings({
        instructions: question.instructions.map((part) => ({ ...part, text: withoutKeys(part.text) })),
        turns: question.turns.map((turn) => ({
          ...turn,
          parts: turn.parts.map((part) => ({ ...part, text: withoutKeys(part.text) })),
        })),
      })
      return { ...question, instructions, turns }
    },
  }
}
