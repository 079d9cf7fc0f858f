/** Secrets in streamed answers, whole and in pieces. */
import { expect, test } from 'vitest'
import { redactStream } from '../../../src/base/secrets/redact-stream.ts'

const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`

const anthropic = (text: string) =>
  `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })}\n`
const openai = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n`
const ollama = (content: string) =>
  `${JSON.stringify({ message: { role: 'assistant', content }, done: false })}\n`

test.each([
  ['Anthropic', anthropic],
  ['OpenAI', openai],
  ['Ollama', ollama],
])('%s: a token over three events is blanked in each, and the rest stays', async (_, event) => {
  const pieces = ['use ', token.slice(0, 9), token.slice(9, 20), token.slice(20), ' now']
  const clean = await redactStream(`${pieces.map(event).join('\n')}\ndata: [DONE]\n`)
  for (const piece of pieces.slice(1, 4)) expect(clean).not.toContain(piece)
  const texts = [...clean.matchAll(/"(?:text|content)":"([^"]*)"/g)].map(([, text]) => text)
  expect(texts.join('')).not.toContain('ghp_a1B2')
  expect(texts[0]).toBe('use ')
  expect(texts.at(-1)).toBe(' now')
  expect(clean.endsWith('data: [DONE]\n')).toBe(true)
})

test('a stream without secrets stays byte for byte, and plain bodies are redacted as ever', async () => {
  const plain = `${anthropic('hello')}\n${anthropic(' world')}\n`
  expect(await redactStream(plain)).toBe(plain)
  expect(await redactStream(`not json ${token}`)).not.toContain(token)
  expect(await redactStream('')).toBe('')
})
