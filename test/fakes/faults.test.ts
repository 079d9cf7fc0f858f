/**
 * Every way to fail, as it looks to the provider packages of the AI SDK over each wire. `npm test` plays one wire,
 * `npm run test:matrices` all.
 */
import { APICallError } from 'ai'
import { describe, expect, test } from 'vitest'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { drawn } from '../helpers/matrix.ts'
import { type Asked, ask, goodReview } from './ask.ts'
import { type Wire, wires } from './wires.ts'

async function meet(wire: Wire, step: CodedStep): Promise<{ asked: Asked; outcome: string | undefined }> {
  await using fake = await startFakeProvider(wire.kind, { steps: [step] })
  const asked = await ask({ model: wire.model(fake), structured: wire.native })
  expect(fake.mistakes).toEqual([])
  return { asked, outcome: fake.requests[0]?.outcome }
}

function callError(asked: Asked): APICallError {
  const found = asked.errors.find((error) => APICallError.isInstance(error))
  if (!found) throw new Error(`no error of the call among ${asked.errors.map(String).join(', ')}`)
  return found
}

/** The good answer with a thousand letters in it, so that its middle is in the text. */
const long = { ...goodReview, summary: 'A long summary. '.repeat(64) }

describe.each(drawn(wires, 2))('$name', (wire) => {
  test('a rate limit says how long to wait, where the service does', async () => {
    const { asked } = await meet(wire, { answer: 'rate-limit', retryAfterSeconds: 7 })
    const error = callError(asked)
    expect(error).toMatchObject({ statusCode: 429, isRetryable: true })
    if (wire.kind === 'google') expect(JSON.stringify(error.data)).toContain('"retryDelay":"7s"')
    else if (wire.kind === 'bedrock' || wire.kind === 'ollama')
      expect(error.responseHeaders?.['retry-after']).toBeUndefined()
    else expect(error.responseHeaders?.['retry-after']).toBe('7')
  })

  test('quota, overload and a fault of the server have their own status', async () => {
    expect(callError((await meet(wire, { answer: 'quota' })).asked).statusCode).toBe(wire.status.quota)
    expect(callError((await meet(wire, { answer: 'overloaded' })).asked).statusCode).toBe(
      wire.status.overloaded,
    )
    expect(callError((await meet(wire, { answer: 'server-error' })).asked).statusCode).toBe(500)
  })

  test('a stream that ends with an error is never a whole answer', async () => {
    const { asked, outcome } = await meet(wire, {
      answer: 'good',
      value: long,
      delivery: { kind: 'error-event' },
    })
    expect(outcome).toBe('answered')
    expect(asked.text.length).toBeGreaterThan(100)
    expect(asked.text.length).toBeLessThan(JSON.stringify(long).length)
    expect(asked.errors).not.toEqual([])
    expect(asked.finishReason).toBe('error')
  })

  test('an error may be the first event', async () => {
    const { asked } = await meet(wire, {
      answer: 'good',
      value: long,
      delivery: { kind: 'error-event', afterFrames: 0 },
    })
    expect(asked.text).toBe('')
    expect(asked.errors).not.toEqual([])
  })

  test('a cut connection breaks the stream', async () => {
    const { asked, outcome } = await meet(wire, { answer: 'good', value: long, delivery: { kind: 'cut' } })
    expect(outcome).toBe('broken')
    expect(asked.errors).not.toEqual([])
    expect(asked.text.length).toBeLessThan(JSON.stringify(long).length)
  })

  test('a reset connection gives no answer at all', async () => {
    const { asked, outcome } = await meet(wire, { answer: 'reset' })
    expect(outcome).toBe('broken')
    expect(callError(asked).statusCode).toBeUndefined()
    expect(callError(asked).isRetryable).toBe(true)
  })

  test('garbage, empty bodies and web pages are no answers', async () => {
    const steps: CodedStep[] = [
      { answer: 'good', value: long, delivery: { kind: 'garbage' } },
      { answer: 'empty-body' },
      { answer: 'web-page' },
    ]
    for (const step of steps) {
      const { asked } = await meet(wire, step)
      const whole = asked.finishReason === 'stop' && asked.text === JSON.stringify(long)
      expect(whole).toBe(false)
      if (asked.errors.length === 0) expect(asked.finishReason).not.toBe('stop')
    }
    const { asked } = await meet(wire, { answer: 'web-page', status: 502 })
    expect(callError(asked).statusCode).toBe(502)
  })

  test('the server sees that a client stopped waiting', async () => {
    await using fake = await startFakeProvider(wire.kind, {
      steps: [{ answer: 'good', value: long, delivery: { kind: 'stall', afterFrames: 3 } }],
    })
    const client = new AbortController()
    const settings = { abortSignal: client.signal }
    const asking = ask({ model: wire.model(fake), structured: wire.native, settings })
    await expect.poll(() => fake.requests).toHaveLength(1)
    client.abort()
    const asked = await asking
    expect(asked.text.length).toBeLessThan(JSON.stringify(long).length)
    await expect.poll(() => fake.requests[0]?.outcome).toBe('aborted')
  })

  test('a slow answer is whole in the end', async () => {
    const { asked } = await meet(wire, {
      answer: 'good',
      value: goodReview,
      delivery: { kind: 'slow', delayMs: 2 },
    })
    expect(JSON.parse(asked.text)).toEqual(goodReview)
  })
})
