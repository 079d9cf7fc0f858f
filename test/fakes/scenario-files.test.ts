/** Every scenario file, played over one of two wires: what a client gets from one call after the other. */
import { describe, expect, test } from 'vitest'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { listScenarios } from '../helpers/fakes/scenario/load.ts'
import { drawn } from '../helpers/matrix.ts'
import { type Asked, ask } from './ask.ts'
import { wires } from './wires.ts'

type Result = 'whole' | 'words' | 'cut off' | 'refused' | 'blank' | 'failed'

const expected: Readonly<Record<string, readonly Result[]>> = {
  blank: ['blank', 'whole'],
  cut: ['failed', 'whole'],
  'empty-body': ['failed', 'whole'],
  'error-event': ['failed', 'whole'],
  'everything-fails': [
    'failed',
    'failed',
    'failed',
    'failed',
    'failed',
    'failed',
    'failed',
    'failed',
    'whole',
  ],
  fenced: ['words', 'words'],
  garbage: ['failed', 'whole'],
  good: ['whole', 'whole'],
  looping: ['whole', 'whole'],
  malicious: ['whole', 'whole', 'whole', 'whole', 'cut off', 'cut off', 'whole', 'whole'],
  overloaded: ['failed', 'failed', 'whole'],
  prose: ['words', 'words'],
  quota: ['failed', 'failed'],
  'rate-limited': ['failed', 'failed', 'whole'],
  'rate-limited-long': ['failed', 'failed'],
  refusing: ['refused', 'refused'],
  repaired: ['whole', 'whole'],
  reset: ['failed', 'whole'],
  'server-error': ['failed', 'whole'],
  silent: ['failed', 'failed'],
  slow: ['whole'],
  'small-account': ['whole', 'whole', 'whole', 'failed'],
  stalled: ['failed', 'whole'],
  'think-tags': ['words', 'words'],
  thinking: ['whole', 'whole'],
  'trailing-comma': ['words', 'words'],
  truncated: ['cut off', 'whole'],
  'truncated-forever': ['cut off', 'cut off'],
  'web-page': ['failed', 'failed', 'whole'],
}

test('every file has its expectation', () => {
  expect(Object.keys(expected)).toEqual(listScenarios())
})

const played = wires.filter((wire) => wire.name === 'Anthropic Messages' || wire.name === 'OpenAI chat')

describe.each(drawn(played))('$name', (wire) => {
  test.each(Object.entries(expected))('%s', async (name, results) => {
    await using fake = await startFakeProvider(wire.kind, name, { now: () => 0 })
    const seen: Result[] = []
    for (const wanted of results) {
      // Nothing more comes of these; every other answer may take as long as a busy machine needs.
      const isMute = wanted === 'failed' && (name === 'silent' || name === 'stalled')
      const patience = isMute ? 120 : 50_000
      const settings = { abortSignal: AbortSignal.timeout(patience) }
      seen.push(nameResult(await ask({ model: wire.model(fake), structured: true, settings })))
    }
    expect(seen).toEqual(results)
    expect(fake.mistakes).toEqual([])
  })
})

function nameResult(asked: Asked): Result {
  if (asked.finishReason === 'content-filter') return 'refused'
  if (asked.finishReason === 'length') return 'cut off'
  if (asked.errors.length > 0 || asked.finishReason !== 'stop') return 'failed'
  if (asked.text === '') return 'blank'
  return isJson(asked.text) ? 'whole' : 'words'
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
