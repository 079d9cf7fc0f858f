/** A child that nobody asks any more: it gives its memory back, and whoever comes later starts another. */
import { expect, onTestFinished, test } from 'vitest'
import { ChildWorker, workerIn } from '../../../src/base/child-worker.ts'
import type { Batch, Reply } from '../../../src/pipeline/planes/rules/engine/protocol.ts'

test('a child ends once it has rested, and not while it works', async () => {
  const worker = workerIn('pipeline/planes/rules/engine')
  const child = await ChildWorker.start<Batch, Reply>(worker, { restMs: 300 })
  onTestFinished(() => child.end())
  const matcher = { rule: { pattern: 'eval($CODE)' } }
  const question = { id: 'a/b', matcher, captures: [], fix: null }
  // To load the engine alone takes longer than the rest.
  const texts = Array.from({ length: 200 }, (_, at) => ({ text: `eval("${at}")\n`, places: null }))
  const batch = { language: 'javascript', questions: [question], texts, mostMatches: 10 }
  const end = await child.run(batch, { start: 60_000, answer: () => 60_000 }, () => {})
  expect(end).toEqual({ type: 'done', next: texts.length })
  await expect.poll(() => child.isAlive, { timeout: 60_000 }).toBe(false)
})
