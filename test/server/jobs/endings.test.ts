/** Every way in which a job can end is one visible state, and what may pass is tried again. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { descendants } from '../../../src/base/process-tree.ts'
import type { ReviewJob } from '../../../src/server/jobs/contract.ts'
import { runJob } from '../../../src/server/jobs/run-job.ts'
import { defaultLimits } from '../../../src/server/roles/contract.ts'
import { type RoleAccount, type RunRole, runRole } from '../../../src/server/roles/run-role.ts'
import { fakeApiKey } from '../../helpers/fakes/provider.ts'
import type { CodedStep } from '../../helpers/fakes/scenario/script.ts'
import { needs } from '../../helpers/needs/needs.ts'
import { emptyAnswer } from '../../helpers/reviewer-answer.ts'
import { runRoleHere } from '../../helpers/role-here.ts'
import { watchRoles } from '../roles/watch-roles.ts'
import { hooks, openPullWorld, type PullWorld } from './pull-world.ts'

const leaked = ['const ', "token = 'ghp_", 'Zq3vXw8RtB5nMk2LpYc7DfGh4JsA1eUo6iTx', "'\n"].join('')

function run({ job, parts }: PullWorld, more: Partial<ReviewJob> = {}) {
  return runJob('acme', { ...job, ...more }, parts, hooks())
}

/** The analysis alone in a process of its own. */
const analyzerApart: RunRole = (run) => (run.order.role === 'analyzer' ? runRole : runRoleHere)(run)

/** A model that never answers, so that the analysis goes on until something ends it. */
const silent: CodedStep[] = [
  { answer: 'good', value: emptyAnswer, delivery: { kind: 'silence' }, times: 'always' },
]

const offline = { kind: 'review', depth: 'offline', budgetUsd: null, notice: null } as const

test('a host that fails, no permit, and what does not exist, may not be read, or is closed', async () => {
  const world = await openPullWorld()
  const { github, change, job, parts, fake } = world
  for (let nth = 1; nth <= 20; nth++) github.faults.at(nth, { kind: 'fail-before', status: 502 })
  // A reason to try again.
  expect(await run(world)).toMatchObject({
    kind: 'error',
    meaning: { state: 'not-reviewed', reason: 'host-unavailable', isPassing: true },
  })
  github.faults.clear()
  const stop = new AbortController()
  const mayWrite = async () => {
    stop.abort()
    return false
  }
  const unpermitted = await runJob('acme', job, parts, hooks({ mayWrite, signal: stop.signal }))
  expect([unpermitted, github.writes()]).toEqual([{ kind: 'aborted' }, []])
  const asked = fake.calls.length
  const gone = await run(world, { address: job.address.replace(/\d+$/, '999'), number: 999 })
  expect(gone).toMatchObject({ outcome: { state: 'not-reviewed', reason: 'gone', isShown: false } })
  const access = await parts.openAccess('acme', job, new AbortController().signal)
  const wrong = { ...access, secrets: { ...access.secrets, collector: { SHOP_TOKEN: 'ghs_wrong' } } }
  const refused = await runJob('acme', job, { ...parts, openAccess: async () => wrong }, hooks())
  // The publisher's own token is good: people see on the host what is missing.
  expect(refused).toMatchObject({ outcome: { state: 'not-reviewed', reason: 'no-access', isShown: true } })
  expect(github.state.checks).toMatchObject([
    { conclusion: 'neutral', title: 'Not reviewed: a permission is missing' },
  ])
  change.close()
  const closed = await run(world)
  expect(closed).toMatchObject({ outcome: { state: 'skipped', reason: 'closed' } })
  expect(fake.calls).toHaveLength(asked)
})

test('a policy that skips is shown with who decided it, and seals nothing', async () => {
  const world = await openPullWorld()
  const { github } = world
  const decision = { kind: 'skip', why: 'Drafts are not reviewed', by: 'policy of acme' } as const
  const skipped = await run(world, { decision })
  expect(skipped).toMatchObject({ outcome: { state: 'skipped', reason: 'policy', isShown: true } })
  const [check] = github.state.checks
  expect(check).toMatchObject({ conclusion: 'neutral', title: 'Skipped: by policy' })
  expect(check?.summary).toContain('Drafts are not reviewed (policy of acme)')
  // The same commit, when it is ready.
  expect(await run(world, { decision: offline })).toMatchObject({ outcome: { state: 'reviewed' } })
  expect(github.violations).toEqual([])
})

test('a budget that ended leaves the checks by code', async () => {
  const world = await openPullWorld({ files: { 'a.txt': `export const one = 1\n${leaked}` } })
  const { fake, job, parts, change } = world
  const access = await parts.openAccess('acme', job, new AbortController().signal)
  const broke = { ...parts, openAccess: async () => ({ ...access, allowanceUsd: 0 }) }
  const end = await runJob('acme', job, broke, hooks())
  expect(end).toMatchObject({ outcome: { state: 'reviewed', usd: 0 } })
  expect(change.threads.length).toBeGreaterThan(0)
  expect(fake.calls).toEqual([])
})

test('a review beyond its limits is killed, and says so', async () => {
  const world = await openPullWorld({ steps: silent })
  const { parts, github } = world
  const limits = { ...defaultLimits, analyzer: { ...defaultLimits.analyzer, megabytes: 40 } }
  let ended: RoleAccount | null = null
  const limited: RunRole = async (run) => {
    if (run.order.role !== 'analyzer') return await runRoleHere(run)
    // What had finished is reviewed once more, and that may be done before anybody looks how much it needs.
    ended ??= await runRole(run)
    return ended
  }
  const end = await runJob('acme', world.job, { ...parts, limits, runRole: limited }, hooks())
  expect(end).toMatchObject({ outcome: { state: 'not-reviewed', reason: 'limits', isShown: true } })
  expect(github.state.checks).toMatchObject([{ title: 'Not reviewed: it exceeded the limits of the server' }])
})

test('an analysis that is killed twice is not reviewed, with its reason, and not tried again', {
  ...needs('Linux'),
}, async () => {
  const world = await openPullWorld({ steps: silent })
  const { parts, github, fake } = world
  let analyses = 0
  const killed: RunRole = async (run) => {
    if (run.order.role !== 'analyzer') return await runRoleHere(run)
    // A second process would end as the first one does.
    const end = { kind: 'died', how: 'signal SIGKILL' } as const
    if (analyses++ > 0) return { end, peakMegabytes: 0, cpuSeconds: 0, durationMs: 0 }
    const account = runRole(run)
    while (fake.requests.length === 0) await new Promise((done) => setTimeout(done, 50))
    for (const pid of descendants(process.pid)) if (isRole(pid)) process.kill(pid, 'SIGKILL')
    return await account
  }
  const end = await runJob('acme', world.job, { ...parts, runRole: killed }, hooks())
  expect(end).toMatchObject({
    kind: 'outcome',
    outcome: { state: 'not-reviewed', reason: 'limits', isShown: true },
  })
  expect((end as Extract<typeof end, { kind: 'outcome' }>).outcome.detail).toMatch(
    /^its process was ended twice: .*(SIGKILL|exit code \d+), then signal SIGKILL$/,
  )
  expect(analyses).toBe(2)
  expect(github.state.checks).toMatchObject([{ title: 'Not reviewed: it exceeded the limits of the server' }])
})

function isRole(pid: number): boolean {
  try {
    return /server\/roles\//.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  } catch {
    return false
  }
}

test('commits that come in between are reviewed, the older ones are not posted', async () => {
  const world = await openPullWorld({
    steps: [{ answer: 'good', value: emptyAnswer, times: 'always' }],
  })
  const { change, github } = world
  let pushes = 0
  const end = await runJob(
    'acme',
    world.job,
    world.parts,
    hooks({
      onRole: (role) => {
        if (role === 'analyzer' && pushes++ === 0) change.push({ 'b.txt': 'export const two = 2\n' })
      },
    }),
  )
  expect(end).toMatchObject({ outcome: { state: 'reviewed', head: change.head } })
  expect(github.state.checks.map(({ commit }) => commit)).toEqual([change.head])
})

test('a job that is no longer wanted ends at once, with all its processes, of which none shows a secret', async () => {
  // For code there are more of them.
  const world = await openPullWorld({ files: { 'a.ts': 'export const one = 2\n' }, steps: silent })
  const { fake, github, parts, token } = world
  process.env.SIGHTLINE_SERVER_SECRET = 'of-the-server-alone'
  const stop = new AbortController()
  const job = runJob('acme', world.job, { ...parts, runRole: analyzerApart }, hooks({ signal: stop.signal }))
  const watched = watchRoles(process.pid, job)
  while (fake.requests.length === 0) await new Promise((done) => setTimeout(done, 50))
  stop.abort()
  const { end, seen } = await watched
  delete process.env.SIGHTLINE_SERVER_SECRET
  expect(end).toEqual({ kind: 'aborted' })
  expect(github.writes()).toEqual([])
  if (process.platform !== 'linux') return
  const shown = seen.get('analyzer') ?? ''
  expect(shown).toContain('HOME=')
  for (const secret of [token, fakeApiKey, 'of-the-server-alone', 'SHOP_TOKEN', 'FAKE_KEY'])
    expect(shown).not.toContain(secret)
})
