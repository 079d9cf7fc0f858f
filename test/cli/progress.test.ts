/** What people, logs and programs see of the same events. */
import { expect, test, vi } from 'vitest'
import { createEstimate, showBar } from '../../src/cli/progress/bar.ts'
import { chooseProgress, showEvents } from '../../src/cli/progress/choose.ts'
import { showLines } from '../../src/cli/progress/lines.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import type { ReviewEvent } from '../../src/index.ts'

const story: ReviewEvent[] = [
  { type: 'stage-start', stage: 'collect' },
  { type: 'stage-end', stage: 'collect', durationMs: 12.4, detail: '3 files' },
  { type: 'run-start', label: 'branch \u001b[31mevil\u202e against main' },
  { type: 'stage-start', stage: 'context' },
  { type: 'stage-progress', stage: 'context', done: 1, total: 2 },
  { type: 'plane-end', plane: 'secrets', candidates: 1, durationMs: 3 },
  { type: 'stage-end', stage: 'context', durationMs: 40, detail: '' },
  { type: 'run-end', findings: 1, complete: false, durationMs: 60 },
]

function terminal(animated: boolean): Terminal & { notes: string[] } {
  const notes: string[] = []
  return {
    notes,
    animated,
    isJob: false,
    width: 60,
    room: 60,
    result: async () => {},
    note: (text) => void notes.push(text),
    colors: () => false,
  }
}

test('the bar is there at once, keeps to one line and is taken away', () => {
  vi.useFakeTimers()
  try {
    const drawn: string[] = []
    const view = showBar(
      (text) => void drawn.push(text),
      () => 50,
    )
    expect(drawn).toHaveLength(1)
    for (const event of story.slice(0, 5)) view.onEvent(event)
    vi.advanceTimersByTime(150)
    expect(drawn.at(-1)).toContain('context  1 of 2 files')
    view.end()
    expect(drawn.at(-1)).toBe('\r\u001b[K')
    const count = drawn.length
    vi.advanceTimersByTime(1_000)
    expect(drawn).toHaveLength(count)
    for (const line of drawn) {
      expect(line).not.toContain('\n')
      expect(line.replace('\u001b[K', '').length).toBeLessThanOrEqual(50)
    }
  } finally {
    vi.useRealTimers()
  }
})

test('time left is told only when there is something to go by, and progress never goes back', () => {
  const estimate = createEstimate()
  expect(estimate.restMs(10_000)).toBeNull()
  const seen: number[] = []
  for (const [index, event] of story.entries()) {
    estimate.hear(event, 1_000 * (index + 1))
    seen.push(estimate.fraction())
  }
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  expect(seen.at(-1)).toBeCloseTo(0.6)
  // Six tenths were done after seven seconds; from there it counts down, and then says nothing.
  expect(estimate.restMs(500)).toBeNull()
  expect(estimate.restMs(8_000)).toBeCloseTo(3_667, -1)
  expect(estimate.restMs(11_000)).toBeCloseTo(667, -1)
  expect(estimate.restMs(12_000)).toBeNull()
})

test('lines make foreign text visible and say nothing where there is nothing to say', () => {
  const written: string[] = []
  const view = showLines((text) => void written.push(text))
  for (const event of story) view.onEvent(event)
  expect(written).toEqual([
    'sightline: collect: 3 files (12 ms)\n',
    'sightline: reviewing branch ⟦U+001B⟧[31mevil⟦U+202E⟧ against main\n',
    'sightline: plane secrets: 1 candidate (3 ms)\n',
    'sightline: context (40 ms)\n',
    'sightline: 1 finding, incomplete (60 ms)\n',
  ])
})

test('events are one line of JSON each, without a character that a terminal obeys', () => {
  const written: string[] = []
  const view = showEvents((text) => void written.push(text))
  for (const event of story) view.onEvent(event)
  expect(written.map((line) => JSON.parse(line))).toEqual(story)
  for (const line of written) expect(line).toMatch(/^[^\p{Cc}\p{Cf}]+\n$/u)
})

test('who sees what', () => {
  const flags = { progress: false, quiet: false, verbose: false }
  const shown = (given: Partial<typeof flags>, animated: boolean) => {
    const screen = terminal(animated)
    const view = chooseProgress({ ...flags, ...given }, screen)
    for (const event of story) view.onEvent(event)
    view.end()
    return screen.notes.join('')
  }
  expect(shown({}, true)).toContain('── starting')
  expect(shown({}, false)).toBe('')
  expect(shown({ quiet: true }, true)).toBe('')
  expect(shown({ verbose: true }, true)).not.toContain('\r')
  expect(shown({ progress: true }, true)).toMatch(/^\{"type"/)
})
