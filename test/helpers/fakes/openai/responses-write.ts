/** Writes answers of the Responses API, whole and as its sequence of events. */
import type { Account, Call, Output } from '../contract.ts'
import { portions, sseFrame } from '../frames.ts'

type Item = { id: string; type: string; [key: string]: unknown }
type Event = { type: string; [key: string]: unknown }

export function wholeResponse(call: Call, output: Output, account: Account): object {
  const id = account.nextId('resp_')
  return finished(call, output, id, itemsFor(output, account))
}

export function responseFrames(call: Call, output: Output, account: Account): Uint8Array[] {
  const id = account.nextId('resp_')
  const items = itemsFor(output, account)
  const start = { ...head(call, id), status: 'in_progress', output: [], usage: null }
  const events: Event[] = [
    { type: 'response.created', response: start },
    { type: 'response.in_progress', response: start },
    ...items.flatMap((item, index) => itemEvents(item, index)),
    {
      type: output.stop === 'length' ? 'response.incomplete' : 'response.completed',
      response: finished(call, output, id, items),
    },
  ]
  return events.map((event, index) => sseFrame({ ...event, sequence_number: index }, event.type))
}

function head(call: Call, id: string): object {
  return {
    id,
    object: 'response',
    created_at: 1_760_000_000,
    error: null,
    incomplete_details: null,
    model: call.model,
    service_tier: 'default',
    parallel_tool_calls: true,
  }
}

function finished(call: Call, output: Output, id: string, items: readonly Item[]): object {
  const cut = output.stop === 'length'
  return {
    ...head(call, id),
    status: cut ? 'incomplete' : 'completed',
    incomplete_details: cut ? { reason: 'max_output_tokens' } : null,
    output: items,
    usage: {
      input_tokens: call.usage.input,
      input_tokens_details: { cached_tokens: call.usage.cacheRead },
      output_tokens: output.outputTokens,
      output_tokens_details: { reasoning_tokens: output.thinkingTokens },
      total_tokens: call.usage.input + output.outputTokens,
    },
  }
}

function itemsFor(output: Output, account: Account): Item[] {
  const items: Item[] = []
  if (output.thinking !== null)
    items.push({
      id: account.nextId('rs_'),
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: output.thinking }],
    })
  if (output.tool)
    items.push({
      id: account.nextId('fc_'),
      type: 'function_call',
      status: 'completed',
      call_id: account.nextId('call_'),
      name: output.tool.name,
      arguments: JSON.stringify(output.tool.input),
    })
  else
    items.push({
      id: account.nextId('msg_'),
      type: 'message',
      status: output.stop === 'length' ? 'incomplete' : 'completed',
      role: 'assistant',
      content: [
        output.stop === 'refusal'
          ? { type: 'refusal', refusal: output.text }
          : { type: 'output_text', text: output.text, annotations: [], logprobs: [] },
      ],
    })
  return items
}

function itemEvents(item: Item, index: number): Event[] {
  const at = { item_id: item.id, output_index: index }
  const done = { type: 'response.output_item.done', output_index: index, item }
  const added = (change: object): Event => ({
    type: 'response.output_item.added',
    output_index: index,
    item: { ...item, ...change },
  })
  if (item.type === 'reasoning') return [added({ summary: [] }), ...summaryEvents(item, at), done]
  if (item.type === 'function_call') {
    const json = String(item.arguments)
    return [
      added({ status: 'in_progress', arguments: '' }),
      ...portions(json).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
      { type: 'response.function_call_arguments.done', ...at, arguments: json },
      done,
    ]
  }
  return [added({ status: 'in_progress', content: [] }), ...contentEvents(item, at), done]
}

function summaryEvents(item: Item, at: object): Event[] {
  const [part] = item.summary as { type: string; text: string }[]
  const place = { ...at, summary_index: 0 }
  return [
    { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } },
    ...portions(part?.text ?? '').map((delta) => ({
      type: 'response.reasoning_summary_text.delta',
      ...place,
      delta,
    })),
    { type: 'response.reasoning_summary_text.done', ...place, text: part?.text },
    { type: 'response.reasoning_summary_part.done', ...place, part },
  ]
}

function contentEvents(item: Item, at: object): Event[] {
  const [part] = item.content as [{ type: string; text?: string; refusal?: string }]
  const place = { ...at, content_index: 0 }
  const kind = part.type === 'refusal' ? 'refusal' : 'output_text'
  const key = part.type === 'refusal' ? 'refusal' : 'text'
  const text = part.text ?? part.refusal ?? ''
  return [
    { type: 'response.content_part.added', ...place, part: { ...part, [key]: '' } },
    ...portions(text).map((delta) => ({ type: `response.${kind}.delta`, ...place, delta, logprobs: [] })),
    { type: `response.${kind}.done`, ...place, [key]: text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
  ]
}
