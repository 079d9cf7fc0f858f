/** What a step of a scenario lets the model say. */
import type { Call, JsonObject, Output } from '../contract.ts'
import { problemsOf } from '../json-schema.ts'
import { countTokens } from '../tokens.ts'
import { turnHostile } from './attack.ts'
import { generate } from './generators.ts'
import type { ScenarioStep } from './schema.ts'
import type { TakenStep } from './script.ts'

export type AnswerStep = Extract<ScenarioStep, { value?: unknown }>

/** Throws when the scenario itself is wrong: no value, a value that the real provider could not have produced. */
export function composeOutput(taken: TakenStep & { step: AnswerStep }, call: Call): Output {
  const { step } = taken
  const value = chooseValue(taken, call)
  const thinking = step.thinking ?? null
  const stop = step.answer === 'truncated' ? 'length' : step.answer === 'refusal' ? 'refusal' : 'end'
  if (step.answer === 'tool-call')
    return limit(call, {
      text: step.text ?? '',
      thinking,
      tool: { name: step.tool, input: step.input },
      stop: 'tool',
    })
  if (step.answer === 'good' && call.schema && typeof value !== 'string') checkFit(value, call.schema.schema)
  const text = say(step, value)
  const plain = ['good', 'unfit', 'malicious'].includes(step.answer)
  if (call.answerTool !== null && plain && value !== undefined && typeof value === 'object')
    return limit(call, {
      text: '',
      thinking,
      tool: { name: call.answerTool, input: JSON.parse(text) as JsonObject },
      stop: 'tool',
    })
  return limit(call, { text, thinking, tool: null, stop })
}

function chooseValue({ step, answerFrom }: TakenStep & { step: AnswerStep }, call: Call): unknown {
  if (answerFrom) return answerFrom(call)
  if (step.text !== undefined) return step.text
  if (step.value !== undefined) return generate(step.value, call)
  if (['refusal', 'blank', 'tool-call'].includes(step.answer)) return ''
  throw new Error(`A step with the answer "${step.answer}" needs a value or a text.`)
}

function say(step: AnswerStep, value: unknown): string {
  const json = typeof value === 'string' ? value : JSON.stringify(value)
  switch (step.answer) {
    case 'prose':
      return `${step.before}\n\n${json}\n\n${step.after}`
    case 'fenced':
      return `\`\`\`json\n${pretty(value)}\n\`\`\``
    case 'trailing-comma':
      return pretty(value).replace(/(?<=[^[{,\s])(?=\n\s*[}\]])/g, ',')
    case 'think-tags':
      return `<think>\nLet me look at {"this": "draft"} first.\n</think>\n\n${json}`
    case 'truncated':
      return json.slice(0, Math.floor(json.length * step.part))
    case 'refusal':
      return json || 'I cannot help with that.'
    case 'blank':
      return ''
    case 'malicious':
      return turnHostile(value, step.attack, step.count)
    default:
      return json
  }
}

function pretty(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function checkFit(value: unknown, schema: JsonObject): void {
  const problems = problemsOf(value, schema)
  if (problems.length > 0)
    throw new Error(`The value does not fit the schema of the request: ${problems.slice(0, 5).join('; ')}`)
}

/** An answer above the output limit of the request is cut there, as the real one would be. */
function limit(call: Call, said: Pick<Output, 'text' | 'thinking' | 'tool' | 'stop'>): Output {
  const thinkingTokens = countTokens(said.thinking ?? '')
  const room = Math.max(0, call.maxOutputTokens - thinkingTokens)
  const tokens = countTokens(said.tool ? JSON.stringify(said.tool.input) : said.text)
  if (said.stop === 'length' || tokens <= room) {
    const outputTokens = said.stop === 'length' ? call.maxOutputTokens : tokens + thinkingTokens
    return { ...said, outputTokens, thinkingTokens }
  }
  const text = said.tool
    ? ''
    : Buffer.from(said.text)
        .subarray(0, room * 4)
        .toString('utf8')
        .replace(/\ufffd+$/, '')
  return { ...said, tool: null, text, stop: 'length', outputTokens: call.maxOutputTokens, thinkingTokens }
}
