/** A question in the SDK's form: instructions and messages, cache marks in the provider's own dialect. */
import type { ModelMessage, SystemModelMessage } from 'ai'
import { sha256 } from '../../base/canonical-json.ts'
import type { JsonSchema } from '../answers/wire-schema.ts'
import type { PromptPart, Question } from '../contract.ts'
import type { Dialect } from '../providers/contract.ts'

export type WirePrompt = { instructions: SystemModelMessage[]; messages: ModelMessage[] }

/** Providers take four marks; one stays free for what a provider adds. */
const mostMarks = 3

export type PromptOptions = {
  /** Put into words when the provider cannot take it by itself. */
  schemaInWords: { name: string; schema: JsonSchema } | null
  /** Null where the provider caches by itself. */
  mark: (place: 'instructions' | 'turns') => Dialect | null
}

/** Throws for a question that is not built as the contract says: that is our bug. */
export function wirePrompt(
  { instructions, turns }: Pick<Question<unknown>, 'instructions' | 'turns'>,
  { schemaInWords, mark }: PromptOptions,
): WirePrompt {
  checkForm(instructions, turns)
  const system: SystemModelMessage[] = written(instructions).map((part) => ({
    role: 'system',
    content: part.text,
    ...marked(part, mark('instructions')),
  }))
  if (schemaInWords) system.push({ role: 'system', content: inWords(schemaInWords) })
  const messages = turns.map(({ from, parts }): ModelMessage => {
    const content = written(parts).map((part) => ({
      type: 'text' as const,
      text: part.text,
      ...marked(part, mark('turns')),
    }))
    return { role: from === 'user' ? 'user' : 'assistant', content }
  })
  return { instructions: system, messages }
}

/** The same for all prompts that begin alike: up to the first mark. */
export function cacheKeyOf({ role, instructions }: Pick<Question<unknown>, 'role' | 'instructions'>): string {
  const first = instructions.findIndex(({ stable }) => stable === true)
  const beginning = instructions.slice(0, first === -1 ? instructions.length : first + 1)
  return `sightline-${role}-${sha256(beginning.map(({ text }) => text).join('\0')).slice(0, 16)}`
}

function marked(part: PromptPart, mark: Dialect | null): { providerOptions?: Dialect } {
  return part.stable && mark ? { providerOptions: mark } : {}
}

/** Providers refuse empty parts. */
function written(parts: readonly PromptPart[]): PromptPart[] {
  return parts.filter(({ text }) => text !== '')
}

function inWords({ name, schema }: { name: string; schema: JsonSchema }): string {
  return `Answer with one JSON object and nothing else: no words around it, no code fence. The object is called ${name} \
and has this JSON schema:\n${JSON.stringify(schema)}`
}

function checkForm(instructions: Question<unknown>['instructions'], turns: Question<unknown>['turns']): void {
  const marks = [...instructions, ...turns.flatMap(({ parts }) => parts)].filter(({ stable }) => stable)
  if (marks.length > mostMarks)
    throw new Error(`A question has ${marks.length} stable parts; ${mostMarks} may be.`)
  const [first, last] = [turns[0], turns.at(-1)]
  if (first?.from !== 'user' || last?.from !== 'user')
    throw new Error('A question begins and ends with a turn of the user.')
  if (turns.some(({ parts }) => written(parts).length === 0)) throw new Error('A question has an empty turn.')
}
