/** Runs of one change that go on side by side ask each question once, also when the one that asks is killed. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { sightlineProcess } from '../helpers/sightline.ts'
import { fakeEnvironment, followUpSteps, retryRepo } from './quick-world.ts'

type Answer = Extract<CodedStep, { answer: 'good' }>
const [question, followUp] = followUpSteps as [Answer, Answer]
/** The first step that fits answers, so the one that asks for more comes first. */
const second: CodedStep = { ...followUp, when: { lastTurnContains: 'the lines that you requested' } }
/** Several processes on a busy machine are no input that keeps one busy. */
const patient = { SIGHTLINE_SILENT_SECONDS: '200' }
/** Milliseconds before each piece: three processes begin meanwhile. */
const slow = { kind: 'slow', delayMs: 250 } as const

test('three runs at once pay for one, and find the same', { timeout: 240_000 }, async () => {
  await using fake = await startFakeProvider('anthropic', {
    steps: [
      { ...second, times: 'always' },
      { ...question, delivery: slow, times: 'always' },
    ],
  })
  const env = { ...fakeEnvironment(fake), ...patient, XDG_STATE_HOME: temporaryFolder() }
  const { path } = retryRepo()
  const review = () =>
    sightlineProcess(['review', 'HEAD', '--repo', path, '--json', '--quiet'], {
      env: { ...env, XDG_CACHE_HOME: temporaryFolder() },
    })
  const done = await Promise.all([review(), review(), review()])
  expect(done.map(({ stderr }) => stderr)).toEqual(['', '', ''])
  const found = done.map(({ stdout }) => JSON.parse(stdout).findings)
  expect(found[0]).toHaveLength(2)
  expect(found).toEqual([found[0], found[0], found[0]])
  expect(fake.calls).toHaveLength(2)
  expect(fake.mistakes).toEqual([])
  expect(claimsIn(env.XDG_STATE_HOME)).toEqual([])
})

test('who waits for a run that is killed asks itself at once', { timeout: 240_000 }, async () => {
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
    ...patient,
    XDG_STATE_HOME: state,
    XDG_CACHE_HOME: temporaryFolder(),
  }
  const { path } = retryRepo()
  const review = (...flags: string[]) =>
    sightlineProcess(['review', 'HEAD', '--repo', path, '--json', '--quiet', ...flags], { env })
  const first = review()
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
  return readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('')
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((done) => setTimeout(done, 50))
}
