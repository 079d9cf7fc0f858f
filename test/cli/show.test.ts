/** What `show` makes of a run whose texts are foreign: hidden characters are seen, odd events do not break it. */
import { expect, test } from 'vitest'
import { describeExchange, describeRun } from '../../src/cli/output/run-timeline.ts'
import type { RunExchange, RunTrace } from '../../src/index.ts'

const trace = {
  summary: {
    header: {
      format: 1,
      run: '20261121-061502-3fa94c',
      startedAt: '2026-11-21T06:15:02.000Z',
      label: 'commit \u001b[31m1',
      repository: '/r\u202e',
      place: 'local/r/1',
      depth: 'quick',
      versions: { sightline: '0.1.0' },
      options: {},
    },
    state: 'finished',
    durationMs: 1500,
    findings: 1,
    calls: 2,
    usd: 0.5,
    unpricedCalls: 1,
    complete: true,
    bytes: 1000,
    damage: 'line 3 of 9 of its log is damaged',
  },
  entries: [
    { type: 'event', at: 10, event: { type: 'stage-end', stage: 'diff', durationMs: 5, detail: '' } },
    { type: 'event', at: 11, event: { type: 'stage-start', stage: 'context' } },
    { type: 'event', at: 12, event: { type: 'model-call', call: null } },
    { type: 'event', at: 13, event: { type: 'of-a-later-version', words: 'a\u200bb' } },
    { type: 'note', at: 14, note: { type: 'repair', address: 'quick/group-1/review' } },
  ],
  exchanges: [],
  address: null,
} as unknown as RunTrace

test('a timeline shows what is hidden and survives what it does not know', () => {
  const shown = describeRun(trace)
  expect(shown.replaceAll('\n', '')).toMatch(/^[^\p{Cc}\p{Cf}]*$/u)
  expect(shown).toContain('commit ⟦U+001B⟧[31m1 in /r⟦U+202E⟧')
  expect(shown).toContain('cost     $0.5000 and 1 call of unknown price')
  expect(shown).toContain('damage   line 3 of 9')
  expect(shown.trimEnd().split('\n').slice(-4)).toEqual([
    '    0.01 s  diff (5 ms)',
    '    0.01 s  model-call: {"call":null}',
    '    0.01 s  of-a-later-version: {"words":"a⟦U+200B⟧b"}',
    '    0.01 s  repair quick/group-1/review: {}',
  ])
})

test('an exchange has its texts on lines of their own, and backslashes as they were', () => {
  const exchange = {
    entry: { kind: 'model', address: 'a', target: 'http://x', status: 200, served: 'live', durationMs: 3.4 },
    request: { body: JSON.stringify({ text: 'one\ntwo C:\\new\u202e' }) },
    answer: null,
  } as unknown as RunExchange
  expect(describeExchange(exchange)).toBe(
    'model a: http://x, status 200, live, 3 ms\n\nSent:\n{\n  "text": "one\ntwo C:\\\\new⟦U+202E⟧"\n}\n\nReceived:\nnot kept\n',
  )
})
