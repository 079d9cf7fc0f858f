/** One body at a time, byte by byte: what exactly is still taken, and what is refused with which status. */
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BodyReader } from '../../../src/server/http/bodies.ts'

const most = 10_000
/** What each chunk costs besides its bytes. */
const cost = 512

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

function begin(reader = new BodyReader(1_000_000), headers: Record<string, string> = {}) {
  const request = Object.assign(new IncomingMessage(new Socket()), { headers })
  const body = reader.begin(request, most)
  const send = (...sizes: number[]) => {
    for (const size of sizes) request.emit('data', Buffer.alloc(size, 'x'))
  }
  const outcome = async () =>
    await body.read().then(
      (bytes) => bytes.byteLength,
      (error: { status: number; message: string }) => `${error.status} ${error.message}`,
    )
  const end = () => request.emit('end')
  return { request, body, send, end, outcome }
}

test('as many bytes as are allowed, whether they are announced or not', async () => {
  for (const headers of [{}, { 'content-length': String(most), 'content-encoding': 'identity' }] as Record<
    string,
    string
  >[]) {
    const { send, end, outcome, request } = begin(undefined, headers)
    send(most - 1, 1)
    end()
    request.emit('close')
    expect(await outcome()).toBe(most)
  }
  const { send, outcome } = begin()
  send(most, 1)
  expect(await outcome()).toBe(`413 The body has more than ${most} bytes.`)
})

test('what is announced too large or encoded is refused before a byte of it', async () => {
  expect(await begin(undefined, { 'content-length': String(most + 1) }).outcome()).toMatch(/^413 /)
  expect(await begin(undefined, { 'content-encoding': 'gzip' }).outcome()).toMatch(/^415 .*content encoding/)
})

test('one that breaks off is refused, and one that came is not', async () => {
  for (const how of ['close', 'error']) {
    const broken = begin()
    broken.send(10)
    broken.request.emit(how, new Error('reset'))
    expect(await broken.outcome()).toBe('400 The body ended early.')
  }
})

test('chunks may be small, or many, but not both', async () => {
  const outcomeOf = async (...sizes: number[]) => {
    const { send, end, outcome } = begin()
    send(...sizes)
    end()
    return await outcome()
  }
  const chunks = (count: number, size: number) => Array.from({ length: count }, () => size)
  expect(await outcomeOf(...chunks(256, 1))).toBe(256)
  expect(await outcomeOf(...chunks(257, 1))).toMatch(/^400 .*too small chunks/)
  // 64 bytes a chunk on the whole.
  const few = 257 * 64
  const reader = new BodyReader(1_000_000)
  const request = Object.assign(new IncomingMessage(new Socket()), { headers: {} })
  const body = reader.begin(request, few)
  for (const size of [few - 256, ...chunks(256, 1)]) request.emit('data', Buffer.alloc(size))
  request.emit('end')
  expect((await body.read()).byteLength).toBe(few)
  const tight = begin()
  tight.send(9_000, ...chunks(255, 1), 1)
  tight.end()
  expect(await tight.outcome()).toMatch(/^400 .*too small chunks/)
})

test('past the budget, whoever holds most for longest gives way', async () => {
  const reader = new BodyReader(3 * (5_000 + cost))
  const old = begin(reader)
  old.send(4_000)
  vi.advanceTimersByTime(100)
  const large = begin(reader)
  large.send(6_000)
  vi.advanceTimersByTime(10)
  const small = begin(reader)
  small.send(5_000 - 1)
  // 4,000 for 110 ms against 6,000 for 10 ms.
  expect([old, large, small].map(({ body }) => body.isComing)).toEqual([true, true, true])
  small.send(1)
  expect([old, large, small].map(({ body }) => body.isComing)).toEqual([false, true, true])
  expect(await old.outcome()).toBe('503 Too much is being sent at a time.')
  // What it held is free again, and what it still sends is dropped.
  old.send(9_000)
  large.send(2_000)
  expect(large.body.isComing).toBe(true)
  for (const one of [large, small]) one.end()
  expect([await large.outcome(), await small.outcome()]).toEqual([8_000, 5_000])
})

test('what came is held until it is answered, and never given up for what is coming', async () => {
  const reader = new BodyReader(2 * (5_000 + cost))
  const whole = begin(reader)
  whole.send(9_000)
  whole.end()
  vi.advanceTimersByTime(1_000)
  const refused = begin(reader)
  refused.send(2_000)
  expect(await refused.outcome()).toMatch(/^503/)
  expect(await whole.outcome()).toBe(9_000)
  whole.body.end()
  expect(await whole.outcome()).toBe(0)
  const next = begin(reader)
  next.send(9_000)
  next.end()
  expect(await next.outcome()).toBe(9_000)
})

test('what is answered before it came is not kept when it comes', () => {
  const reader = new BodyReader(5_000 + cost)
  const { body, send } = begin(reader)
  send(1_000)
  body.end()
  send(5_000)
  expect(body.weight(performance.now() + 1)).toBe(0)
  const next = begin(reader)
  next.send(5_000)
  expect(next.body.isComing).toBe(true)
})
