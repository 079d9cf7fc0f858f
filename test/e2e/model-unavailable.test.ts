/** A model that cannot be asked: the reason stands first in every report and on standard error, and the code is 4. */
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { FakeProvider } from '../helpers/fakes/provider.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { sightline } from '../helpers/sightline.ts'
import { emptyAnswer, fakeEnvironment, retryRepo } from './quick-world.ts'

const started: FakeProvider[] = []
afterAll(() => Promise.all(started.map((fake) => fake.close())))

async function fakeOf(...steps: object[]): Promise<FakeProvider> {
  const fake = await startFakeProvider('anthropic', { steps } as Parameters<typeof startFakeProvider>[1])
  started.push(fake)
  return fake
}

const home = () => ({ HOME: temporaryFolder(), XDG_STATE_HOME: temporaryFolder() })
const command = ['review', '--no-cache', 'HEAD']
const hint = '`sightline doctor` tests every model and explains how to fix problems.'

test('a request that the provider refuses is told in its words, and never as unreachable', async () => {
  // A scenario without a step left answers with status 400.
  const fake = await fakeOf()
  const options = { cwd: retryRepo().path, env: { ...home(), ...fakeEnvironment(fake) } }
  const [people, quiet, events, machine] = await Promise.all([
    sightline(command, options),
    sightline([...command, '--quiet'], options),
    sightline([...command, '--progress'], options),
    sightline([...command, '--format', 'sarif'], options),
  ])
  expect([people.code, quiet.code, events.code, machine.code]).toEqual([4, 4, 4, 4])
  const reason = /No model was available: fake\/claude-sonnet-5-5: it answered 400: Fake provider: /
  for (const { stdout } of [people, quiet]) {
    expect(stdout.split('\n')[0]).toBe('Incomplete: no model was available. No findings so far.')
    expect(stdout.replace(/\s+/g, ' ')).toMatch(reason)
    expect(stdout).not.toMatch(/unreachable|reached/)
  }
  for (const { stderr } of [people, quiet, machine]) {
    expect(stderr).toMatch(reason)
    expect(stderr).toContain(`sightline: ${hint}`)
  }
  const [run] = JSON.parse(machine.stdout).runs
  expect(run.invocations[0].properties.conclusion).toBe('INCOMPLETE')
  expect(run.invocations[0].executionSuccessful).toBe(false)
  expect(JSON.stringify(run.invocations[0].toolExecutionNotifications)).toMatch(reason)
  const calls = events.stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === 'model-call')
  expect(calls).toMatchObject([{ call: { outcome: 'failed', reason: expect.stringContaining('400') } }])
})

test('a missing key and a server that is not there are told, and rdjson leaves the words to standard error', async () => {
  const gone = await startFakeProvider('anthropic', { steps: [] })
  await gone.close()
  const { FAKE_KEY: _, ...keyless } = fakeEnvironment(gone)
  const cwd = retryRepo().path
  const missing = await sightline([...command, '--format', 'rdjson'], { cwd, env: { ...home(), ...keyless } })
  expect(missing.code).toBe(4)
  expect(missing.stderr).toContain('sightline: Incomplete: no model was available. No findings so far.\n')
  expect(missing.stderr).toContain('fake/claude-sonnet-5-5: it needs a key: set FAKE_KEY\n')
  const explicit = await sightline([...command, '--depth', 'quick'], { cwd, env: { ...home(), ...keyless } })
  expect([explicit.code, explicit.stdout]).toEqual([2, ''])
  expect(explicit.stderr).toContain('FAKE_KEY is not set')
  // The dice say how long a provider that is not there is waited for, before each attempt.
  const dice = vi.spyOn(Math, 'random').mockReturnValue(0)
  onTestFinished(() => dice.mockRestore())
  const closed = await sightline(command, { cwd, env: { ...home(), ...fakeEnvironment(gone) } })
  expect(closed.code).toBe(4)
  expect(closed.stderr).toMatch(/No model was available: fake\/claude-sonnet-5-5: .*(ECONNREFUSED|connect)/)
})

test('the step that analyzes says so as well, and publishing tells it again', async () => {
  const env = { ...home(), ...fakeEnvironment(await fakeOf()) }
  const [folder, file] = [temporaryFolder(), join(temporaryFolder(), 'review.json')]
  const change = join(folder, 'change')
  const cwd = retryRepo().path
  expect((await sightline(['collect', '--commit', 'HEAD', '--out', change], { cwd, env })).code).toBe(0)
  const analyze = ['analyze', change, '--no-cache', '--output', file]
  const [analyzed, allowed] = [
    await sightline(analyze, { cwd: folder, env }),
    await sightline([...analyze, '--quiet', '--allow-incomplete'], { cwd: folder, env }),
  ]
  const published = await sightline(['publish', file, '--request', change, '--quiet'], { cwd: folder, env })
  expect([analyzed.code, allowed.code, published.code]).toEqual([4, 0, 4])
  for (const { stderr } of [analyzed, allowed, published])
    expect(stderr).toMatch(/No model was available: fake\/claude-sonnet-5-5: it answered 400/)
})

test('a key that was exported for another tool sends nothing', async () => {
  const value = { ...emptyAnswer, findings: [] }
  const fake = await fakeOf({ answer: 'good', times: 'always', value })
  const cwd = retryRepo().path
  const env = { ...home(), ANTHROPIC_API_KEY: fake.apiKey, ANTHROPIC_BASE_URL: fake.baseUrl }
  const silent = await sightline(command, { cwd, env })
  expect([silent.code, silent.stderr]).toEqual([0, expect.anything()])
  expect(silent.stdout).toMatch(/^No findings\. Code checks only; no model reviewed this change\.\n/)
  expect(silent.stderr).toMatch(
    /^sightline: no model was asked: ANTHROPIC_API_KEY is set, but .*--depth quick.*\n$/,
  )
  expect(fake.requests).toEqual([])
  const asked = await sightline([...command, '--depth', 'quick'], { cwd, env })
  expect([asked.code, asked.stdout.split('\n')[0]]).toEqual([0, 'APPROVE: no findings.'])
  expect(fake.requests).toHaveLength(1)
})
