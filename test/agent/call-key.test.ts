import { expect, test } from 'vitest'
import { callKey } from '../../src/agent/call-key.ts'

test('one question has one key, whatever the order of its arguments; another question has another', () => {
  const key = callKey({ tool: 'grep', args: { query: 'x', path: 'src' } })
  expect(key).toBe('grep::{"path":"src","query":"x"}')
  expect(callKey({ tool: 'grep', args: { path: 'src', query: 'x' } })).toBe(key)
  expect(callKey({ tool: 'grep', args: { path: 'src', query: 'y' } })).not.toBe(key)
  expect(callKey({ tool: 'look', args: { path: 'src', query: 'x' } })).not.toBe(key)
})
