/** The second look, end to end at depth standard: over the wire, told in the output, replayed without a provider. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { type Judged, judging, refuteWords } from '../helpers/judge-answer.ts'
import { ownFolders, sightline } from '../helpers/sightline.ts'
import { emptyAnswer, fakeEnvironment, retryRepo, unusedBase, waitFinding } from './quick-world.ts'

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
    findings: [waitFinding, { ...unusedBase, severity: 'medium' }],
  },
}
const [longest, unused] = ['The first wait is the longest one', 'Nobody uses the base'] as const
const upheld: Judged = {
  quotes: [{ id: { $tagAt: 'delayFor(attempts - attempt)' }, quote: 'attempts - attempt', bears: 'for' }],
  reason: 'It counts down.',
  judgement: 'upheld',
}
const refuted: Judged = {
  quotes: [
    {
      id: { $evidenceAt: 'the lines around the finding' },
      quote: 'const ms = base * 2 ** attempt',
      bears: 'against',
    },
  ],
  reason: 'The next function uses it.',
  judgement: 'refuted',
}

async function review(steps: CodedStep[], env: Record<string, string> = {}) {
  await using fake = await startFakeProvider('anthropic', { steps })
  const repo = retryRepo()
  const all = {
    ...fakeEnvironment(fake),
    ...ownFolders(),
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
  const { first, json, calls, mistakes, env } = await review([
    done,
    found,
    judging({ [longest]: upheld, [unused]: refuted }),
    // It is high, so it is judged once more.
    judging({ [longest]: upheld }),
  ])
  expect(mistakes).toEqual([])
  expect(first.stderr).toBe('')
  expect(json.findings.map(({ title }: { title: string }) => title)).toEqual([longest])
  expect(json.findings[0].verifiedBy).toContain('an independent check could not refute it')
  expect(
    json.verdicts.map(({ outcome, step, reason }: Record<string, string>) => [outcome, step, reason]),
  ).toContainEqual(['dropped', 'refutation', 'An independent check refuted it: The next function uses it.'])
  const told: Told[] = json.refutations
  expect(told.map(({ outcome }) => outcome).sort()).toEqual(['refuted', 'upheld'])
  const ids = new Set(json.evidence.map(({ id }: { id: string }) => id))
  expect(told.flatMap(({ citations }) => citations).every(({ evidence }) => ids.has(evidence))).toBe(true)
  expect(json.models.prompts).toContain('refute@7')

  const [prompt = '', ...others] = calls
    .map(({ call }) => call.prompt)
    .filter((one) => one.includes(refuteWords))
  expect(others).toEqual([expect.stringContaining(longest)])
  expect(others[0]).not.toContain(unused)
  expect(prompt.indexOf('The evidence,')).toBeLessThan(prompt.indexOf('The findings:'))
  expect(prompt.slice(prompt.indexOf('The findings:'))).not.toMatch(/\b(?:high|medium|likely|possible)\b/)
  expect(prompt).not.toContain('perfectly safe')
  const shown = (await sightline(['show', 'last'], { env })).stdout
  expect(shown).toContain('refute/C')
  const again = await sightline(['replay', 'last', '--json'], { env })
  expect(again.stderr).toBe('')
  expect(again.stdout).toBe(first.stdout)
})

const asksWhoUses: Judged = {
  quotes: [],
  reason: 'Who uses it is not shown.',
  judgement: 'undecided',
  look_up: { what: 'references', file: '', symbol: 'base', line_start: null, line_end: null, side: null },
}
const settles: CodedStep = judging(
  {
    [unused]: {
      quotes: [{ id: { $evidenceAt: 'find_references::' }, quote: 'base * 2 ** attempt', bears: 'against' }],
      reason: 'It is used.',
      judgement: 'refuted',
    },
  },
  null,
  { when: { lastTurnContains: 'These were the only look-ups.' } },
)
const supported: Judged = {
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
}

/** The same line: the second question has its evidence in another order. */
const supportedAgain: Judged = {
  ...supported,
  quotes: supported.quotes.map((quote) => ({
    ...quote,
    id: { $evidenceAt: 'for (let attempt = 0; attempt < attempts; attempt++)' },
  })),
}

test('a look-up settles a finding, support beyond its quotes restores a high severity, and both replay', async () => {
  const { first, json, calls, mistakes, env } = await review([
    done,
    found,
    settles,
    judging({ [longest]: supported, [unused]: asksWhoUses }),
    judging({ [longest]: supportedAgain }),
  ])
  expect(mistakes).toEqual([])
  expect(json.refutations.map(({ outcome }: Told) => outcome).sort()).toEqual(['refuted', 'upheld'])
  const lookUp = json.refutations.find(({ outcome }: Told) => outcome === 'refuted')
  expect(lookUp.lookUp).toBe('find_references::{"symbol":"base"}')
  expect(json.findings).toMatchObject([{ title: longest, severity: 'high' }])
  expect([json.conclusion.word, first.code]).toEqual(['REQUEST_CHANGES', 1])

  const [before, after] = calls
    .map(({ call }) => call.prompt)
    .filter((prompt) => prompt.includes('The findings:') && prompt.includes(unused))
  expect(after?.startsWith(before ?? '?')).toBe(true)
  expect((await sightline(['show', 'last'], { env })).stdout).toContain('refute/find_references')
  const again = await sightline(['replay', 'last', '--json'], { env })
  expect(again.stderr).toBe('')
  expect(again.stdout).toBe(first.stdout)
})

test('a review that ends between the two turns of a judge goes on with the second', async () => {
  const cut = temporaryFolder()
  const state = temporaryFolder()
  // As the record is when the second question arrives.
  const whileAsked: CodedStep = {
    ...settles,
    answerFrom(call) {
      cpSync(state, cut, { recursive: true })
      // Whoever asks at this moment is the process that is about to end.
      rmSync(join(cut, 'sightline', 'claims'), { recursive: true })
      return settles.answerFrom?.(call)
    },
  }
  const asks = judging({ [longest]: supported, [unused]: asksWhoUses })
  await using fake = await startFakeProvider('anthropic', {
    steps: [
      done,
      found,
      whileAsked,
      asks,
      judging({ [longest]: supportedAgain }),
      settles,
      judging({ [longest]: supportedAgain }),
    ],
  })
  const { path } = retryRepo()
  const args = ['review', 'HEAD', '--repo', path, '--depth', 'standard', '--json', '--quiet']
  const run = async (home: string) => {
    const env = { ...fakeEnvironment(fake), XDG_STATE_HOME: home, XDG_CACHE_HOME: temporaryFolder() }
    return JSON.parse((await sightline(args, { env })).stdout)
  }
  const whole = await run(state)
  expect(whole.refutations.map(({ outcome }: Told) => outcome).sort()).toEqual(['refuted', 'upheld'])
  const paid = fake.calls.length
  const rest = await run(cut)
  expect(fake.mistakes).toEqual([])
  expect(fake.calls.slice(paid)).toHaveLength(2)
  for (const part of ['findings', 'refutations', 'verdicts', 'evidence'])
    expect(rest[part], part).toEqual(whole[part])
})
