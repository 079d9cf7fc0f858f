/** A quick review of a real commit, end to end: real git, real gateway, and a provider on loopback that is strict. */
import { expect, test } from 'vitest'
import { type ReviewEvent, reviewChange } from '../../src/index.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { emptyAnswer, fakeEnvironment, retryRepo, waitFinding } from './quick-world.ts'

test('one call, one finding, anchored and quoted', async () => {
  await using fake = await startFakeProvider('anthropic', {
    steps: [{ answer: 'good', value: { ...emptyAnswer, findings: [waitFinding] } }],
  })
  const events: ReviewEvent[] = []
  const { review } = await reviewChange({
    folder: retryRepo().path,
    selector: { kind: 'commit', commit: 'HEAD' },
    cacheFolder: null,
    models: { environment: fakeEnvironment(fake) },
    onEvent: (event) => events.push(event),
  })
  expect(fake.mistakes).toEqual([])
  expect(review.depth).toBe('quick')
  expect(review.findings).toHaveLength(1)
  expect(review.findings[0]).toMatchObject({
    plane: 'reviewer',
    // As high as it was said to be, it rests on no claim that code could check.
    severity: 'medium',
    startLine: 10,
    side: 'new',
    byModel: true,
    verifiedBy: ['every cited line is in the diff as cited', '1 quote stands word for word in the evidence'],
  })
  expect(review.verdicts[0]).toMatchObject({ outcome: 'demoted', step: 'claims' })
  expect(review.coverage.complete).toBe(true)
  expect(review.coverage.planes.at(-1)).toMatchObject({ plane: 'reviewer', state: 'ran', candidates: 1 })
  expect(review.run.cost?.calls).toBe(1)
  expect(review.models?.findingCosts).toEqual([{ finding: 'C1', usd: review.run.cost?.usd }])
  expect(events.filter(({ type }) => type === 'model-call')).toHaveLength(1)
  const prompt = fake.calls[0]?.call.prompt ?? ''
  expect(prompt).not.toContain('perfectly safe')
})
