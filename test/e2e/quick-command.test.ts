/** The command with a model: what it asks, what it may cost, and how it says so. */
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askYesNo } from '../../src/cli/input/ask.ts'
import { formats, Review } from '../../src/index.ts'
import type { FakeProvider } from '../helpers/fakes/provider.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { sightline } from '../helpers/sightline.ts'
import { emptyAnswer, fakeEnvironment, followUpSteps, retryRepo, waitFinding } from './quick-world.ts'

let cwd = ''
const started: FakeProvider[] = []
beforeAll(() => {
  cwd = retryRepo('keep').path
})
afterAll(() => Promise.all(started.map((fake) => fake.close())))

async function withFake(steps: Parameters<typeof startFakeProvider>[1], more: { settings?: string } = {}) {
  const fake = await startFakeProvider('anthropic', steps)
  started.push(fake)
  const env = { ...fakeEnvironment(fake, more), XDG_STATE_HOME: temporaryFolder() }
  const review = (...args: string[]) => sightline(['review', '--no-cache', 'HEAD', ...args], { cwd, env })
  return { fake, review }
}

const one = {
  steps: [{ answer: 'good', value: { ...emptyAnswer, findings: [waitFinding] }, times: 'always' }],
} as const

test('the report tells what models cost, by role and by finding', async () => {
  const { fake, review } = await withFake(one)
  const { code, stdout: json, stderr } = await review('--json')
  expect([code, stderr]).toEqual([0, ''])
  const told = Review.parse(JSON.parse(json))
  const [stdout, markdown] = (['terminal', 'markdown'] as const).map((name) =>
    formats[name](told, { color: false, width: 120, explain: false, maxInline: 8 }),
  )
  expect(markdown).toContain('<summary>Models and cost</summary>')
  expect(stdout).toContain('depth quick')
  expect(stdout).toMatch(
    /Models {2}reviewer fake\/claude-sonnet-5-5: 1 call, \d+ tokens in, \d+ out, \$0\.\d{4}/,
  )
  expect(stdout).toMatch(/\$0\.\d{4} for each of 1 finding by a model/)
  expect(stdout).toMatch(/reported by the reviewer model, \$0\.\d{4}/)
  const { run, models } = told
  expect(run.cost?.byRole).toMatchObject([{ role: 'reviewer', model: 'fake/claude-sonnet-5-5', calls: 1 }])
  expect(models?.findingCosts).toEqual([{ finding: 'C1', usd: run.cost?.usd }])
  expect(fake.mistakes).toEqual([])
})

test('--estimate tells what it would take, and sends nothing', async () => {
  const { fake, review } = await withFake(one)
  const words = await review('--estimate')
  expect(words.code).toBe(0)
  expect(words.stdout).toMatch(
    /^1 question \(at most \d+ tokens in, 12000 out\) to fake\/claude-sonnet-5-5: at most \$0\.\d+\.\nIf every question has a follow-up, at most \$0\.\d+ more .*\nNothing was sent\.\n$/,
  )
  expect((await review('--estimate', '--depth', 'offline')).stdout).toContain(
    'This review would use no model',
  )
  const standard = await review('--estimate', '--depth', 'standard')
  expect(standard.stdout).toMatch(/Before that, up to \d+ requests to gather context: at most \$/)
  expect(standard.stdout).toMatch(
    /Independent checks of the findings, usually at most 4 requests: \$\d+\.\d+ more \(/,
  )
  expect(fake.requests).toEqual([])
})

test('--budget is a hard stop: nothing beyond it is asked, and the exit code says so', async () => {
  const { fake, review } = await withFake(one)
  const { code, stdout } = await review('--budget', '0.01', '--json')
  expect(code).toBe(5)
  expect(fake.calls).toEqual([])
  const { depth, coverage, models, run } = JSON.parse(stdout)
  expect(depth).toBe('offline')
  expect(models.groups).toMatchObject([{ outcome: 'over-budget' }])
  expect(coverage.files[0].reason).toContain('the budget does not allow it')
  expect(run.cost).toMatchObject({ calls: 0, usd: 0 })
  expect((await review('--budget', 'much')).stderr).toContain('not an amount in US dollars')
})

test('a budget that ends before the follow-up keeps what was found', async () => {
  // The first answer is a long one, so that too little is left for a second at its full length.
  const [first, second] = followUpSteps
  if (!first || !second) throw new Error('there are two steps')
  const { fake, review } = await withFake({
    steps: [{ ...first, thinking: 'and so on '.repeat(2_500) } as typeof first, second],
  })
  const { code, stdout } = await review('--budget', '0.21', '--json')
  expect(fake.calls).toHaveLength(1)
  const { depth, findings, models, coverage } = JSON.parse(stdout)
  expect([code, depth, findings.length]).toEqual([0, 'quick', 2])
  expect(models.followUps).toMatchObject([{ outcome: 'over-budget', unmentioned: 2 }])
  expect(coverage.complete).toBe(true)
})

test('--no-agent and review.followUps ask one question only', async () => {
  const { fake, review } = await withFake({ steps: followUpSteps })
  const { stdout } = await review('--no-agent')
  expect(fake.calls).toHaveLength(1)
  expect(stdout.replace(/\s+/g, ' ')).toContain('was not made: follow-ups are switched off for this run')
})

test('progress: events for programs, lines for people', async () => {
  const { review } = await withFake({ steps: [...followUpSteps, ...followUpSteps] })
  const events = (await review('--progress', '--fresh')).stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.map(({ type }) => type).filter((type) => /model|follow/.test(type))).toEqual([
    'model-call',
    'follow_up_requested',
    'model-call',
    'follow_up_complete',
  ])
  expect(events.find(({ type }) => type === 'follow_up_complete')).toMatchObject({
    confirmed: 1,
    dismissed: 1,
    added: 1,
    refused: null,
  })
  const { stderr } = await review('--verbose', '--fresh')
  expect(stderr).toMatch(/sightline: quick\/group-1\/review: fake\/claude-sonnet-5-5, \d+ tokens in/)
  expect(stderr).toContain('sightline: follow-up: src/delay.ts:5-7: to see how long it waits')
  expect(stderr).toMatch(/sightline: follow-up: 1 confirmed, 1 dismissed, 1 new, \d+ tokens more/)
})

test('--model gives the role to another one; an unknown price is said to be unknown', async () => {
  const { fake, review } = await withFake(one)
  const { stdout } = await review('--model', 'reviewer=fake/claude-opus-5-5')
  expect(fake.calls.map(({ call }) => call.model)).toEqual(['claude-opus-5-5'])
  expect(stdout).toContain('reviewer fake/claude-opus-5-5: 1 call')
  const wrong = await review('--model', 'painter=fake/x')
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('is not ROLE=PROVIDER/MODEL')])
  const unpriced = await startFakeProvider('openai-compatible', {
    models: { homemade: {} },
    steps: [{ answer: 'good', value: emptyAnswer }],
  })
  started.push(unpriced)
  const { stdout: report } = await sightline(
    ['review', '--no-cache', 'HEAD', '--model', 'reviewer=fake/homemade'],
    {
      cwd,
      env: {
        ...fakeEnvironment(unpriced, { kind: 'openai-compatible', model: 'other' }),
        XDG_STATE_HOME: temporaryFolder(),
      },
    },
  )
  expect(report).toContain('1 call')
  expect(report).toContain('price unknown')
})

test.each([
  ['y\n', true],
  ['YES\n', true],
  ['n\n', false],
  ['\n', false],
  ['sure\n', false],
  [null, false],
])('the answer %j to a question of money means %s', async (typed, agreed) => {
  const input = new PassThrough()
  const output = new PassThrough()
  const answer = askYesNo('May it cost $1?', new AbortController().signal, { input, output })
  if (typed === null) input.end()
  else input.write(typed)
  expect(await answer).toBe(agreed)
  expect(output.read().toString()).toContain('May it cost $1? [y/N]')
})

test('an abort while asking is a no', async () => {
  const controller = new AbortController()
  const answer = askYesNo('Go on?', controller.signal, {
    input: new PassThrough(),
    output: new PassThrough(),
  })
  controller.abort()
  expect(await answer).toBe(false)
})
