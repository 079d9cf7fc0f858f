/** What models write around, into and instead of JSON, and what is made of it. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readAnswer } from '../../src/llm/answers/read-answer.ts'
import { wireSchema } from '../../src/llm/answers/wire-schema.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { gatewayTo, goodNotes, modelAt, Notes, question } from './fake-gateway.ts'

const shape = { name: 'notes', schema: Notes }
const wire = wireSchema(shape)
const json = JSON.stringify(goodNotes)

test.each([
  ['as it should be', json],
  ['in a fence', `\`\`\`json\n${json}\n\`\`\``],
  ['with prose around it', `Here you {are}: ${json}\nI hope "this" helps {a lot}.`],
  ['after thoughts', `<think>maybe {"notes": []} or not</think>\n${json}`],
  ['with braces in strings', json.replace('a leak', 'a } leak { "').replace('leak { "', 'leak { \\"')],
  [
    'with an escaped quote before a brace, and prose',
    `${json.replace('a leak', 'a \\" } leak')} where {x} is it`,
  ],
  ['with the mark of thoughts in a quote', json.replace('a leak', 'a leak: `</think>` in a prompt')],
  [
    'with that mark and prose around it',
    `It is {this}: ${json.replace('a leak', 'a leak </think> {')}\nDone.`,
  ],
  ['after thoughts with an open brace', `<think>if (x) { maybe </think>\n${json}`],
  ['with a nullable key left out', '{"notes":[{"line":3,"text":"a leak"}]}'],
  ['with a key too many', '{"notes":[{"line":3,"text":"a leak","why":null,"__proto__":{"x":1}}],"more":1}'],
])('%s: read as it is', (_name, text) => {
  const read = readAnswer(text, shape, wire)
  expect(read).toMatchObject({ ok: true, repaired: false })
  expect(Object.getPrototypeOf((read as { value: Notes }).value)).toBe(Object.prototype)
  expect((read as { value: Notes }).value.notes[0]).toMatchObject({ line: 3, why: null })
})

test.each([
  ['a trailing comma', '{"notes":[{"line":3,"text":"a leak","why":null,},]}'],
  ['single quotes', "{'notes':[{'line':3,'text':'a leak','why':null}]}"],
  ['comments', '{"notes":[/* one */{"line":3,"text":"a leak","why":null}]} // done'],
  ['Python literals', '{"notes":[{"line":3,"text":"a leak","why":None}]}'],
  ['a raw line break', '{"notes":[{"line":3,"text":"a\nleak","why":null}]}'],
  ['unescaped quotes', '{"notes":[{"line":3,"text":"a "big" leak","why":null}]}'],
  ['a bad escape', '{"notes":[{"line":3,"text":"\\d+","why":null}]}'],
  ['a fence and a missing brace', '```json\n{"notes":[{"line":3,"text":"a leak","why":null}]\n```'],
])('%s: mended, and marked as such', (_name, text) => {
  expect(readAnswer(text, shape, wire)).toMatchObject({ ok: true, repaired: true })
})

test.each([
  ['a refusal in words', 'I cannot help with that.', 'no JSON object'],
  ['a list', '[1, 2]', 'no JSON object'],
  ['nothing', '', 'no JSON object'],
  ['a wrong type', '{"notes":[{"line":"three","text":"x","why":null}]}', 'notes[0].line'],
  ['another shape', '{"findings":[]}', 'notes'],
  ['unfinished thoughts', '<think>perhaps', 'no JSON object'],
  ['a nest', `{"notes":${'['.repeat(100_000)}`, ''],
  ['an objects’ nest', '{"notes":'.repeat(50_000), ''],
  ['more than eight million characters', json.padEnd(8_000_001), 'The answer is too long.'],
])('%s: not used, and the problem told', (_name, text, problem) => {
  const read = readAnswer(text, shape, wire)
  expect(read.ok).toBe(false)
  expect((read.ok ? [] : read.problems).join('\n')).toContain(problem)
})

test('eight million characters are read', () => {
  expect(readAnswer(json.padEnd(8_000_000), shape, wire)).toMatchObject({ ok: true })
})

test('two million braces take no longer than reading them', () => {
  const began = process.cpuUsage()
  readAnswer('{'.repeat(1_000_000), shape, wire)
  readAnswer('{}'.repeat(1_000_000), shape, wire)
  expect(process.cpuUsage(began).user / 1e6).toBeLessThan(20)
})

test('the repair takes quadratic time, so that long answers are not repaired', () => {
  const broken = (length: number) => `{'notes':[{'line':3,'text':'${'x'.repeat(length)}','why':null}]}`
  expect(readAnswer(broken(40_000), shape, wire)).toMatchObject({ ok: true, repaired: true })
  expect(readAnswer(broken(50_000), shape, wire)).toMatchObject({ ok: false })
})

async function asked(step: CodedStep, ...more: CodedStep[]) {
  await using fake = await startFakeProvider('openai-compatible', { steps: [step, ...more] })
  const model = modelAt(fake, 'openai-compatible', 'gpt-oss-120b')
  const gateway = await gatewayTo([{ ...model, provider: { ...model.provider, structuredOutput: 'prompt' } }])
  const reply = await gateway.ask(question({ maxOutputTokens: 60_000 }))
  expect(fake.mistakes).toEqual([])
  return { reply, requests: fake.requests, notes: gateway.journal.notes }
}

const unfit: CodedStep = { answer: 'unfit', value: { notes: 'none' } }
const good: CodedStep = { answer: 'good', value: goodNotes }

test.each<[string, CodedStep, boolean]>([
  ['prose', { answer: 'prose', value: goodNotes }, false],
  ['a fence', { answer: 'fenced', value: goodNotes }, false],
  ['think tags', { answer: 'think-tags', value: goodNotes }, false],
  ['a trailing comma', { answer: 'trailing-comma', value: goodNotes }, true],
])('over the wire, %s', async (_name, step, repaired) => {
  const { reply } = await asked(step)
  expect(reply).toMatchObject({ outcome: 'answered', value: goodNotes, repaired, calls: [{}] })
})

test('an unfit answer gets one turn to be mended, with the problems named', async () => {
  const { reply, requests, notes } = await asked(unfit, good)
  expect(reply).toMatchObject({ outcome: 'answered', value: goodNotes, repaired: false })
  expect(reply.calls.map(({ outcome }) => outcome)).toEqual(['unusable', 'answered'])
  expect(requests[1]?.text).toContain('Your answer could not be used')
  expect(requests[1]?.text).toContain('notes: ')
  expect(notes.map(({ type }) => type)).toContain('repair')
})

test('a second unfit answer is the end, and counted', async () => {
  const { reply, requests } = await asked({ ...unfit, times: 'always' })
  expect(reply).toMatchObject({ outcome: 'unusable', reason: expect.stringContaining('notes') })
  expect(reply.calls.map(({ outcome }) => outcome)).toEqual(['unusable', 'unusable'])
  expect(requests).toHaveLength(2)
})

test('what the wire cannot carry is checked too, and told', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: [good, good] })
  const gateway = await gatewayTo([modelAt(fake, 'anthropic', 'claude-sonnet-5-5')])
  const check = () => ['Line 3 is no line of the change.']
  const reply = await gateway.ask(question({ answer: { ...shape, check } }))
  expect(reply).toMatchObject({ outcome: 'unusable', reason: expect.stringContaining('Line 3') })
  expect(fake.requests[1]?.text).toContain('Line 3 is no line of the change.')
})

test('an empty answer is asked again without an empty turn', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: [{ answer: 'blank' }, good] })
  const gateway = await gatewayTo([modelAt(fake, 'anthropic', 'claude-sonnet-5-5')])
  expect(await gateway.ask(question())).toMatchObject({ outcome: 'answered' })
})

test.each([
  ['anthropic', 'anthropic', 'claude-sonnet-5-5'],
  ['openai', 'openai', 'gpt-5.5'],
  ['openai', 'openai-chat', 'gpt-4o'],
  ['google', 'google', 'gemini-2.5-pro'],
  ['azure', 'azure', 'gpt-5.5'],
  ['bedrock', 'bedrock', 'us.anthropic.claude-sonnet-5-5'],
] as const)(
  '%s: a truncated answer is never whole, a refusal is a refusal',
  async (fakeKind, kind, model) => {
    await using fake = await startFakeProvider(fakeKind, {
      steps: [{ answer: 'truncated', value: goodNotes, part: 1 }, { answer: 'refusal' }],
    })
    const gateway = await gatewayTo([modelAt(fake, kind, model)])
    expect(await gateway.ask(question())).toMatchObject({
      outcome: 'truncated',
      calls: [{ outcome: 'truncated' }],
    })
    expect(await gateway.ask(question({ sample: 1 }))).toMatchObject({
      outcome: 'refused',
      calls: [{ outcome: 'refused' }],
    })
    expect(fake.requests).toHaveLength(2)
  },
)

test.each<[string, CodedStep]>([
  ['huge-array', { answer: 'malicious', attack: 'huge-array', count: 500, value: goodNotes }],
  ['deep-nesting', { answer: 'malicious', attack: 'deep-nesting', value: goodNotes }],
  ['prototype-keys', { answer: 'malicious', attack: 'prototype-keys', value: goodNotes }],
  ['huge-text', { answer: 'malicious', attack: 'huge-text', value: goodNotes }],
])('a malicious answer (%s) harms nobody', async (_name, step) => {
  const { reply } = await asked({ ...step, times: 'always' })
  expect(['answered', 'unusable']).toContain(reply.outcome)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

test('a schema that would not survive every provider is our bug, told with every place', () => {
  const bad = z.object({
    maybe: z.string().optional(),
    map: z.record(z.string(), z.number()),
    pair: z.tuple([z.string(), z.number()]),
    any: z.unknown(),
    tagged: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), x: z.string() }),
      z.object({ kind: z.literal('b'), y: z.string() }),
    ]),
  })
  expect(() => wireSchema({ name: 'bad', schema: bad })).toThrow(
    /maybe is optional[\s\S]*map|map[\s\S]*maybe is optional/,
  )
  for (const place of ['$.pair', '$.any', '$.tagged', '$.map'])
    expect(() => wireSchema({ name: 'bad', schema: bad })).toThrow(place)
  expect(() => wireSchema({ name: 'list', schema: z.array(z.string()) })).toThrow('not an object')
  expect(() => wireSchema({ name: 'Bad Name', schema: Notes })).toThrow('snake case')
})

test('limits stay off the wire, and hold when the answer is read', () => {
  const schema = z.object({
    line: z.number().int().min(1).max(9),
    kind: z.literal('note'),
    id: z.string().regex(/^E/),
  })
  const limited = wireSchema({ name: 'one', schema })
  expect(limited).toEqual({
    type: 'object',
    properties: {
      line: { type: 'integer' },
      kind: { type: 'string', enum: ['note'] },
      id: { type: 'string' },
    },
    required: ['line', 'kind', 'id'],
    additionalProperties: false,
  })
  const read = readAnswer('{"line":0,"kind":"note","id":"E1"}', { name: 'one', schema }, limited)
  expect(read.ok).toBe(false)
})
