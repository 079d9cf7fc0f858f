/** Writes answers of generateContent, whole and as its stream of partial responses. */
import type { Account, Call, Output } from '../contract.ts'
import { portions, sseFrame } from '../frames.ts'

const finishReasons = { end: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY', tool: 'STOP' } as const

export function wholeContent(call: Call, output: Output, account: Account): object {
  return response(call, account.nextId('fake-'), partsOf(output), {
    finishReason: finishReasons[output.stop],
    usage: usageOf(call, output),
  })
}

export function contentFrames(call: Call, output: Output, account: Account): Uint8Array[] {
  const id = account.nextId('fake-')
  const pieces = partsOf(output).flatMap((part): Part[] =>
    'text' in part ? portions(part.text).map((text) => ({ ...part, text })) : [part],
  )
  const last = response(call, id, [], {
    finishReason: finishReasons[output.stop],
    usage: usageOf(call, output),
  })
  const chunks = [...pieces.map((part) => response(call, id, [part], { usage: usageOf(call, null) })), last]
  if (call.request.query.alt === 'sse') return chunks.map((chunk) => sseFrame(chunk))
  return chunks.map((chunk, index) =>
    Buffer.from(
      `${index === 0 ? '[' : ',\r\n'}${JSON.stringify(chunk)}${index === chunks.length - 1 ? ']' : ''}`,
    ),
  )
}

type Part = { text: string; thought?: true } | { functionCall: { name: string; args: object } }

/** A refusal comes without a word. */
function partsOf(output: Output): Part[] {
  if (output.stop === 'refusal') return []
  const parts: Part[] = []
  if (output.thinking !== null) parts.push({ text: output.thinking, thought: true })
  if (output.text !== '') parts.push({ text: output.text })
  if (output.tool) parts.push({ functionCall: { name: output.tool.name, args: output.tool.input } })
  return parts
}

function response(
  call: Call,
  responseId: string,
  parts: readonly Part[],
  end: { finishReason?: string; usage: object },
): object {
  return {
    candidates: [
      {
        ...(parts.length > 0 ? { content: { parts, role: 'model' } } : { content: { role: 'model' } }),
        ...(end.finishReason === undefined ? {} : { finishReason: end.finishReason }),
        index: 0,
      },
    ],
    usageMetadata: end.usage,
    modelVersion: call.model,
    responseId,
  }
}

function usageOf({ usage }: Call, output: Output | null): object {
  const thoughts = output?.thinkingTokens ?? 0
  const total = usage.input + (output?.outputTokens ?? 0)
  return {
    promptTokenCount: usage.input,
    ...(output ? { candidatesTokenCount: output.outputTokens - thoughts } : {}),
    totalTokenCount: total,
    ...(usage.cacheRead > 0 ? { cachedContentTokenCount: usage.cacheRead } : {}),
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: usage.input }],
  }
}
