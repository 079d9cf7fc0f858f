/** Usage figures come from real comparisons of prefixes: by marks with Anthropic, by the longest beginning with OpenAI. */
import { expect, test } from 'vitest'
import { PrefixCache, type PromptBlock } from '../helpers/fakes/prefix-cache.ts'
import { openFake } from './raw.ts'

const block = (text: string, mark: PromptBlock['mark'] = null): PromptBlock => ({ text, mark })
const long = (letter: string): string => letter.repeat(4800)

test('a marked prefix is written once and read after that', () => {
  const cache = new PrefixCache()
  const first = [block(long('a')), block(long('b'), '5m'), block('question 1')]
  expect(cache.markedBlocks('m', first, 1024)).toEqual({ read: 0, write: 2400, writeHour: 0 })
  const second = [block(long('a')), block(long('b'), '5m'), block('question 2')]
  expect(cache.markedBlocks('m', second, 1024)).toEqual({ read: 2400, write: 0, writeHour: 0 })
  expect(cache.markedBlocks('another', second, 1024).read).toBe(0)
  cache.expire()
  expect(cache.markedBlocks('m', second, 1024).read).toBe(0)
})

test('a change before the mark spoils it; the part before the change still counts', () => {
  const cache = new PrefixCache()
  cache.markedBlocks('m', [block(long('a'), '1h'), block(long('b'), '5m')], 1024)
  const changed = cache.markedBlocks('m', [block(long('a'), '1h'), block(long('c'), '5m')], 1024)
  expect(changed).toEqual({ read: 1200, write: 1200, writeHour: 0 })
  expect(cache.markedBlocks('m', [block(long('x')), block(long('c'), '5m')], 1024).read).toBe(0)
})

test('a growing conversation reads the last turn and writes the new one', () => {
  const cache = new PrefixCache()
  const turns = Array.from({ length: 6 }, (_, index) => block(long(String(index))))
  const upTo = (count: number): PromptBlock[] =>
    turns.slice(0, count).map((turn, index) => ({ ...turn, mark: index === count - 1 ? '5m' : null }))
  expect(cache.markedBlocks('m', upTo(3), 1024)).toMatchObject({ read: 0, write: 3600 })
  expect(cache.markedBlocks('m', upTo(5), 1024)).toMatchObject({ read: 3600, write: 2400 })
})

test('short prefixes are not cached, and entries more than twenty blocks back are not found', () => {
  const cache = new PrefixCache()
  expect(cache.markedBlocks('m', [block('short', '5m')], 1024)).toEqual({ read: 0, write: 0, writeHour: 0 })
  const start = [block(long('a'), '5m')]
  cache.markedBlocks('m', start, 1024)
  const far = [block(long('a')), ...Array.from({ length: 20 }, (_, n) => block(`b${n}`)), block('end', '5m')]
  expect(cache.markedBlocks('m', far, 1024).read).toBe(0)
  const near = [block(long('a')), ...Array.from({ length: 18 }, (_, n) => block(`b${n}`)), block('end', '5m')]
  expect(cache.markedBlocks('m', near, 1024).read).toBe(1200)
})

test('the longest common beginning counts from 1,024 tokens on, in steps of 128', () => {
  const cache = new PrefixCache()
  expect(cache.commonPrefix('m', 'x'.repeat(8000), 1024)).toBe(0)
  expect(cache.commonPrefix('m', `${'x'.repeat(5000)}y`, 1024)).toBe(1152)
  expect(cache.commonPrefix('m', `${'x'.repeat(4000)}z`, 1024)).toBe(0)
  expect(cache.commonPrefix('another', 'x'.repeat(8000), 1024)).toBe(0)
})

test('over the wire, input tokens are split into read, written and neither', async () => {
  const { send, fake } = await openFake('anthropic', '/v1/messages', (server) => ({
    'x-api-key': server.apiKey,
    'anthropic-version': '2023-06-01',
  }))
  const ask = (question: string): object => ({
    model: 'claude-sonnet-5-5',
    max_tokens: 100,
    system: [
      { type: 'text', text: long('r'), cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'text', text: long('s'), cache_control: { type: 'ephemeral' } },
    ],
    messages: [{ role: 'user', content: question }],
  })
  const cold = await send(ask('one?'))
  expect(cold.body.usage).toMatchObject({
    input_tokens: 3,
    cache_creation_input_tokens: 2400,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_1h_input_tokens: 1200, ephemeral_5m_input_tokens: 1200 },
  })
  const warm = await send(ask('two?'))
  expect(warm.body.usage).toMatchObject({
    input_tokens: 3,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 2400,
  })
  fake.expireCache()
  expect((await send(ask('three?'))).body.usage).toMatchObject({ cache_read_input_tokens: 0 })
})
