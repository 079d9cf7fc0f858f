/** The SDK never gets a model by its name, and the versions that shape the wire are known. */
import { streamText } from 'ai'
import { expect, test } from 'vitest'
import { guardSdk, sdkVersions } from '../../src/llm/wire/sdk.ts'

test('a model that is only a name goes nowhere', async () => {
  guardSdk()
  const seen: unknown[] = []
  const ask = async () => {
    const { stream } = streamText({ model: 'anthropic/claude-sonnet-5-5', prompt: 'hello', onError() {} })
    for await (const part of stream) seen.push(part.type === 'error' ? String(part.error) : part.type)
  }
  const told = await ask().then(
    () => seen.join('\n'),
    (error: unknown) => String(error),
  )
  expect(told).toContain('it must be an object of ours')
})

test('the journal’s header can name every package of the SDK', () => {
  const versions = sdkVersions()
  expect(Object.keys(versions)).toHaveLength(7)
  for (const version of Object.values(versions)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
})
