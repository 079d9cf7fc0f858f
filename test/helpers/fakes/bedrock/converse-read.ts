/** Reads a Converse request by all rules, and counts what of it comes from the cache. */
import type { Account, Call, FakeModel } from '../contract.ts'
import type { PromptBlock } from '../prefix-cache.ts'
import type { HttpAnswer, ReceivedRequest } from '../server.ts'
import { countTokens } from '../tokens.ts'
import { type ConverseBlock, ConverseBody } from './converse-body.ts'
import { bedrockError, validation } from './errors.ts'

export function readConverse(
  request: ReceivedRequest,
  account: Account,
  place: { model: string; stream: boolean },
): Call | HttpAnswer {
  const model = Object.hasOwn(account.models, place.model) ? account.models[place.model] : undefined
  if (!model) return validation('The provided model identifier is invalid.')
  const checked = ConverseBody.safeParse(request.body)
  if (!checked.success) {
    const [issue] = checked.error.issues
    return validation(`The value at ${issue?.path.join('.') || 'the request'} is invalid: ${issue?.message}`)
  }
  const body = checked.data
  const broken = turnProblem(body) ?? settingsProblem(body, model)
  if (broken) return validation(broken)
  const blocks = promptBlocks(body)
  const marks = blocks.filter((block) => block.mark !== null).length
  if (marks > 4) return validation(`You have exceeded the maximum of 4 cache points. Found ${marks}.`)
  if (model.isPlain && marks > 0)
    return bedrockError(
      403,
      'AccessDeniedException',
      'You invoked an unsupported model or your request did not allow prompt caching. See the documentation for more information.',
    )
  if (model.isPlain && place.stream && body.toolConfig)
    return validation("This model doesn't support tool use in streaming mode.")
  const input = blocks.reduce((sum, block) => sum + countTokens(block.text), 0)
  if (input > model.contextWindow) return validation('Input is too long for requested model.')
  const cached = account.cache.markedBlocks(place.model, blocks, model.cacheFrom ?? 1024)
  return {
    request,
    model: place.model,
    stream: place.stream,
    prompt: [body.system, ...body.messages.map((message) => message.content)].map(wordsOf).join('\n\n'),
    lastTurn: wordsOf(body.messages.at(-1)?.content),
    schema: null,
    answerTool: answerToolOf(body),
    maxOutputTokens: body.inferenceConfig?.maxTokens ?? 4096,
    usage: { input, cacheRead: cached.read, cacheWrite: cached.write, cacheWriteHour: cached.writeHour },
  }
}

function turnProblem(body: ConverseBody): string | null {
  const [first] = body.messages
  if (first?.role !== 'user')
    return 'A conversation must start with a user message. Try again with a conversation that starts with a user message.'
  for (const [index, message] of body.messages.entries()) {
    if (index > 0 && message.role === body.messages[index - 1]?.role)
      return 'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.'
    if (message.content.length === 0)
      return `The content field in the Message object at messages.${index} is empty. Add a ContentBlock object to the content field and try again.`
    const blank = message.content.findIndex((block) => block.text?.trim() === '')
    if (blank >= 0)
      return `The text field in the ContentBlock object at messages.${index}.content.${blank} is blank. Add text to the text field, and try again.`
  }
  return null
}

function settingsProblem(body: ConverseBody, model: FakeModel): string | null {
  const { maxTokens, temperature, topP } = body.inferenceConfig ?? {}
  if ((maxTokens ?? 0) > model.maxOutputTokens)
    return `The maximum tokens you requested exceeds the model limit of ${model.maxOutputTokens}. Try again with a maximum tokens value that is lower than ${model.maxOutputTokens}.`
  if (model.rejectsSampling && temperature !== undefined)
    return 'The model returned the following errors: `temperature` is deprecated for this model.'
  if (model.rejectsSampling && topP !== undefined)
    return 'The model returned the following errors: `top_p` is deprecated for this model.'
  const choice = body.toolConfig?.toolChoice
  const forced = choice?.any ? 'any' : choice?.tool ? 'tool' : null
  return forced && model.rejectsForcedTools
    ? `This model doesn't support the toolConfig.toolChoice.${forced} field. Remove toolConfig.toolChoice.${forced} and try again.`
    : null
}

/** A cache point marks the block before it. */
function promptBlocks(body: ConverseBody): PromptBlock[] {
  const blocks: PromptBlock[] = []
  const all = [
    ...(body.toolConfig?.tools ?? []),
    ...(body.system ?? []),
    ...body.messages.flatMap(({ role, content }) => content.map((block) => ({ ...block, role }))),
  ]
  for (const block of all) {
    const last = blocks.at(-1)
    if (!block.cachePoint) blocks.push({ text: JSON.stringify(block), mark: null })
    else if (last) last.mark = block.cachePoint.ttl ?? '5m'
  }
  return blocks
}

function wordsOf(content: readonly ConverseBlock[] | undefined): string {
  return (content ?? []).map((block) => block.text ?? '').join('\n')
}

function answerToolOf(body: ConverseBody): string | null {
  const choice = body.toolConfig?.toolChoice
  const names = (body.toolConfig?.tools ?? []).flatMap((tool) => tool.toolSpec?.name ?? [])
  if (choice?.tool) return choice.tool.name
  return choice?.any ? (names.find((name) => name === 'json') ?? names[0] ?? null) : null
}
