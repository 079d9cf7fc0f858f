/** A fact for models is tried on recorded reviews by asking the models again: what they no longer say, and what they say then. */
import { expect, test } from 'vitest'
import { Review } from '../../src/index.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { sightline } from '../helpers/sightline.ts'
import { answersWith, deepWorld, quiet, tooMany, withQuietRest, wrongSum } from './deep-world.ts'

const refunds = 'Totals of refunds are subtracted on purpose.'
const pages = 'A page never shows more than two items.'

test('a fact that takes a wrong finding away is good, one that takes a right one away is refused', async () => {
  const says = (findings: readonly object[], facts: { refunds: boolean; pages: boolean }) => ({
    answer: 'good' as const,
    value: { ...quiet, findings },
    if: (call: Parameters<ReturnType<typeof answersWith>>[0]) =>
      answersWith('author_questions')(call) &&
      call.prompt.includes(refunds) === facts.refunds &&
      call.prompt.includes(pages) === facts.pages,
    times: 'always' as const,
  })
  await using fake = await startFakeProvider('anthropic', {
    steps: withQuietRest([
      says([wrongSum], { refunds: false, pages: false }),
      says([], { refunds: true, pages: false }),
      says([wrongSum, tooMany], { refunds: false, pages: true }),
    ]),
  })
  const { repo, env, review } = await deepWorld(fake)
  const run = async (...args: string[]) => await sightline(args, { cwd: repo.path, env })
  const { findings } = Review.parse(JSON.parse((await review()).stdout))
  const [sum, ...others] = findings.filter(({ byModel }) => byModel)
  expect([sum?.title, others.length]).toEqual(['The total is subtracted', 0])
  const name = sum?.fingerprint.slice(0, 12) ?? ''
  await run('dismiss', name, '--as', 'wrong', '--because', 'refunds are subtracted')
  const propose = async (fact: string) => {
    const { stdout } = await run('memory', 'propose', fact, '--paths', 'src/**', '--json')
    const [{ note }] = JSON.parse(stdout) as [{ note: { path: string } }]
    return note.path.replace(/^.*\/|\.md$/g, '')
  }
  const [onRefunds, onPages] = [await propose(refunds), await propose(pages)]

  const asked = fake.calls.length
  const without = await run('memory', 'test', onRefunds)
  expect(without).toMatchObject({ code: 0, stdout: expect.stringContaining('--ask-models does that') })
  expect(fake.calls.length).toBe(asked)

  const good = await run('memory', 'test', onRefunds, '--ask-models')
  expect(good.stderr).toBe('sightline: 1 review gone through again\n')
  expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining('good: it would remove 1 finding') })
  expect(good.stdout).toMatch(/dismissed {2}wrong/)
  expect(fake.calls.length).toBeGreaterThan(asked)

  const more = await run('memory', 'test', onPages, '--ask-models')
  expect(more.stdout).toMatch(/added .*src\/page\.ts:4 {2}The page has three items/)

  await run('dismiss', name, '--as', 'accepted', '--because', 'it was a bug after all')
  const bad = await run('memory', 'accept', onRefunds, '--ask-models')
  expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('1 finding that was right') })
  expect(fake.mistakes).toEqual([])
})
