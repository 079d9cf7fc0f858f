/** Writes chat completions, whole and as chunks. */
import type { Account, Call, Output } from '../contract.ts'
import { portions, sseFrame } from '../frames.ts'

const created = 1_760_000_000
const finishReasons = { end: 'stop', length: 'length', refusal: 'stop', tool: 'tool_calls' } as const

/** Where servers that only talk alike put what their model thought. */
export type ChatStyle = { reasoningKey?: 'reasoning_content' | 'reasoning' }

export function wholeCompletion(call: Call, output: Output, account: Account, style: ChatStyle = {}): object {
  const refused = output.stop === 'refusal'
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
          content: refused || (output.tool && output.text === '') ? null : output.text,
          ...thought(output, style),
          refusal: refused ? output.text : null,
          ...(output.tool ? { tool_calls: [toolCall(output.tool, account)] } : {}),
          annotations: [],
        },
        logprobs: null,
        finish_reason: finishReasons[output.stop],
      },
    ],
    usage: usageOf(call, output),
    service_tier: 'default',
    system_fingerprint: 'fp_fake',
  }
}

export function completionFrames(
  call: Call,
  output: Output,
  account: Account,
  style: ChatStyle = {},
): Uint8Array[] {
  const id = account.nextId('chatcmpl-')
  const { body } = call.request
  const options = (body as { stream_options?: { include_usage?: boolean } | null }).stream_options
  const withUsage = options?.include_usage === true
  const chunk = (choices: object[], usage: object | null = null): Uint8Array =>
    sseFrame({
      id,
      object: 'chat.completion.chunk',
      created,
      model: call.model,
      service_tier: 'default',
      system_fingerprint: 'fp_fake',
      choices,
      ...(withUsage ? { usage } : {}),
    })
  const delta = (change: object, finish: string | null = null): Uint8Array =>
    chunk([{ index: 0, delta: change, logprobs: null, finish_reason: finish }])
  const key = output.stop === 'refusal' ? 'refusal' : 'content'
  return [
    delta({ role: 'assistant', content: output.tool ? null : '', refusal: null }),
    ...(style.reasoningKey && output.thinking !== null
      ? portions(output.thinking).map((text) => delta({ [style.reasoningKey ?? '']: text }))
      : []),
    ...portions(output.text).map((text) => delta({ [key]: text })),
    ...(output.tool ? toolDeltas(output.tool, account).map((call) => delta({ tool_calls: [call] })) : []),
    delta({}, finishReasons[output.stop]),
    ...(withUsage ? [chunk([], usageOf(call, output))] : []),
    sseFrame('[DONE]'),
  ]
}

function thought(output: Output, style: ChatStyle): object {
  return style.reasoningKey && output.thinking !== null ? { [style.reasoningKey]: output.thinking } : {}
}

function toolCall(tool: NonNullable<Output['tool']>, account: Account): object {
  return {
    id: account.nextId('call_'),
    type: 'function',
    function: { name: tool.name, arguments: JSON.stringify(tool.input) },
  }
}

function toolDeltas(tool: NonNullable<Output['tool']>, account: Account): object[] {
  const id = account.nextId('call_')
  return [
    { index: 0, id, type: 'function', function: { name: tool.name, arguments: '' } },
    ...portions(JSON.stringify(tool.input)).map((text) => ({ index: 0, function: { arguments: text } })),
  ]
}

function usageOf({ usage }: Call, output: Output): object {
  return {
    prompt_tokens: usage.input,
    completion_tokens: output.outputTokens,
    total_tokens: usage.input + output.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: output.thinkingTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}
