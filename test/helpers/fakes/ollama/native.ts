/** Ollama's own chat call: lines of JSON, and prompts that are cut to the context without a word. */
import { z } from 'zod'
import type { Account, Call, Endpoint, Output } from '../contract.ts'
import { lineFrame, portions } from '../frames.ts'
import { isObject } from '../json-schema.ts'
import { type HttpAnswer, jsonAnswer, type ReceivedRequest } from '../server.ts'
import { countTokens } from '../tokens.ts'
import { fullName } from './models.ts'

const Body = z.looseObject({
  model: z.string(),
  messages: z.array(
    z.looseObject({ role: z.enum(['system', 'user', 'assistant', 'tool']), content: z.string().default('') }),
  ),
  stream: z.boolean().default(true),
  format: z.union([z.literal('json'), z.literal(''), z.record(z.string(), z.unknown())]).optional(),
  think: z.union([z.boolean(), z.string()]).optional(),
  options: z.looseObject({ num_ctx: z.int().optional(), num_predict: z.int().optional() }).optional(),
})

export const nativeChat: Endpoint = {
  read,
  whole: (call, output) => last(call, output, { role: 'assistant', ...words(output) }),
  frames: (call, output) => [
    ...portions(output.thinking ?? '').map((thinking) =>
      line(call, { role: 'assistant', content: '', thinking }),
    ),
    ...portions(output.text).map((content) => line(call, { role: 'assistant', content })),
    ...(output.tool ? [line(call, { role: 'assistant', content: '', tool_calls: toolCalls(output) })] : []),
    lineFrame(last(call, output, { role: 'assistant', content: '' })),
  ],
  streamType: 'application/x-ndjson',
  errorFrame: (failure) =>
    lineFrame({ error: failure.message ?? 'an error was encountered while running the model' }),
}

export function ollamaError(status: number, message: string): HttpAnswer {
  return jsonAnswer(status, { error: message })
}

function read(request: ReceivedRequest, account: Account): Call | HttpAnswer {
  if (request.text === '') return ollamaError(400, 'missing request body')
  if (request.body === undefined) return ollamaError(400, 'invalid character looking for beginning of value')
  const checked = Body.safeParse(request.body)
  if (!checked.success) {
    const [issue] = checked.error.issues
    return ollamaError(400, `json: cannot unmarshal ${issue?.path.join('.')}: ${issue?.message}`)
  }
  const body = checked.data
  const name = fullName(body.model)
  const model = Object.hasOwn(account.models, name) ? account.models[name] : undefined
  if (!model) return ollamaError(404, `model '${body.model}' not found`)
  const context = body.options?.num_ctx ?? model.contextWindow
  const prompt = body.messages.map((message) => message.content).join('\n\n')
  return {
    request,
    model: body.model,
    stream: body.stream,
    prompt,
    lastTurn: body.messages.at(-1)?.content ?? '',
    schema: isObject(body.format) ? { name: null, schema: body.format } : null,
    answerTool: null,
    maxOutputTokens: body.options?.num_predict ?? context,
    usage: { input: Math.min(countTokens(prompt), context), cacheRead: 0, cacheWrite: 0 },
  }
}

function line(call: Call, message: object): Uint8Array {
  return lineFrame({ model: call.model, created_at: '2026-01-01T00:00:00Z', message, done: false })
}

function last(call: Call, output: Output, message: object): object {
  return {
    model: call.model,
    created_at: '2026-01-01T00:00:00Z',
    message,
    done: true,
    done_reason: output.stop === 'length' ? 'length' : 'stop',
    total_duration: 1_000_000,
    load_duration: 1000,
    prompt_eval_count: call.usage.input,
    prompt_eval_duration: 1000,
    eval_count: output.outputTokens,
    eval_duration: 1000,
  }
}

function words(output: Output): object {
  return {
    content: output.text,
    ...(output.thinking === null ? {} : { thinking: output.thinking }),
    ...(output.tool ? { tool_calls: toolCalls(output) } : {}),
  }
}

function toolCalls(output: Output): object[] {
  return output.tool ? [{ function: { name: output.tool.name, arguments: output.tool.input } }] : []
}
