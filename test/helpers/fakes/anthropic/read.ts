/** Reads a Messages request by all rules, and counts what of it comes from the cache. */
import type { Account, Call, FakeModel, InputUsage } from '../contract.ts'
import type { PromptBlock } from '../prefix-cache.ts'
import type { HttpAnswer, ReceivedRequest } from '../server.ts'
import { countTokens } from '../tokens.ts'
import { type Block, blocksOf, MessagesBody, wordProblem } from './body.ts'
import { anthropicError, invalidRequest } from './errors.ts'
import { ruleBroken } from './rules.ts'

/** `given` replaces what other services carry outside the body, such as Bedrock's model in the path. */
export function readMessages(
  request: ReceivedRequest,
  account: Account,
  given: { body?: unknown } = {},
): Call | HttpAnswer {
  const raw = given.body ?? request.body
  if (raw === undefined) return invalidRequest('The request body is not valid JSON: unexpected character')
  const checked = MessagesBody.safeParse(raw)
  if (!checked.success) return invalidRequest(wordProblem(checked.error, raw))
  const body = checked.data
  const model = Object.hasOwn(account.models, body.model) ? account.models[body.model] : undefined
  if (!model) return anthropicError(404, 'not_found_error', `model: ${body.model}`)
  const broken = ruleBroken(body, model)
  if (broken !== null) return invalidRequest(broken)
  const blocks = promptBlocks(body)
  const input = blocks.reduce((sum, block) => sum + countTokens(block.text), 0)
  if (input > model.contextWindow)
    return invalidRequest(`prompt is too long: ${input} tokens > ${model.contextWindow} maximum`)
  return describe(request, body, countUsage(account, body.model, model, blocks, input))
}

/** In the order in which the service caches: tools, system, messages. */
export function promptBlocks(body: MessagesBody): PromptBlock[] {
  const mark = (block: Pick<Block, 'cache_control'>): PromptBlock['mark'] =>
    block.cache_control ? (block.cache_control.ttl ?? '5m') : null
  const write = (place: string, block: object & Pick<Block, 'cache_control'>): PromptBlock => {
    const { cache_control: _, ...plain } = block
    return {
      text: `${place}${'text' in plain ? String(plain.text) : JSON.stringify(plain)}`,
      mark: mark(block),
    }
  }
  const format = body.output_config?.format
  const blocks = [
    ...(format ? [{ text: JSON.stringify(format.schema), mark: null }] : []),
    ...(body.tools ?? []).map((tool) => write('', tool)),
    ...blocksOf(body.system).map((block) => write('', block)),
    ...body.messages.flatMap(({ role, content }) =>
      blocksOf(content).map((block) => write(`${role}: `, block)),
    ),
  ]
  const last = blocks.at(-1)
  if (body.cache_control && last) last.mark = body.cache_control.ttl ?? '5m'
  return blocks
}

function countUsage(
  account: Account,
  name: string,
  model: FakeModel,
  blocks: readonly PromptBlock[],
  input: number,
): InputUsage {
  const counted = account.cache.markedBlocks(name, blocks, model.cacheFrom ?? 1024)
  return { input, cacheRead: counted.read, cacheWrite: counted.write, cacheWriteHour: counted.writeHour }
}

function describe(request: ReceivedRequest, body: MessagesBody, usage: InputUsage): Call {
  const wordsOf = (content: string | readonly Block[] | undefined): string =>
    blocksOf(content)
      .map(
        (block) => block.text ?? (typeof block.content === 'string' ? block.content : JSON.stringify(block)),
      )
      .join('\n')
  const schema = body.output_config?.format?.schema
  return {
    request,
    model: body.model,
    stream: body.stream ?? false,
    prompt: [wordsOf(body.system), ...body.messages.map((message) => wordsOf(message.content))].join('\n\n'),
    lastTurn: wordsOf(body.messages.at(-1)?.content),
    schema: schema ? { name: null, schema } : null,
    answerTool: answerToolOf(body),
    maxOutputTokens: body.max_tokens,
    usage,
  }
}

/** A forced tool, or the tool named `json` by which provider packages ask for JSON where nothing better exists. */
function answerToolOf(body: MessagesBody): string | null {
  const choice = body.tool_choice
  if (choice?.type === 'none') return null
  if (choice?.type === 'tool') return choice.name ?? null
  if (choice?.type === 'any') return body.tools?.[0]?.name ?? null
  return body.tools?.some((tool) => tool.name === 'json') ? 'json' : null
}
