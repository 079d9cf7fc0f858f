/**
 * The command with a scripted model while a pull request moves: the review of an older head stops, nothing of it is posted,
 * and answers that were paid for are used again where the new head leads to the same question. Renamed repositories and deleted
 * forks, on every host: test/contracts/host-suite.ts.
 */
import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import type { Change } from '../helpers/hosts/engine/change.ts'
import { startGitHub } from '../helpers/hosts/github/server.ts'
import { sightline } from '../helpers/sightline.ts'
import { emptyAnswer, fakeEnvironment, waitFinding } from './quick-world.ts'

const timeout = 300_000
const lines = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `export const ${name}${at} = '${name} ${at}'\n`).join('')
/** Each is a question of its own. */
const files = {
  'src/first.ts': `${lines('first', 45)}delayFor(attempts - attempt)\n`,
  'src/second.ts': lines('second', 45),
}
const found = { ...waitFinding, file: 'src/first.ts' }

/** `headSeconds`: how often a running review asks whether its head is still the newest. */
async function openPull(
  steps: (moving: { change: Change; state: string }) => CodedStep[],
  headSeconds = 0.2,
) {
  const github = await startGitHub()
  onTestFinished(() => github.close())
  const project = github.world.createProject('acme/shop', {
    files: { 'README.md': '# Shop\n', '.sightline.yaml': 'limits:\n  groupBytes: 4096\n' },
  })
  const change = project.open({ branch: 'topic', files })
  const state = temporaryFolder()
  const fake = await startFakeProvider('anthropic', { steps: steps({ change, state }) })
  onTestFinished(() => fake.close())
  const host = new URL(github.url).host
  const hosts = `hosts:\n  "${host}": { kind: github, url: '${github.url}', token: SHOP_TOKEN }`
  const token = github.state.addReviewerToken([project])
  const env = {
    ...fakeEnvironment(fake, { settings: hosts }),
    SHOP_TOKEN: token,
    SIGHTLINE_HEAD_SECONDS: String(headSeconds),
    XDG_STATE_HOME: state,
    XDG_CACHE_HOME: temporaryFolder(),
  }
  const url = `${github.url}/acme/shop/pull/${change.number}`
  const review = (...more: string[]) =>
    sightline(['review', url, '--post', '--depth', 'quick', '--fail-on', 'never', ...more], {
      cwd: temporaryFolder(),
      env,
    })
  const asked = (name: string) => fake.calls.filter(({ call }) => call.prompt.includes(`${name} 44`)).length
  return { github, project, change, fake, review, asked }
}

/** Whether an answer of a model is kept there. */
function hasAnswer(state: string): boolean {
  const entries = readdirSync(state, { recursive: true, withFileTypes: true })
  return entries.some((entry) => entry.isFile() && entry.parentPath.split('/').includes('answers'))
}

const answer = (more: Partial<CodedStep>) =>
  ({ answer: 'good', value: { ...emptyAnswer, findings: [] }, times: 'always', ...more }) as CodedStep
const onFirst = answer({
  when: { contains: 'first 44' },
  value: { ...emptyAnswer, findings: [found] },
})

test('a push stops the running review, and only what it changed is asked again', { timeout }, async () => {
  let isPushed = false
  const { github, change, fake, review, asked } = await openPull((moving) => [
    onFirst,
    answer({
      times: 1,
      when: { contains: 'second 44' },
      // It would never end; the push has to end it, once the first answer is kept.
      delivery: { kind: 'silence' },
      if: () => {
        const push = () => {
          if (hasAnswer(moving.state)) {
            isPushed = true
            moving.change.push({ 'src/second.ts': lines('second', 45).replace('second 7', 'another 7') })
          } else setTimeout(push, 100)
        }
        if (!isPushed) setTimeout(push, 100)
        return true
      },
    }),
    answer({}),
  ])
  const { code, stdout, stderr } = await review()
  expect([code, stderr]).toEqual([0, expect.stringContaining('starting again with the new commits')])
  expect(asked('first'), 'its answer is paid for once').toBe(1)
  expect(asked('second'), 'its question is another one now').toBe(2)
  expect(stdout).toContain('The first wait is the longest one')
  expect(change.threads.map(({ path, commit }) => [path, commit])).toEqual([['src/first.ts', change.head]])
  expect(github.state.checks.map(({ commit }) => commit)).toEqual([change.head])
  expect(fake.mistakes).toEqual([])
  expect(github.violations).toEqual([])
})

test('a rebase while the review is posted costs nothing, and the comment is on the new head', {
  timeout,
}, async () => {
  const { github, project, change, fake, review } = await openPull(() => [onFirst, answer({})], 60)
  // Asked before the review whether it is done, and before it is posted.
  github.faults.at(
    2,
    {
      kind: 'run',
      action: () => {
        project.commit('main', { 'notes.md': 'a note\n' })
        change.rebase()
      },
    },
    ({ path }) => path.endsWith('graphql'),
  )
  const { code, stderr } = await review()
  expect([code, stderr]).toEqual([0, expect.stringContaining('starting again with the new commits')])
  expect(fake.calls).toHaveLength(2)
  expect(change.threads.map(({ path, commit }) => [path, commit])).toEqual([['src/first.ts', change.head]])
  expect(github.state.checks.map(({ commit }) => commit)).toEqual([change.head])
})

test('a pull request that moves again and again ends with a reason, and posts nothing', {
  timeout,
}, async () => {
  const { github, change, review } = await openPull(() => [onFirst, answer({})])
  let pushes = 0
  for (let nth = 1; nth <= 12; nth++)
    github.faults.at(
      nth,
      { kind: 'run', action: () => change.push({ 'moving.md': `${++pushes}\n` }) },
      ({ path }) => path.endsWith('graphql'),
    )
  const { code, stderr } = await review()
  expect([code, stderr]).toEqual([3, expect.stringMatching(/new commits|has moved|is at [0-9a-f]{12}/)])
  expect(github.writes()).toEqual([])
})
