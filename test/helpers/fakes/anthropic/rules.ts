/** What the Anthropic API refuses in a request that is well formed. Each rule gives the message, or null. */
import type { FakeModel } from '../contract.ts'
import { type Block, blocksOf, type MessagesBody } from './body.ts'
import { schemaProblem } from './schema-subset.ts'

type Rule = (body: MessagesBody, model: FakeModel) => string | null

export function ruleBroken(body: MessagesBody, model: FakeModel): string | null {
  for (const rule of rules) {
    const message = rule(body, model)
    if (message !== null) return message
  }
  return null
}

const outputLimit: Rule = (body, model) =>
  body.max_tokens > model.maxOutputTokens
    ? `max_tokens: ${body.max_tokens} > ${model.maxOutputTokens}, which is the maximum allowed number of output tokens for ${body.model}`
    : null

/** Several turns of one role in a row are joined by the service; only the ends have rules. */
const firstTurn: Rule = (body) =>
  body.messages[0]?.role === 'user' ? null : 'messages: first message must use the "user" role'

const lastTurn: Rule = (body, model) => {
  const last = body.messages.at(-1)
  if (last?.role !== 'assistant') return null
  if (model.reasons)
    return 'This model does not support assistant message prefill. The conversation must end with a user message.'
  const text = blocksOf(last.content).at(-1)?.text ?? ''
  return text !== text.trimEnd()
    ? 'messages: final assistant content cannot end with trailing whitespace'
    : null
}

const emptyContent: Rule = (body) => {
  for (const [index, message] of body.messages.entries()) {
    const blocks = blocksOf(message.content)
    const last = index === body.messages.length - 1 && message.role === 'assistant'
    if (!last && (blocks.length === 0 || message.content === ''))
      return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`
    if (!last && blocks.some((block) => block.type === 'text' && !block.text))
      return 'messages: text content blocks must be non-empty'
    if (blocks.every((block) => block.type === 'text' && block.text?.trim() === ''))
      return 'messages: text content blocks must contain non-whitespace text'
  }
  return blocksOf(body.system).some((block) => block.type === 'text' && !block.text)
    ? 'system: text content blocks must be non-empty'
    : null
}

const breakpoints: Rule = (body) => {
  const marked = markedBlocks(body)
  const count = marked.length + (body.cache_control ? 1 : 0)
  if (count > 4) return `A maximum of 4 blocks with cache_control may be provided. Found ${count}.`
  const times = marked.map((block) => block.cache_control?.ttl ?? '5m')
  const short = times.indexOf('5m')
  return short >= 0 && times.indexOf('1h', short) >= 0
    ? "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`."
    : null
}

const forcedTools: Rule = (body, model) => {
  const forced = body.tool_choice?.type === 'tool' || body.tool_choice?.type === 'any'
  if (!forced) return null
  if (model.rejectsForcedTools) return 'tool_choice: type "tool" and "any" are not supported for this model.'
  if (body.thinking?.type === 'enabled')
    return 'Thinking may not be enabled when tool_choice forces tool use.'
  const { name } = body.tool_choice ?? {}
  return body.tool_choice?.type === 'tool' && !body.tools?.some((tool) => tool.name === name)
    ? `Tool '${name}' not found in provided tools`
    : null
}

const sampling: Rule = (body, model) => {
  const given = (['temperature', 'top_p', 'top_k'] as const).find((key) => body[key] !== undefined)
  if (given && model.rejectsSampling) return `\`${given}\` is deprecated for this model.`
  return body.temperature !== undefined && body.top_p !== undefined
    ? '`temperature` and `top_p` cannot both be specified for this model. Please use only one.'
    : null
}

const thinking: Rule = (body, model) => {
  const asked = body.thinking
  if (asked?.type === 'enabled' && (asked.budget_tokens ?? 0) < 1024)
    return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024'
  if (asked?.type === 'enabled' && (asked.budget_tokens ?? 0) >= body.max_tokens)
    return '`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size'
  return asked?.type === 'disabled' && model.rejectsForcedTools
    ? '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
    : null
}

const structuredOutput: Rule = (body, model) => {
  const schema = body.output_config?.format?.schema
  if (schema && model.noStructuredOutput) return `'${body.model}' does not support output format.`
  const problem = schema ? schemaProblem(schema) : null
  if (problem) return `output_config.format.schema: ${problem}`
  const strict = (body.tools ?? []).filter((tool) => tool.strict)
  if (strict.length > 20)
    return `Too many strict tools (${strict.length}). The maximum number of strict tools supported is 20.`
  for (const [index, tool] of strict.entries()) {
    const broken = schemaProblem(tool.input_schema ?? {})
    if (broken) return `tools.${index}.custom.input_schema: ${broken}`
  }
  return null
}

const toolNames: Rule = (body) => {
  const names = (body.tools ?? []).map((tool) => tool.name)
  const wrong = names.findIndex((name) => !/^[a-zA-Z0-9_-]{1,128}$/.test(name))
  if (wrong >= 0) return `tools.${wrong}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`
  return new Set(names).size < names.length ? 'tools: Tool names must be unique.' : null
}

const rules: readonly Rule[] = [
  outputLimit,
  firstTurn,
  emptyContent,
  lastTurn,
  breakpoints,
  toolNames,
  forcedTools,
  sampling,
  thinking,
  structuredOutput,
]

function markedBlocks(body: MessagesBody): Pick<Block, 'cache_control'>[] {
  const all = [
    ...(body.tools ?? []),
    ...blocksOf(body.system),
    ...body.messages.flatMap((message) => blocksOf(message.content)),
  ]
  return all.filter((block) => block.cache_control)
}
