/** Secrets in streamed answers, whole and in pieces. */
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { redactFrames, redactStream } from '../../../src/base/secrets/redact-stream.ts'
import { eventFrame } from '../../helpers/fakes/bedrock/event-stream.ts'

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

test('pieces of two blocks in turn are two texts, and a key of ours is blanked in pieces too', async () => {
  const piece = (index: number, text: string) =>
    `data: ${JSON.stringify({ index, delta: { type: 'text_delta', text } })}\n`
  const ours = 'no-known-form-at-all-7'
  const body = [
    piece(0, `a ${token.slice(0, 12)}`),
    piece(1, `b ${ours.slice(0, 9)}`),
    piece(0, `${token.slice(12)} c`),
    piece(1, `${ours.slice(9)} d`),
    'data: {"untouched":  "spaces stay"}',
  ].join('\n')
  const clean = await redactStream(body, [ours])
  for (const part of [token.slice(4, 12), token.slice(12), ours.slice(0, 9), ours.slice(9)])
    expect(clean).not.toContain(part)
  expect(clean).toContain(' c"')
  expect(clean).toContain(' d"')
  expect(clean).toContain('{"untouched":  "spaces stay"}')
})

test('binary frames: a token over three of them is blanked, also in base64, and the sums are right', async () => {
  const parts = [`use ${token.slice(0, 9)}`, token.slice(9, 20), `${token.slice(20)} now`]
  const plain = parts.map((text) =>
    eventFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text }, p: 'ab' }),
  )
  const nested = parts.map((text) => {
    const inner = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }
    return eventFrame('chunk', { bytes: Buffer.from(JSON.stringify(inner)).toString('base64') })
  })
  for (const frames of [plain, nested]) {
    const bytes = Buffer.concat(frames)
    const clean = Buffer.from(await redactFrames(bytes))
    const texts = textsIn(clean)
    expect(texts).toHaveLength(3)
    expect(texts.join('')).toBe(`use ${'*'.repeat(token.length)} now`)
  }
  const harmless = Buffer.concat([eventFrame('messageStop', { stopReason: 'end_turn' })])
  expect(await redactFrames(harmless)).toBe(harmless)
  for (const odd of [Buffer.from('no frames'), harmless.subarray(0, 20), Buffer.alloc(0)])
    expect(await redactFrames(odd)).toBe(odd)
})

const stream = (...events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}`).join('\n')
const cut = [token.slice(0, 9), token.slice(9, 20), token.slice(20)] as const

test.each([
  ...['text', 'content', 'delta', 'partial_json', 'thinking', 'reasoning', 'reasoning_content'],
  ...['arguments', 'input', 'response', 'refusal'],
])('pieces under %s are one text, whatever else counts up beside them', (key) => {
  const events = cut.map((piece, at) => ({
    created: at,
    index: 'none',
    type: piece.length,
    deep: { [key]: piece },
  }))
  const clean = redactStream(stream(...events))
  expect(clean).toBe(
    stream(...events.map((event) => ({ ...event, deep: { [key]: '*'.repeat(event.type) } }))),
  )
})

test.each(['index', 'contentBlockIndex', 'output_index', 'content_index', 'summary_index'])(
  'blocks that %s tells apart are several texts',
  (key) => {
    const mixed = cut.flatMap((piece) => [
      { [key]: 0, text: piece },
      { [key]: 1, text: ' and ' },
    ])
    const clean = redactStream(stream(...mixed))
    for (const piece of cut) expect(clean).not.toContain(piece)
    expect(clean.split(' and ')).toHaveLength(4)
  },
)

test('two channels that only together look like a token are left as they are', () => {
  const apart = stream({ text: token.slice(0, 20) }, { content: token.slice(20) })
  expect(redactStream(apart)).toBe(apart)
})

test('a value of ours is masked wherever it occurs, every time, also between events and beside them', () => {
  const ours = 'ours-7'
  expect(redactStream(`${ours} and ${ours}`, [ours])).toBe('… and …')
  const twice = stream({ text: `${ours}${ours}, ` }, { text: ours }, { other: ours })
  expect(redactStream(twice, [ours])).toBe(
    stream({ text: `${'*'.repeat(12)}, ` }, { text: '******' }, { other: '…' }),
  )
})

test('lines that only look like events are redacted as text', () => {
  for (const line of [
    `{"text": "${token}"`,
    `data: {"text": ${token}}`,
    `x {"text":"${token}"} y`,
    `data: null ${token}`,
  ])
    expect(redactStream(line)).toBe(line.replace(token, 'ghp_…'))
  expect(redactStream(`data:{"text":"${token}"} `)).toBe(`data:{"text":"${'*'.repeat(token.length)}"}`)
})

test('frames with nothing in them, and other text beside the secret, stay byte for byte', () => {
  const empty = frameOf(Buffer.alloc(0))
  const odd = frameOf(Buffer.from('no JSON'))
  const said = eventFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: `use ${token}` } })
  const clean = Buffer.from(redactFrames(Buffer.concat([empty, odd, said, empty])))
  const before = empty.length + odd.length
  expect(clean.subarray(0, before)).toEqual(Buffer.concat([empty, odd]))
  expect(clean.subarray(-empty.length)).toEqual(empty)
  expect(textsIn(clean.subarray(before, -empty.length))).toEqual([`use ${'*'.repeat(token.length)}`])
  const ours = eventFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'ours-7 said' } })
  expect(textsIn(Buffer.from(redactFrames(ours, ['ours-7'])))).toEqual(['****** said'])
})

test('bytes whose lengths do not add up are no frames', () => {
  const said = eventFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: token } })
  const withLength = (at: number, length: number) => {
    const bytes = Buffer.from(said)
    bytes.writeUInt32BE(length, at)
    return bytes
  }
  for (const odd of [
    ...[said.subarray(0, -1), Buffer.concat([said, Buffer.alloc(15)])],
    ...[withLength(0, said.length + 1), withLength(0, 15), withLength(4, said.length - 15)],
  ])
    expect(redactFrames(odd)).toBe(odd)
  // A payload of no bytes is still one.
  const bare = withLength(4, said.length - 16)
  expect(redactFrames(Buffer.concat([bare, said]))).not.toEqual(Buffer.concat([bare, said]))
})

/** Without headers. */
function frameOf(payload: Buffer): Buffer {
  const whole = Buffer.alloc(payload.length + 16)
  whole.writeUInt32BE(whole.length, 0)
  payload.copy(whole, 12)
  return whole
}

/** Reads frames anew, checking their sums. */
function textsIn(bytes: Buffer): string[] {
  const texts: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const whole = bytes.subarray(at, at + bytes.readUInt32BE(at))
    expect(whole.readUInt32BE(8)).toBe(crc32(whole.subarray(0, 8)))
    expect(whole.readUInt32BE(whole.length - 4)).toBe(crc32(whole.subarray(0, -4)))
    const payload = JSON.parse(whole.subarray(12 + whole.readUInt32BE(4), -4).toString())
    const event = payload.bytes ? JSON.parse(Buffer.from(payload.bytes, 'base64').toString()) : payload
    texts.push(event.delta.text)
    at += whole.length
  }
  return texts
}
