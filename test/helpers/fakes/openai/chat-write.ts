/** Writes chat completions, whole and as chunks. */
import type { Account, Call, Output } from '../contract.ts'
import { portions, sseFrame } from '../frames.ts'

const created = 1_760_000_000

/** What differs between OpenAI and those who talk alike. */
export type ChatStyle = {
  /** Where the model's thoughts are shown; hidden when not given. */
  thoughtsIn?: 'reasoning_content' | 'reasoning'
  /** A refusal has a field of its own, is the doing of a filter, or is just what the model says. */
  refusal: 'field' | 'filter' | 'words'
  /** Says in its usage what came from the cache. */
  reportsCache: boolean
}

export const openaiStyle: ChatStyle = { refusal: 'field', reportsCache: true }

export function wholeCompletion(call: Call, output: Output, account: Account, style = openaiStyle): object {
  const said = say(output, style)
  return {
    id: account.nextId('chatcmpl-'),
    object: 'chat.completion',
    created,
    model: call.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: said.content,
          ...(style.refusal === 'field' ? { refusal: said.refusal } : {}),
          ...said.thoughts,
          ...(output.tool ? { tool_calls: [toolCall(output.tool, account)] } : {}),
        },
        logprobs: null,
        finish_reason: said.finish,
      },
    ],
    usage: usageOf(call, output, style),
    system_fingerprint: 'fp_fake',
  }
}

/** Usage comes last, and only when it was asked for. */
export function completionFrames(
  call: Call,
  output: Output,
  account: Account,
  style = openaiStyle,
): Uint8Array[] {
  const said = say(output, style)
  const withUsage = wantsUsage(call)
  const head = {
    id: account.nextId('chatcmpl-'),
    object: 'chat.completion.chunk',
    created,
    model: call.model,
  }
  const chunk = (choices: object[], usage: object | null = null): Uint8Array =>
    sseFrame({ ...head, system_fingerprint: 'fp_fake', choices, ...(withUsage ? { usage } : {}) })
  const delta = (change: object, finish: string | null = null): Uint8Array =>
    chunk([{ index: 0, delta: change, logprobs: null, finish_reason: finish }])
  const thoughts = Object.entries(said.thoughts).flatMap(([key, text]) =>
    portions(text).map((part) => delta({ [key]: part })),
  )
  const tools = output.tool ? toolDeltas(output.tool, account) : []
  return [
    ...(style.refusal === 'filter' ? [chunk([])] : []),
    delta({ role: 'assistant', content: said.content === null ? null : '' }),
    ...thoughts,
    ...portions(said.content ?? '').map((content) => delta({ content })),
    ...portions(said.refusal ?? '').map((refusal) => delta({ refusal })),
    ...tools.map((part) => delta({ tool_calls: [part] })),
    delta({}, said.finish),
    ...(withUsage ? [chunk([], usageOf(call, output, style))] : []),
    sseFrame('[DONE]'),
  ]
}

type Said = {
  content: string | null
  refusal: string | null
  thoughts: Record<string, string>
  finish: 'stop' | 'length' | 'tool_calls' | 'content_filter'
}

function say(output: Output, style: ChatStyle): Said {
  const thoughts = style.thoughtsIn && output.thinking !== null ? { [style.thoughtsIn]: output.thinking } : {}
  const refused = output.stop === 'refusal'
  if (refused && style.refusal === 'field')
    return { content: null, refusal: output.text, thoughts, finish: 'stop' }
  if (refused && style.refusal === 'filter')
    return { content: '', refusal: null, thoughts, finish: 'content_filter' }
  const content = output.tool && output.text === '' ? null : output.text
  const finish = output.stop === 'length' ? 'length' : output.stop === 'tool' ? 'tool_calls' : 'stop'
  return { content, refusal: null, thoughts, finish }
}

function wantsUsage(call: Call): boolean {
  const body = call.request.body as { stream_options?: { include_usage?: boolean } | null }
  return body.stream_options?.include_usage === true
}

function toolCall(tool: NonNullable<Output['tool']>, account: Account): object {
  const { name, input } = tool
  return {
    id: account.nextId('call_'),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }
}

function toolDeltas(tool: NonNullable<Output['tool']>, account: Account): object[] {
  const id = account.nextId('call_')
  return [
    { index: 0, id, type: 'function', function: { name: tool.name, arguments: '' } },
    ...portions(JSON.stringify(tool.input)).map((text) => ({ index: 0, function: { arguments: text } })),
  ]
}

function usageOf({ usage }: Call, output: Output, style: ChatStyle): object {
  const plain = {
    prompt_tokens: usage.input,
    completion_tokens: output.outputTokens,
    total_tokens: usage.input + output.outputTokens,
  }
  if (!style.reportsCache) return plain
  return {
    ...plain,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: output.thinkingTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}
