/**
 * Every wire is driven by the provider packages of the AI SDK: whole and streamed, with and without a schema. `npm test` drives one,
 * `npm run test:matrices` all.
 */
import { generateText, Output } from 'ai'
import { describe, expect, test } from 'vitest'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { drawn } from '../helpers/matrix.ts'
import { ask, goodReview, reviewSchema } from './ask.ts'
import { wires } from './wires.ts'

const always = { answer: 'good', times: 'always', value: goodReview } as const

describe.each(drawn(wires))('$name', (wire) => {
  test('streams a structured answer, with its usage', async () => {
    await using fake = await startFakeProvider(wire.kind, { steps: [always] })
    const asked = await ask({ model: wire.model(fake), structured: true })
    expect(asked.errors).toEqual([])
    expect(JSON.parse(asked.text)).toEqual(goodReview)
    expect(asked.finishReason).toBe('stop')
    expect(asked.usage?.inputTokens).toBeGreaterThan(20)
    expect(asked.usage?.outputTokens).toBe(Math.ceil(JSON.stringify(goodReview).length / 4))
    expect(fake.mistakes).toEqual([])
    expect(fake.calls[0]?.call.stream).toBe(true)
    expect(fake.calls[0]?.call.schema !== null).toBe(wire.native)
  })

  test('streams plain words', async () => {
    const words = 'Grüße — 日本語 🙂. '.repeat(40)
    await using fake = await startFakeProvider(wire.kind, { steps: [{ answer: 'good', text: words }] })
    const asked = await ask({ model: wire.model(fake) })
    expect(asked.text).toBe(words)
    expect(fake.calls[0]?.call.prompt).toContain('Review this.')
    expect(fake.calls[0]?.call.prompt).toContain('You review code')
    expect(fake.calls[0]?.call.lastTurn).toContain('Review this.')
  })

  test('answers whole', async () => {
    await using fake = await startFakeProvider(wire.kind, { steps: [always] })
    const result = await generateText({
      model: wire.model(fake),
      prompt: 'Review this as JSON.',
      maxOutputTokens: 2000,
      maxRetries: 0,
      output: Output.object({ schema: reviewSchema, name: 'review' }),
    })
    expect(result.output).toEqual(goodReview)
    expect(result.usage.inputTokens).toBeGreaterThan(10)
    expect(fake.calls[0]?.call.stream).toBe(false)
  })

  test('cuts a long answer at the output limit', async () => {
    await using fake = await startFakeProvider(wire.kind, {
      steps: [{ answer: 'good', text: 'word '.repeat(400) }],
    })
    const asked = await ask({ model: wire.model(fake), settings: { maxOutputTokens: 20 } })
    expect(asked.finishReason).toBe('length')
    expect(asked.text).toHaveLength(80)
    expect(asked.usage?.outputTokens).toBe(20)
  })

  test('shows what the model thought, where its protocol does', async () => {
    await using fake = await startFakeProvider(wire.kind, {
      steps: [{ ...always, thinking: 'First I look.' }],
    })
    const asked = await ask({ model: wire.model(fake), structured: true })
    expect(asked.reasoning).toBe(wire.showsThoughts ? 'First I look.' : '')
    expect(JSON.parse(asked.text)).toEqual(goodReview)
  })

  test('refuses in its own way', async () => {
    await using fake = await startFakeProvider(wire.kind, { steps: [{ answer: 'refusal' }] })
    const asked = await ask({ model: wire.model(fake), structured: wire.native })
    expect(asked.finishReason).toBe(wire.refusal)
  })

  test('turns a wrong key away', async () => {
    await using fake = await startFakeProvider(wire.kind, { steps: [always] }, { keys: ['another'] })
    const stranger = { ...fake, apiKey: 'sk-stranger' }
    const asked = await ask({ model: wire.model(stranger) })
    const signed = wire.name.includes('signed')
    if (wire.kind === 'ollama' || signed) expect(asked.errors).toEqual([])
    else
      expect(asked.errors[0]).toMatchObject({
        statusCode: expect.toSatisfy((status) => [400, 401, 403].includes(status)),
      })
  })

  test('counts what a second call finds in the cache', async () => {
    await using fake = await startFakeProvider(wire.kind, { steps: [always] })
    const prompt = 'A long and stable beginning. '.repeat(800)
    const first = await ask({ model: wire.model(fake), prompt })
    const second = await ask({ model: wire.model(fake), prompt: `${prompt} And a question.` })
    expect(first.usage?.inputTokenDetails.cacheReadTokens ?? 0).toBe(0)
    const read = second.usage?.inputTokenDetails.cacheReadTokens ?? 0
    if (wire.cachesByItself) expect(read).toBeGreaterThan(1024)
    else expect(read).toBe(0)
  })
})

test('two runs of the same calls give the same bytes', async () => {
  for (const wire of drawn(wires, 1)) {
    const answers = []
    for (const _ of [1, 2]) {
      await using fake = await startFakeProvider(wire.kind, { steps: [always] })
      const bodies: string[] = []
      const original = globalThis.fetch
      globalThis.fetch = async (...args) => {
        const response = await original(...args)
        bodies.push(await response.clone().text())
        return response
      }
      try {
        await ask({ model: wire.model(fake), structured: true })
      } finally {
        globalThis.fetch = original
      }
      answers.push(bodies.join())
    }
    expect(answers[0]).toBe(answers[1])
    expect(answers[0]?.length).toBeGreaterThan(100)
  }
})
