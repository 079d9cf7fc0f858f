/** The second look, end to end at depth standard: over the wire, told in the output, replayed without a provider. */
import { expect, test } from 'vitest'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { sightline } from '../helpers/sightline.ts'
import { emptyAnswer, fakeEnvironment, nothingMore, retryRepo, waitFinding } from './quick-world.ts'

const done: CodedStep = {
  answer: 'good',
  when: { contains: 'You gather context' },
  times: 'always',
  value: { reasoning: 'all is there', tools: [], done: true },
}
const found: CodedStep = {
  answer: 'good',
  when: { contains: 'Review these files.' },
  value: {
    ...emptyAnswer,
    findings: [
      waitFinding,
      {
        ...waitFinding,
        file: 'src/delay.ts',
        tags: [{ $tagAt: 'base = 250' }],
        evidence: [{ id: { $tagAt: 'base = 250' }, quote: 'base = 250' }],
        title: 'Nobody uses the base',
        category: 'maintainability',
        severity: 'medium',
      },
    ],
  },
}
const judged = (title: string, answer: object): CodedStep => ({
  answer: 'good',
  when: { contains: ['Try to refute it:', title] },
  value: { ...nothingMore, ...answer },
})
const upheld = judged('The first wait is the longest one', {
  quotes: [{ id: { $tagAt: 'delayFor(attempts - attempt)' }, quote: 'attempts - attempt', bears: 'for' }],
  reason: 'It counts down.',
  judgement: 'upheld',
})
const refuted = judged('Nobody uses the base', {
  quotes: [
    {
      id: { $evidenceAt: 'the lines around the finding' },
      quote: 'const ms = base * 2 ** attempt',
      bears: 'against',
    },
  ],
  reason: 'The next function uses it.',
  judgement: 'refuted',
})

async function review(steps: CodedStep[], env: Record<string, string> = {}) {
  await using fake = await startFakeProvider('anthropic', { steps })
  const repo = retryRepo()
  const all = {
    ...fakeEnvironment(fake),
    XDG_STATE_HOME: temporaryFolder(),
    XDG_CACHE_HOME: temporaryFolder(),
    ...env,
  }
  const first = await sightline(
    ['review', 'HEAD', '--repo', repo.path, '--depth', 'standard', '--json', '--quiet'],
    { env: all },
  )
  return { first, json: JSON.parse(first.stdout), calls: fake.calls, mistakes: fake.mistakes, env: all }
}

type Told = { finding: string; outcome: string; reason: string; citations: { evidence: string }[] }

test('what is refuted by words that stand there is dropped and told; what is upheld says so; replay is the same', async () => {
  const { first, json, calls, mistakes, env } = await review([done, found, upheld, refuted])
  expect(mistakes).toEqual([])
  expect(first.stderr).toBe('')
  expect(json.findings.map(({ title }: { title: string }) => title)).toEqual([
    'The first wait is the longest one',
  ])
  expect(json.findings[0].verifiedBy).toContain('an independent check could not refute it')
  expect(
    json.verdicts.map(({ outcome, step, reason }: Record<string, string>) => [outcome, step, reason]),
  ).toContainEqual(['dropped', 'refutation', 'An independent check refuted it: The next function uses it.'])
  const told: Told[] = json.refutations
  expect(told.map(({ outcome }) => outcome).sort()).toEqual(['refuted', 'upheld'])
  const ids = new Set(json.evidence.map(({ id }: { id: string }) => id))
  expect(told.flatMap(({ citations }) => citations).every(({ evidence }) => ids.has(evidence))).toBe(true)
  expect(json.models.prompts).toContain('refute@2')

  const prompts = calls
    .map(({ call }) => call.prompt)
    .filter((prompt) => prompt.includes('Try to refute it:'))
  expect(prompts).toHaveLength(2)
  for (const prompt of prompts) {
    expect(prompt.indexOf('The evidence:')).toBeLessThan(prompt.indexOf('The finding:'))
    expect(prompt.slice(prompt.indexOf('The finding:'))).not.toMatch(/\b(?:high|medium|likely|possible)\b/)
    expect(prompt).not.toContain('perfectly safe')
  }
  const shown = (await sightline(['show', 'last'], { env })).stdout
  expect(shown).toContain('refute/C')
  const again = await sightline(['replay', 'last', '--json'], { env })
  expect(again.stderr).toBe('')
  expect(again.stdout).toBe(first.stdout)
})

test('a provider that answers the second look with nothing but prose, refusals or silence drops nothing', async () => {
  const steps: CodedStep[] = [
    done,
    found,
    { answer: 'refusal', value: '', when: { contains: ['Try to refute it:', 'Nobody uses the base'] } },
    {
      answer: 'prose',
      value: 'All of this is wrong.',
      when: { contains: ['Try to refute it:', 'The first wait is the longest one'] },
      times: 'always',
    },
  ]
  const { json } = await review(steps)
  expect(json.findings).toHaveLength(2)
  expect(json.refutations.map(({ outcome }: Told) => outcome)).toEqual(['undecided', 'undecided'])
  expect(json.confidence.score).toBeLessThan(5)
})

test('a look-up settles a finding, support beyond its quotes restores a high severity, and both replay', async () => {
  const wanted = {
    what: 'references',
    file: '',
    symbol: 'base',
    line_start: null,
    line_end: null,
    side: null,
  }
  const asks = judged('Nobody uses the base', {
    quotes: [],
    reason: 'Who uses it is not shown.',
    judgement: 'undecided',
    look_up: wanted,
  })
  const settles: CodedStep = {
    answer: 'good',
    when: { contains: ['This was the only look-up.', 'Nobody uses the base'] },
    value: {
      ...nothingMore,
      quotes: [{ id: { $evidenceAt: 'find_references::' }, quote: 'base * 2 ** attempt', bears: 'against' }],
      reason: 'It is used.',
      judgement: 'refuted',
    },
  }
  const supported = judged('The first wait is the longest one', {
    quotes: [
      {
        id: { $evidenceAt: 'the function `retry` around the finding' },
        quote: 'for (let attempt = 0; attempt < attempts; attempt++)',
        bears: 'for',
      },
    ],
    reason: 'It counts up from zero.',
    judgement: 'upheld',
    severity: 'high',
  })
  const { first, json, calls, mistakes, env } = await review([done, found, settles, supported, asks])
  expect(mistakes).toEqual([])
  expect(json.refutations.map(({ outcome }: Told) => outcome).sort()).toEqual(['refuted', 'upheld'])
  const lookUp = json.refutations.find(({ outcome }: Told) => outcome === 'refuted')
  expect(lookUp.lookUp).toBe('find_references::{"symbol":"base"}')
  expect(json.findings).toMatchObject([{ title: 'The first wait is the longest one', severity: 'high' }])
  expect([json.conclusion.word, first.code]).toEqual(['REQUEST_CHANGES', 1])

  const [before, after] = calls
    .map(({ call }) => call.prompt)
    .filter((prompt) => prompt.includes('The finding:') && prompt.includes('Nobody uses the base'))
  expect(after?.startsWith(before ?? '?')).toBe(true)
  expect((await sightline(['show', 'last'], { env })).stdout).toContain('refute/find_references')
  const again = await sightline(['replay', 'last', '--json'], { env })
  expect(again.stderr).toBe('')
  expect(again.stdout).toBe(first.stdout)
})
