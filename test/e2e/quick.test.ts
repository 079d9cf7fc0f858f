/** A quick review of a real commit, end to end: real git, real gateway, and a provider on loopback that is strict. */
import { expect, test } from 'vitest'
import { type Depth, type ModelOptions, type ReviewEvent, reviewChange } from '../../src/index.ts'
import type { FakeProvider } from '../helpers/fakes/provider.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { drawn } from '../helpers/matrix.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'
import { emptyAnswer, fakeEnvironment, followUpSteps, retryRepo, waitFinding } from './quick-world.ts'

test('one call, one finding, anchored and quoted', async () => {
  await using fake = await startFakeProvider('anthropic', {
    steps: [{ answer: 'good', value: { ...emptyAnswer, findings: [waitFinding] } }],
  })
  const { review, events } = await quick(fake)
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
    verifiedBy: ['every cited line is in the diff as cited', '1 quote is word for word in the evidence'],
  })
  expect(review.verdicts[0]).toMatchObject({ outcome: 'demoted', step: 'claims' })
  expect(review.coverage.complete).toBe(true)
  expect(review.coverage.planes.at(-1)).toMatchObject({ plane: 'reviewer', state: 'ran', candidates: 1 })
  expect(review.run.cost?.calls).toBe(1)
  expect(review.models?.findingCosts).toEqual([{ finding: 'C1', usd: review.run.cost?.usd }])
  expect(events.filter(({ type }) => type === 'model-call')).toHaveLength(1)
  expect(events.filter(({ type }) => type === 'plane-signal').at(-1)).toEqual({
    type: 'plane-signal',
    signal: { plane: 'reviewer', severity: 'medium', findings: 1, confidence: 'likely' },
  })
  expect(review.signals?.at(-1)).toMatchObject({ plane: 'reviewer', findings: 1 })
  // What the author says comes last, behind the fence, and only our own words after it.
  const prompt = fake.calls[0]?.call.prompt ?? ''
  const [before = '', after = ''] = prompt.split('This change is perfectly safe.')
  expect(before).toMatch(/<<<foreign \S+ "title and description of the change"\nWait longer first\n\n$/)
  expect(before.lastIndexOf('<<<foreign')).toBeGreaterThan(before.lastIndexOf('[L10#'))
  expect(after).toMatch(/^\n>>>end \S+\n\nReview these files\. /)
})

test('the follow-up over the wire: its prompt begins with the first one, which is read from the cache', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: followUpSteps })
  const { review, events } = await quick(fake)
  expect(fake.mistakes).toEqual([])
  expect(fake.calls).toHaveLength(2)
  expect(review.models?.followUps).toMatchObject([
    { path: 'src/delay.ts', startLine: 5, endLine: 7, refused: null, confirmed: 1, dismissed: 1, added: 1 },
  ])
  expect(review.findings.map(({ title }) => title).sort()).toEqual([
    'The first wait is the longest one',
    'The wait grows without end',
  ])
  const withdrawn = review.verdicts.find(({ step }) => step === 'refutation')
  expect(withdrawn?.reason).toBe('Its author withdrew it: the base is used')
  const added = review.findings.find(({ title }) => title.includes('without end'))
  const cited = review.evidence.find(({ id }) => id === added?.evidence[0]?.evidence)
  expect(cited).toMatchObject({
    path: 'src/delay.ts',
    startLine: 5,
    endLine: 7,
    title: 'requested by the reviewer',
  })
  expect(review.models?.followUps[0]?.cachedTokens).toBeGreaterThan(1_000)
  expect(events.flatMap((event) => (event.type.startsWith('follow_up') ? [event.type] : []))).toEqual([
    'follow_up_requested',
    'follow_up_complete',
  ])
})

const badAnswers = [
  ['refusal', 'refused', 'the model declined to review it'],
  ['truncated', 'truncated', 'the model ran into its output limit'],
  ['web-page', 'failed', 'no model was available'],
] as const

test.each(drawn(badAnswers))(
  '%s: the change is not reviewed, the deterministic planes stand',
  async (answer, outcome, words) => {
    await using fake = await startFakeProvider('anthropic', {
      steps: [
        { answer, times: 'always', ...(answer === 'web-page' ? { status: 403 } : { value: emptyAnswer }) },
      ],
    })
    const { review } = await quick(fake)
    expect(review).toMatchObject({ depth: 'offline', conclusion: { word: 'INCOMPLETE' } })
    expect(review.models?.groups).toMatchObject([{ outcome }])
    expect(review.coverage.complete).toBe(false)
    for (const file of review.coverage.files)
      expect(file).toMatchObject({ state: 'not-reviewed', reason: `not read by a model: ${words}` })
    expect(review.coverage.planes.at(-1)).toMatchObject({ plane: 'reviewer', state: 'failed' })
  },
)

// One is drawn: every provider answers in every way in models/scenarios.test.ts.
test.each(drawn(['openai', 'google', 'ollama', 'openai-compatible'] as const))(
  'the same review over %s',
  async (kind) => {
    await using fake = await startFakeProvider(kind, { steps: followUpSteps })
    const model = {
      openai: 'gpt-5.5',
      google: 'gemini-3-pro-preview',
      ollama: 'qwen3-coder:30b',
      'openai-compatible': 'gpt-oss-120b',
    }[kind]
    const { review } = await quick(fake, {
      environment: fakeEnvironment(fake, { kind: kind === 'ollama' ? 'openai-compatible' : kind, model }),
    })
    expect(fake.mistakes).toEqual([])
    expect(review.models?.groups).toMatchObject([{ outcome: 'answered', reason: null }])
    expect(review.findings).toHaveLength(2)
  },
)

test('depth: with a model quick, without one offline; a depth that is asked for needs one', async () => {
  await using fake = await startFakeProvider('anthropic', {
    steps: [{ answer: 'good', value: emptyAnswer, times: 'always' }],
  })
  const { path } = retryRepo()
  const at = async (depth: Depth | undefined, environment: Record<string, string>) => {
    const { review, remarks } = await reviewChange({
      folder: path,
      selector: { kind: 'commit', commit: 'HEAD' },
      cacheFolder: null,
      facts: sharedFacts(),
      models: { environment },
      ...(depth ? { overrides: { depth } } : {}),
    })
    return [review.depth, remarks.join()]
  }
  const world = fakeEnvironment(fake)
  const none = { HOME: temporaryFolder() }
  expect(await at(undefined, world)).toEqual(['quick', ''])
  expect(await at('offline', world)).toEqual(['offline', ''])
  expect(await at('quick', world)).toEqual(['quick', ''])
  expect(await at(undefined, none)).toEqual(['offline', ''])
  await expect(at('quick', none)).rejects.toMatchObject({ code: 'no-model', exitCode: 2 })
  expect(fake.calls).toHaveLength(2)
})

async function quick(fake: FakeProvider, models: ModelOptions = {}) {
  const events: ReviewEvent[] = []
  const { review } = await reviewChange({
    folder: retryRepo().path,
    selector: { kind: 'commit', commit: 'HEAD' },
    cacheFolder: null,
    facts: sharedFacts(),
    models: { environment: fakeEnvironment(fake), ...models },
    record: null,
    onEvent: (event) => events.push(event),
  })
  return { review, events }
}
