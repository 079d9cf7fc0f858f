/**
 * Hostile pull requests of forks against the two workflows of docs/ci.md, each step with exactly the rights that
 * the workflow declares: nothing runs, nothing leaks, nothing is silenced, and the fork writes nothing. `npm run test:matrices` plays
 * every attack, `npm test` one.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { startGitHub } from '../../helpers/hosts/github/server.ts'
import { drawn } from '../../helpers/matrix.ts'
import { permissionsOf, pullEvent, runEvent, runStep } from '../../helpers/run-action.ts'
import { expectInert, postedOn } from './expect-inert.ts'
import { attacks, base, openAttack, pwned, refused } from './hostile-pulls.ts'

const canary = 'sk-ant-canary-Qm4vX8'
const timeout = 600_000

test.each(drawn(attacks))('a fork with $name gets nothing', { timeout }, async (attack) => {
  await using github = await startGitHub()
  const project = github.world.createProject('acme/shop', { files: base })
  const change = openAttack(project, attack)
  const folder = temporaryFolder()
  const secrets = { ANTHROPIC_API_KEY: canary, DEPLOY_KEY: canary }

  const read = github.state.addActionsToken(project, permissionsOf('github-forks-collect.yml', 'analyze'), {
    fromFork: true,
  })
  const logs: string[] = []
  for (const step of ['collect', 'analyze']) {
    const inputs = { step, token: read, depth: step === 'analyze' ? 'offline' : '' }
    const { code, log } = await runStep(folder, { github, project, inputs, event: pullEvent(github, change) })
    expect([step, code, log]).toEqual([step, 0, expect.any(String)])
    logs.push(log)
  }
  expect(github.writes(), 'the token of a fork only reads').toEqual([])
  expect(
    github.log.filter(({ status }) => status === 403),
    'nothing is asked that the workflow does not declare',
  ).toEqual([])

  const write = github.state.addActionsToken(project, permissionsOf('github-forks-publish.yml', 'publish'))
  const published = await runStep(folder, {
    github,
    project,
    inputs: { step: 'publish', token: write },
    event: runEvent(change, 'eve'),
    environment: secrets,
  })
  logs.push(published.log)
  expect([published.code, published.log]).toEqual([0, expect.any(String)])

  // I1: the configuration and the instructions of the base; no approval; the fault is found.
  expect(change.reviews.map(({ state }) => state)).toEqual(['COMMENTED'])
  expect(github.state.checks.map(({ conclusion }) => conclusion)).toEqual(['neutral'])
  expect(published.output).toMatch(/^conclusion=REQUEST_CHANGES\nfindings=\d+\nreview=\S+review\.json\n$/)
  // I2: on lines of the diff of this head.
  expect(change.threads.map(({ path }) => path)).toContain('total.py')
  for (const thread of change.threads) {
    expect(thread.commit).toBe(change.head)
    expect(change.placeOf(thread), 'the host shows it on a line').not.toBeNull()
  }
  // I3, I4: nothing of the change ran, no secret, no token, nothing that comes to life.
  const [check] = github.state.checks
  const annotations = (check?.annotations ?? []).map(({ message, title }) => `${title} ${message}`)
  expectInert({
    posted: [
      ...postedOn(change),
      check?.title,
      check?.summary,
      check?.text,
      ...annotations,
      published.summary,
    ],
    ...{ logs, folder, secrets: [canary, read, write] },
  })
  // I5, I6: nothing but the lock, one overview, one review and one check.
  expect(change.comments).toHaveLength(1)
  expect(github.writes().map(({ operation }) => (operation ?? '').split('/').slice(4).join('/'))).toEqual([
    'issues/{issue_number}/reactions',
    'issues/{issue_number}/comments',
    'pulls/{pull_number}/reviews',
    'check-runs',
    'issues/{issue_number}/reactions/{reaction_id}',
  ])
  expect(github.log.filter(({ status }) => status === 403)).toEqual([])
  expect(github.violations).toEqual([])
  console.log(
    `pulls: ${attack.name}: ${github.log.length} requests, 0 beyond the declared rights, 5 writes, ${change.threads.length} comments, 0 programs run`,
  )
})

test(`a fork with ${refused.name} is not received, and the step says why`, { timeout }, async () => {
  await using github = await startGitHub()
  const project = github.world.createProject('acme/shop', { files: base })
  const change = openAttack(project, refused)
  const folder = temporaryFolder()
  const token = github.state.addActionsToken(project, permissionsOf('github-forks-collect.yml', 'analyze'))
  const event = pullEvent(github, change)
  const { code, log } = await runStep(folder, { github, project, event, inputs: { step: 'collect', token } })
  expect([code, log]).toEqual([3, expect.stringContaining('disallowed submodule url')])
  expect(existsSync(join(folder, pwned))).toBe(false)
})

const jobs = [
  ['collect', 'contents'],
  ['collect', 'issues'],
  ['collect', 'pull_requests'],
  ['publish', 'contents'],
  ['publish', 'pull_requests'],
  ['publish', 'checks'],
] as const

test('of three jobs, each needs every right that it declares, and uses no other', { timeout }, async () => {
  await using github = await startGitHub()
  const project = github.world.createProject('acme/shop', { files: base, isPrivate: true })
  const change = project.open({
    branch: 'topic',
    files: { 'total.py': 'def total(items):\n    return sum(items)\n' },
  })
  const event = pullEvent(github, change)
  const folder = temporaryFolder()
  const run = (step: string, token: string, at = folder) =>
    runStep(at, { github, project, event, inputs: { step, token } })
  const tokenOf = (step: string, without?: string) => {
    const declared = permissionsOf('github-three-jobs.yml', step)
    const held = Object.entries(declared).filter(([name]) => name !== without)
    return held.length === 0 ? '' : github.state.addActionsToken(project, Object.fromEntries(held))
  }
  expect(await run('collect', tokenOf('collect'))).toMatchObject({ code: 0 })
  const asked = github.log.length
  expect(await run('analyze', tokenOf('analyze'))).toMatchObject({ code: 0 })
  expect(github.log, 'the job without rights asks nothing').toHaveLength(asked)
  const refusals: string[] = []
  for (const [step, right] of jobs) {
    const at = step === 'collect' ? temporaryFolder() : folder
    const { code, log } = await run(step, tokenOf(step, right), at)
    const request = join(at, 'sightline-change/request.json')
    // What is only nice to have is named in what was collected.
    const limits = step === 'collect' && existsSync(request) ? readFileSync(request, 'utf8') : ''
    const isNamed = /may not (?:do this|read)|could not be (?:written|fetched|read)/.test(`${log}${limits}`)
    expect([step, right, isNamed, log]).toEqual([step, right, true, expect.any(String)])
    refusals.push(`${step} without ${right}: ${code === 0 ? 'goes on and says so' : `code ${code}`}`)
  }
  console.log(`pulls: ${refusals.join('; ')}`)
})
