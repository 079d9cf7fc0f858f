/** Runs of one change that go on side by side ask each question once, also when the one that asks is killed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { sightline, sightlineProcess } from '../helpers/sightline.ts'
import { fakeEnvironment, followUpSteps, retryRepo } from './quick-world.ts'

type Answer = Extract<CodedStep, { answer: 'good' }>
const [question, followUp] = followUpSteps as [Answer, Answer]
/** The first step that fits answers, so the one that asks for more comes first. */
const second: CodedStep = { ...followUp, when: { lastTurnContains: 'the lines that you requested' } }

test('three runs at once pay for one, and find the same', async () => {
  const held = Promise.withResolvers<void>()
  await using fake = await startFakeProvider('anthropic', {
    steps: [
      { ...second, times: 'always' },
      { ...question, heldUntil: held.promise, times: 'always' },
    ],
  })
  const env = { ...fakeEnvironment(fake), XDG_STATE_HOME: temporaryFolder() }
  const { path } = retryRepo()
  const review = () =>
    sightline(['review', 'HEAD', '--repo', path, '--json', '--quiet'], {
      env: { ...env, XDG_CACHE_HOME: temporaryFolder() },
    })
  const runs = [review(), review(), review()]
  await until(() => logsIn(env.XDG_STATE_HOME).split('waits-for-another-run').length === runs.length)
  held.resolve()
  const done = await Promise.all(runs)
  expect(done.map(({ stderr }) => stderr)).toEqual(['', '', ''])
  const found = done.map(({ stdout }) => JSON.parse(stdout).findings)
  expect(found[0]).toHaveLength(2)
  expect(found).toEqual([found[0], found[0], found[0]])
  expect(fake.calls).toHaveLength(2)
  expect(fake.mistakes).toEqual([])
  expect(claimsIn(env.XDG_STATE_HOME)).toEqual([])
})

test('who waits for a run that is killed asks itself at once', async () => {
  await using fake = await startFakeProvider('anthropic', {
    steps: [
      { ...second, times: 'always' },
      { ...question, delivery: { kind: 'silence' } },
      { ...question, times: 'always' },
    ],
  })
  const state = temporaryFolder()
  const env = {
    ...fakeEnvironment(fake),
    XDG_STATE_HOME: state,
    XDG_CACHE_HOME: temporaryFolder(),
  }
  const { path } = retryRepo()
  const command = ['review', 'HEAD', '--repo', path, '--json', '--quiet']
  const review = (...flags: string[]) => sightline([...command, ...flags], { env })
  const first = sightlineProcess(command, { env: { ...env, SIGHTLINE_SILENT_SECONDS: '200' } })
  await until(() => fake.calls.length === 1)
  const [claim = ''] = claimsIn(state)
  const waiting = review()
  await until(() => logsIn(state).includes('waits-for-another-run'))
  expect(fake.calls).toHaveLength(1)
  const fresh = await review('--fresh')
  expect(JSON.parse(fresh.stdout).findings).toHaveLength(2)
  expect(claimsIn(state)).toEqual([claim])

  const asked = fake.calls.length
  process.kill(Number(claim.split(' ')[0]), 'SIGKILL')
  expect((await first).stdout).toBe('')
  const { stdout, stderr } = await waiting
  expect(stderr).toBe('')
  expect(JSON.parse(stdout).findings).toHaveLength(2)
  // The fresh run has a fence of its own, and so other prompts.
  expect(fake.calls.length - asked).toBe(2)
  expect(claimsIn(state)).toEqual([])
})

/** Their contents. */
function claimsIn(state: string): string[] {
  const folder = join(state, 'sightline', 'claims')
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
}

function logsIn(state: string): string {
  const folder = join(state, 'sightline', 'runs')
  if (!existsSync(folder)) return ''
  return readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('')
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((done) => setTimeout(done, 50))
}
