/** Writes answers of the Messages API, whole and as its sequence of events. */
import type { Account, Call, Output } from '../contract.ts'
import { portions, sseFrame } from '../frames.ts'

const stopReasons = { end: 'end_turn', length: 'max_tokens', refusal: 'refusal', tool: 'tool_use' } as const
const signature = 'RmFrZVNpZ25hdHVyZQ=='

export function wholeMessage(call: Call, output: Output, account: Account): object {
  return {
    id: account.nextId('msg_'),
    type: 'message',
    role: 'assistant',
    model: call.model,
    content: contentOf(output, account),
    stop_reason: stopReasons[output.stop],
    stop_sequence: null,
    usage: usageOf(call, output.outputTokens, output.thinkingTokens),
  }
}

/** The events as plain values; Bedrock wraps the same ones in frames of its own. */
export function messageEvents(call: Call, output: Output, account: Account): { type: string }[] {
  const message = {
    ...wholeMessage(call, output, account),
    content: [],
    stop_reason: null,
    usage: usageOf(call, 1, 0),
  }
  const blocks = contentOf(output, account).flatMap((block, index) => blockEvents(block, index))
  return [
    { type: 'message_start', message },
    ...blocks.slice(0, 1),
    { type: 'ping' },
    ...blocks.slice(1),
    {
      type: 'message_delta',
      delta: { stop_reason: stopReasons[output.stop], stop_sequence: null },
      usage: usageOf(call, output.outputTokens, output.thinkingTokens),
    },
    { type: 'message_stop' },
  ] as { type: string }[]
}

export function messageFrames(call: Call, output: Output, account: Account): Uint8Array[] {
  return messageEvents(call, output, account).map((event) => sseFrame(event, event.type))
}

type ContentBlock =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: object }

function contentOf(output: Output, account: Account): ContentBlock[] {
  const blocks: ContentBlock[] = []
  if (output.thinking !== null) blocks.push({ type: 'thinking', thinking: output.thinking, signature })
  if (output.text !== '' || (output.tool === null && output.stop === 'end'))
    blocks.push({ type: 'text', text: output.text })
  if (output.tool) blocks.push({ type: 'tool_use', id: account.nextId('toolu_'), ...output.tool })
  return blocks
}

function blockEvents(block: ContentBlock, index: number): object[] {
  const delta = (change: object): object => ({ type: 'content_block_delta', index, delta: change })
  const stop = { type: 'content_block_stop', index }
  const start = (content_block: object): object => ({ type: 'content_block_start', index, content_block })
  switch (block.type) {
    case 'thinking':
      return [
        start({ type: 'thinking', thinking: '', signature: '' }),
        ...portions(block.thinking).map((thinking) => delta({ type: 'thinking_delta', thinking })),
        delta({ type: 'signature_delta', signature: block.signature }),
        stop,
      ]
    case 'text':
      return [
        start({ type: 'text', text: '' }),
        ...portions(block.text).map((text) => delta({ type: 'text_delta', text })),
        stop,
      ]
    case 'tool_use':
      return [
        start({ ...block, input: {} }),
        delta({ type: 'input_json_delta', partial_json: '' }),
        ...portions(JSON.stringify(block.input)).map((json) =>
          delta({ type: 'input_json_delta', partial_json: json }),
        ),
        stop,
      ]
  }
}

function usageOf({ usage }: Call, outputTokens: number, thinkingTokens: number): object {
  const hour = usage.cacheWriteHour ?? 0
  return {
    input_tokens: usage.input - usage.cacheRead - usage.cacheWrite,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWrite - hour, ephemeral_1h_input_tokens: hour },
    output_tokens: outputTokens,
    ...(thinkingTokens > 0 ? { output_tokens_details: { thinking_tokens: thinkingTokens } } : {}),
    service_tier: 'standard',
  }
}
