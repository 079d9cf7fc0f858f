/**
 * An endpoint that speaks OpenAI's chat protocol on 127.0.0.1 and whose answers are files, so that any reader, a person
 * or a program, can play the model. Questions of a case lie in `CASE/ROLE/001/request.md`; the answer is the file
 * `answer.json` beside it: one JSON object that fits the schema at the end of the question.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { sha256 } from '../base/text.ts'
import { writeWhole } from '../run/records.ts'
import { bytesOf, newBytes } from './new-bytes.ts'

/** Who is asked: one reader explores and reviews, another one reviews too where two do, one tries to refute, and one gives the second opinion. */
export const DeskRole = z.enum(['reader', 'other', 'refuter', 'second'])
export type DeskRole = z.infer<typeof DeskRole>

const Content = z.union([z.string(), z.array(z.object({ text: z.string() }))])
const Asked = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(z.object({ role: z.string(), content: Content })),
  response_format: z.unknown().optional(),
})
type Asked = z.infer<typeof Asked>

/** The size of one question, kept beside it as `size.json`. */
export const QuestionSize = z.object({
  role: DeskRole,
  /** UTF-8 bytes of all messages, without the schema. */
  bytes: z.number().int(),
  /** Of them, what follows the longest beginning that it shares with an earlier question in this case, of the same role or, for the other reader, of the first. */
  newBytes: z.number().int(),
})
export type QuestionSize = z.infer<typeof QuestionSize>

export type AnswerDesk = {
  /** The address for one case and role, as a provider's `baseUrl`. */
  addressOf(name: string, role: DeskRole): string
  close(): void
}

/** One question as a program that answers sees it; `text` is all of its messages. */
export type DeskQuestion = { name: string; role: DeskRole; text: string }

/** Answers in a reader's place; null leaves the question to a reader. */
export type DeskAnswerer = (question: DeskQuestion) => string | null

/** Serves until it is closed; a question waits for its answer as long as the asker does. */
export async function openAnswerDesk(
  folder: string,
  answerer: DeskAnswerer = () => null,
): Promise<AnswerDesk> {
  const server = createServer((request, response) => {
    serve({ root: folder, answerer }, request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      if (response.headersSent) response.destroy()
      else sendJson(response, { error: { message, type: 'invalid_request_error' } }, 400)
    })
  })
  server.requestTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    addressOf: (name, role) => `http://127.0.0.1:${port}/${name}/${role}/v1`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function serve(
  { root, answerer }: { root: string; answerer: DeskAnswerer },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, name, role, what] = /^\/([a-z0-9._-]+)\/([a-z]+)\/v1\/([a-z/]+)$/.exec(request.url ?? '') ?? []
  const { data: known } = DeskRole.safeParse(role)
  if (name === undefined || !known) return sendJson(response, { error: { message: 'no such case' } }, 404)
  if (what === 'models')
    return sendJson(response, { object: 'list', data: [{ id: 'reader', object: 'model' }] })
  let body = ''
  for await (const piece of request.setEncoding('utf8')) body += piece
  const asked = Asked.parse(JSON.parse(body))
  const folder = questionFolder(join(root, name, known), known, body, asked)
  const answerFile = join(folder, 'answer.json')
  const ready = existsSync(answerFile)
    ? null
    : answerer({ name, role: known, text: messagesOf(asked).join('\n\n') })
  if (ready !== null) writeWhole(answerFile, ready)
  let gone = false
  response.on('close', () => {
    gone = true
  })
  if (asked.stream) response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': waiting\n\n')
  for (let turn = 1; !existsSync(answerFile); turn++) {
    if (gone) return
    await pause(300)
    // Keeps clients from giving up.
    if (asked.stream && turn % 30 === 0) response.write(': waiting\n\n')
  }
  sendAnswer(response, asked, readFileSync(answerFile, 'utf8').trim(), body)
}

/** The numbered folders of a case and role, in the order in which they were asked. */
export function questionFolders(base: string): string[] {
  if (!existsSync(base)) return []
  const numbers = readdirSync(base).filter((entry) => /^\d+$/.test(entry))
  return numbers.sort().map((number) => join(base, number))
}

/** A question that is asked again (a retry) finds the folder, and the answer, of the first time. */
function questionFolder(base: string, role: DeskRole, body: string, asked: Asked): string {
  const earlier = questionFolders(base)
  const before = earlier.map((folder) => ({ folder, text: readFileSync(join(folder, 'raw.json'), 'utf8') }))
  const again = before.find(({ text }) => sha256(text) === sha256(body))
  if (again) return again.folder
  const folder = join(base, String(earlier.length + 1).padStart(3, '0'))
  writeWhole(join(folder, 'raw.json'), body)
  const messages = messagesOf(asked)
  const known = before.map(({ folder, text }) => ({ folder, messages: messagesIn(text) }))
  // Two readers are one model unless an operator has two, so that the second reads from the cache what the first was sent.
  const ofFirst = role === 'other' ? questionFolders(join(base, '../reader')) : []
  const size: QuestionSize = {
    role,
    bytes: bytesOf(messages),
    newBytes: newBytes(messages, [
      ...known.map((one) => one.messages),
      ...ofFirst.map((one) => messagesIn(readFileSync(join(one, 'raw.json'), 'utf8'))),
    ]),
  }
  writeWhole(join(folder, 'size.json'), JSON.stringify(size))
  const shared = known
    .map((one) => ({ folder: one.folder, length: commonPrefix(messages, one.messages) }))
    .reduce((best, one) => (one.length > best.length ? one : best), { folder: '', length: 0 })
  const fresh = messages.slice(shared.length)
  const seen =
    shared.length === 0
      ? []
      : [`(The first ${shared.length} messages are those of ${join(shared.folder, 'request.md')}.)`]
  const schema = `######## the answer must fit\n${JSON.stringify(asked.response_format ?? null)}`
  writeWhole(join(folder, 'request.md'), [...seen, ...fresh, schema].join('\n\n'))
  return folder
}

function messagesOf({ messages }: Asked): string[] {
  return messages.map(({ role, content }) => {
    const text = typeof content === 'string' ? content : content.map(({ text: part }) => part).join('\n')
    return `######## ${role}\n${text}`
  })
}

function messagesIn(body: string): string[] {
  return messagesOf(Asked.parse(JSON.parse(body)))
}

function commonPrefix(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((text, at) => text !== b[at])
  return differs < 0 ? Math.min(a.length, b.length) : differs
}

function sendAnswer(response: ServerResponse, asked: Asked, content: string, body: string): void {
  const [input = 0, output = 0] = [body, content].map(({ length }) => Math.ceil(length / 4))
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  const common = { id: sha256(body).slice(0, 12), created: 1, model: asked.model }
  if (!asked.stream) {
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
    sendJson(response, { ...common, object: 'chat.completion', choices, usage })
    return
  }
  const send = (event: object) =>
    response.write(`data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', ...event })}\n\n`)
  send({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] })
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage })
  response.end('data: [DONE]\n\n')
}

function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
