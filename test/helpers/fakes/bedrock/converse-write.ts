/** Writes answers of Converse, whole and as its events. */
import type { Account, Call, Output } from '../contract.ts'
import { portions } from '../frames.ts'
import { eventFrame } from './event-stream.ts'

const stopReasons = {
  end: 'end_turn',
  length: 'max_tokens',
  refusal: 'content_filtered',
  tool: 'tool_use',
} as const

export function wholeConverse(call: Call, output: Output, account: Account): object {
  return {
    output: {
      message: { role: 'assistant', content: blocksOf(output, account).map((block) => block.whole) },
    },
    stopReason: stopReasons[output.stop],
    usage: usageOf(call, output),
    metrics: { latencyMs: 7 },
  }
}

export function converseFrames(call: Call, output: Output, account: Account): Uint8Array[] {
  return [
    eventFrame('messageStart', { role: 'assistant' }),
    ...blocksOf(output, account).flatMap((block, contentBlockIndex) => [
      ...(block.start ? [eventFrame('contentBlockStart', { start: block.start, contentBlockIndex })] : []),
      ...block.deltas.map((delta) => eventFrame('contentBlockDelta', { delta, contentBlockIndex })),
      eventFrame('contentBlockStop', { contentBlockIndex }),
    ]),
    eventFrame('messageStop', { stopReason: stopReasons[output.stop] }),
    eventFrame('metadata', { usage: usageOf(call, output), metrics: { latencyMs: 7 } }),
  ]
}

type Block = { whole: object; start: object | null; deltas: object[] }

function blocksOf(output: Output, account: Account): Block[] {
  const blocks: Block[] = []
  if (output.thinking !== null)
    blocks.push({
      whole: { reasoningContent: { reasoningText: { text: output.thinking, signature: 'ZmFrZQ==' } } },
      start: null,
      deltas: [
        ...portions(output.thinking).map((text) => ({ reasoningContent: { text } })),
        { reasoningContent: { signature: 'ZmFrZQ==' } },
      ],
    })
  if (output.text !== '')
    blocks.push({
      whole: { text: output.text },
      start: null,
      deltas: portions(output.text).map((text) => ({ text })),
    })
  if (output.tool) {
    const { name, input } = output.tool
    const toolUse = { toolUseId: account.nextId('tooluse_'), name }
    const deltas = portions(JSON.stringify(input)).map((part) => ({ toolUse: { input: part } }))
    blocks.push({ whole: { toolUse: { ...toolUse, input } }, start: { toolUse }, deltas })
  }
  return blocks
}

/** Here `inputTokens` are only those that neither came from the cache nor went into it. */
function usageOf({ usage }: Call, output: Output): object {
  return {
    inputTokens: usage.input - usage.cacheRead - usage.cacheWrite,
    outputTokens: output.outputTokens,
    totalTokens: usage.input + output.outputTokens,
    cacheReadInputTokens: usage.cacheRead,
    cacheWriteInputTokens: usage.cacheWrite,
  }
}
