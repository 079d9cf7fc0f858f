/** Scenarios: which step is taken, what it says, and what is wrong with a scenario. */
import { expect, test } from 'vitest'
import { turnHostile } from '../helpers/fakes/scenario/attack.ts'
import { parseScenario } from '../helpers/fakes/scenario/load.ts'
import { Attack } from '../helpers/fakes/scenario/schema.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { openFake, type Sender } from './raw.ts'

type Said = { said(prompt: string, more?: object): Promise<string>; sender: Sender }

async function play(...steps: CodedStep[]): Promise<Said> {
  const sender = await openFake('ollama', '/api/chat', () => ({}), { steps })
  return {
    sender,
    said: async (prompt, more = {}) => {
      const body = {
        model: 'qwen3-coder:30b',
        stream: false,
        messages: [{ role: 'user', content: prompt }],
        ...more,
      }
      const { status, text, message } = await sender.send(body)
      return status === 200 ? (JSON.parse(text) as { message: { content: string } }).message.content : message
    },
  }
}

test('steps are taken in order, as often as they say', async () => {
  const { said, sender } = await play(
    { answer: 'good', text: 'one', times: 2 },
    { answer: 'good', text: 'two' },
    { answer: 'good', text: 'never', when: { contains: 'nobody says this' } },
  )
  expect([await said('a'), await said('b'), await said('c')]).toEqual(['one', 'one', 'two'])
  expect(await said('d')).toBe('Fake provider: No step of the scenario is left for call 4.')
  expect(sender.fake.mistakes).toHaveLength(1)
  expect(sender.fake.untakenSteps()).toEqual([2])
})

test('a condition picks its call out of order', async () => {
  const { said } = await play(
    { answer: 'good', text: 'second group', when: { contains: ['group', 'b.ts'] } },
    { answer: 'good', text: 'small', when: { model: 'llama3.2' } },
    { answer: 'good', text: 'in code', if: (call) => call.prompt.length > 100 },
    { answer: 'good', text: 'any', times: 'always' },
  )
  expect(await said('group a.ts')).toBe('any')
  expect(await said('group b.ts')).toBe('second group')
  expect(await said('group b.ts')).toBe('any')
  expect(await said('x', { model: 'llama3.2' })).toBe('small')
  expect(await said('y'.repeat(101))).toBe('in code')
})

test.each<[string, CodedStep, string]>([
  ['prose', { answer: 'prose', value: { a: 1 }, before: 'See:', after: 'Bye.' }, 'See:\n\n{"a":1}\n\nBye.'],
  ['fenced', { answer: 'fenced', value: { a: 1 } }, '```json\n{\n  "a": 1\n}\n```'],
  [
    'trailing comma',
    { answer: 'trailing-comma', value: { a: [1, { b: '}' }], c: [] } },
    '{\n  "a": [\n    1,\n    {\n      "b": "}",\n    },\n  ],\n  "c": [],\n}',
  ],
  [
    'think tags',
    { answer: 'think-tags', value: { a: 1 } },
    '<think>\nLet me look at {"this": "draft"} first.\n</think>\n\n{"a":1}',
  ],
  ['truncated', { answer: 'truncated', value: { abcdef: 12345 }, part: 0.5 }, '{"abcdef'],
  ['blank', { answer: 'blank' }, ''],
  ['refusal', { answer: 'refusal', text: 'No.' }, 'No.'],
])('a model can answer: %s', async (_, step, text) => {
  const { said } = await play(step)
  expect(await said('x')).toBe(text)
})

test('values are computed from the prompt', async () => {
  const prompt =
    '### E12 src/a.ts\n[L41#abc] const total = 0\n[L42#k7f] +  return total - 1\n[O42#2qd] -  return total\n'
  const { said } = await play({
    answer: 'good',
    value: {
      tag: { $tagAt: 'return total - 1' },
      line: { $lineAt: 'return total - 1' },
      quote: { $quoteAt: 'return total - 1' },
      evidence: { $evidenceAt: 'const total' },
      nested: [{ model: { $model: true } }],
    },
  })
  expect(JSON.parse(await said(prompt))).toEqual({
    tag: 'L42#k7f',
    line: 42,
    quote: 'return total - 1',
    evidence: 'E12',
    nested: [{ model: 'qwen3-coder:30b' }],
  })
})

test('a scripted model may answer by code', async () => {
  const { said } = await play({ answer: 'good', answerFrom: (call) => ({ bytes: call.prompt.length }) })
  expect(await said('12345')).toBe('{"bytes":5}')
})

test('what is wrong with a scenario is said, not answered', async () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'integer' } },
    required: ['a'],
    additionalProperties: false,
  }
  const { said, sender } = await play(
    { answer: 'good', value: { a: 'one', b: 2 } },
    { answer: 'unfit', value: { a: 'one' } },
    { answer: 'good', value: { tag: { $tagAt: 'nowhere' } } },
    { answer: 'good', value: { tag: { $wish: 'x' } } },
    { answer: 'good' },
  )
  expect(await said('x', { format: schema })).toBe(
    'Fake provider: The value does not fit the schema of the request: $.a is string, not integer; $.b is not allowed',
  )
  expect(await said('x', { format: schema })).toBe('{"a":"one"}')
  expect(await said('x')).toContain('no tagged line with "nowhere"')
  expect(await said('x')).toContain('There is no generator $wish.')
  expect(await said('x')).toContain('needs a value or a text')
  expect(sender.fake.mistakes).toHaveLength(4)
})

test('a file with faults is named with all of them', () => {
  expect(() => parseScenario('steps: [{ answer: god }]', 'x.yaml')).toThrow(
    /x\.yaml is no scenario:[\s\S]*about[\s\S]*answer/,
  )
  expect(() => parseScenario('about: a\nsteps: []', 'x.yaml')).toThrow('steps')
  expect(parseScenario('{"about": "b", "steps": [{"answer": "quota"}]}', 'x.json').steps).toHaveLength(1)
})

test('attacks change prose, paths, lists and keys, and leave the rest alone', () => {
  const value = { path: 'src/a.ts', kind: 'bug', text: 'It is wrong.', list: [{ inner: [1, 2] }] }
  const turned = (attack: Attack, count = 3): string => turnHostile(value, attack, count)
  expect(JSON.parse(turned('hidden-characters'))).toMatchObject({
    kind: 'bug',
    text: expect.stringContaining('\u202e'),
  })
  expect(turned('markdown-image')).toContain('![seen](https://collect.example/')
  expect(turned('fake-tags')).toContain('[L1#aaa]')
  expect(turned('prompt-injection')).toContain('Ignore all earlier instructions.')
  expect(JSON.parse(turned('path-traversal'))).toMatchObject({ path: '../../../../etc/passwd\0.ts' })
  expect(JSON.parse(turned('huge-array', 500)).list).toHaveLength(500)
  expect(JSON.parse(turned('huge-text', 5000)).text).toHaveLength(5000)
  expect(JSON.parse(turned('deep-nesting', 50))).toBeInstanceOf(Array)
  const poisoned = JSON.parse(turned('prototype-keys')) as object
  expect(Object.hasOwn(poisoned, '__proto__')).toBe(true)
  expect(poisoned).toMatchObject({ kind: 'bug' })
  expect(Attack.options.every((attack) => turned(attack).length > 0)).toBe(true)
})
