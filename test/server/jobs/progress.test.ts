/** What a meter shows of a job, by what it hears of it. */
import { expect, test } from 'vitest'
import { JobProgress, ProgressMeter } from '../../../src/server/jobs/progress.ts'

test('a job is followed from its collector to its publisher, with what it waits for', () => {
  let now = 0
  const meter = new ProgressMeter(() => now)
  expect(meter.current).toEqual({
    ...{ stage: 'collect', steps: null, files: null },
    ...{ calls: 0, usd: 0, waits: null },
  })
  meter.hear({ type: 'queued-for-processor' })
  expect(meter.current.waits).toBe('waits for a free processor')
  meter.hear({ type: 'role-start', role: 'analyzer' })
  expect(meter.current.waits).toBeNull()
  meter.hear({ type: 'stage', stage: 'review' })
  meter.hear({ type: 'progress', done: 3, total: 8, files: { done: 1, total: 5 } })
  meter.hear({ type: 'spent', usd: 0.5, unpricedCalls: 0 })
  meter.hear({ type: 'spent', usd: 0, unpricedCalls: 1 })
  meter.hear({ type: 'waits', ms: 1_000, why: 'waits for a model: rate limit' })
  const full = {
    ...{ stage: 'review', steps: { done: 3, total: 8 }, files: { done: 1, total: 5 } },
    ...{ calls: 2, usd: 0.5, waits: 'waits for a model: rate limit' },
  }
  expect(JobProgress.parse(meter.current)).toEqual(full)
  now = 1_000
  expect(meter.current.waits).toBeNull()
  // A role has read foreign text: a stage that there is none of changes nothing.
  meter.hear({ type: 'stage', stage: '<script>' })
  expect(meter.current).toEqual({ ...full, waits: null })
  meter.hear({ type: 'role-start', role: 'publisher' })
  expect(meter.current).toEqual({ ...full, stage: 'publish', steps: null, files: null, waits: null })
})
