/** A run on record with every kind of entry, and one text wherever a run keeps texts. */
import type { StoredRun } from '../../src/storage/runs/stored-run.ts'
import { sampleFinding, sampleReview } from '../helpers/sample-review.ts'

export const runName = '20261123-031500-abcdef'

export function recordedRun(text = 'plain', calls = 1): StoredRun {
  const startedAt = '2026-11-23T03:15:00.000Z'
  const review = sampleReview({ findings: [sampleFinding({ title: text.slice(0, 300), explanation: text })] })
  const object = JSON.stringify(review)
  const usage = { input: 1200, cacheRead: 200, cacheWrite: 100, output: 80, reasoning: 20 }
  const event = (at: number, body: Record<string, unknown>) => ({ type: 'event' as const, at, event: body })
  const answer = (at: number, kind: 'model' | 'tool' | 'embedding' | 'host-fetch', more: object) => ({
    ...{ type: 'answer' as const, at, kind, key: 'a'.repeat(64), role: null, address: text, target: text },
    ...{ status: 200, durationMs: 100, request: null, answer: null, bytes: 10, served: 'live' as const },
    ...more,
  })
  const modelCalls = Array.from({ length: calls }, (_, index) => {
    const address = `quick/group-${index}/review ${text}`
    const call = {
      ...{ role: 'reviewer', address, model: 'bedrock/amazon.nova-pro', usage, usd: 0.02, pricedAs: null },
      ...{ durationMs: 1500, served: 'live', outcome: index === 0 ? 'answered' : 'failed', reason: text },
    }
    return [
      event(2_000 + index, { type: 'model-call', call }),
      answer(2_000 + index, 'model', { role: 'reviewer', address, durationMs: 1500 }),
    ]
  }).flat()
  return {
    header: {
      ...{ format: 2, run: runName, startedAt, label: text, repository: `/home/somebody/${text}` },
      ...{ place: `github.com/acme/${text}/7`, depth: 'standard', versions: {}, options: { text } },
    },
    entries: [
      { type: 'start', header: {} as never },
      event(10, { type: 'stage-start', stage: 'context' }),
      answer(300, 'tool', { target: 'find_references', address: text }),
      answer(320, 'tool', { target: text, status: 500 }),
      answer(330, 'embedding', { role: 'embedder', served: 'record' }),
      answer(340, 'host-fetch', {}),
      event(400, { type: 'stage-end', stage: 'context', durationMs: 390, detail: text }),
      event(500, { type: 'stage-start', stage: 'review' }),
      event(600, { type: 'model-retry', address: text, reason: text, waitMs: 250 }),
      event(700, { type: 'plane-end', plane: text, durationMs: 90, candidates: 1 }),
      event(800, { type: 'finding-dropped', reason: text }),
      { type: 'note', at: 900, note: { type: text, address: text, detail: text } },
      ...modelCalls,
      event(3_000, { type: 'stage-end', stage: 'review', durationMs: 2_500, detail: text }),
      {
        ...{ type: 'end', at: 3_100, review: 'b'.repeat(64), reads: null, parts: [], sealed: null },
        ...{ findings: 1, usd: 0.02, unpricedCalls: 0, complete: true },
      },
    ],
    lines: [],
    damage: null,
    isOpen: false,
    object: async () => object,
    measure: async () => ({ bytes: 0, missing: 0 }),
  } as StoredRun
}
