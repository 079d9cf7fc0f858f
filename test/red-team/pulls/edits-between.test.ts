/**
 * A pull request that changes at each request of the collector and of the publisher: edited words, a force-push, another
 * base, closed, made public, rights taken away. What is posted is a review of one head, or there is nothing.
 * `npm run test:matrices` plays every request with every edit.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import type { Change } from '../../helpers/hosts/engine/change.ts'
import { type FakeGitHub, startGitHub } from '../../helpers/hosts/github/server.ts'
import { drawn, seed } from '../../helpers/matrix.ts'
import { sightline } from '../../helpers/sightline.ts'

const base = {
  'total.py': 'def total(items, tax):\n    return sum(items) * tax\n',
  'use.py': 'from total import total\n\nprint(total([1], 2))\n',
}
const fault = { 'total.py': 'def total(items):\n    return sum(items)\n' }

type Stage = { github: FakeGitHub; change: Change; token: string }

const edits: Readonly<Record<string, (stage: Stage) => void>> = {
  'words edited': ({ change }) => {
    change.title = 'Edited title'
    change.body = 'Edited body'
  },
  'force-pushed': ({ change }) => {
    change.forcePush({ ...fault, 'more.py': 'x = 1\n' })
  },
  retargeted: ({ change }) => {
    change.base = 'release'
    change.baseHead = change.project.head('release')
  },
  closed: ({ change }) => change.close(),
  'made public': ({ change }) => {
    change.project.isPrivate = false
  },
  'rights taken away': ({ github, token }) => {
    github.state.tokens.delete(token)
  },
}

const steps = ['collect', 'publish'] as const
type Step = (typeof steps)[number]
type Edited = { step: Step; nth: number; edit: string }

/** Without an edit when null. */
async function play(edited: Edited | null) {
  const github = await startGitHub()
  onTestFinished(() => github.close())
  const project = github.world.createProject('acme/shop', { files: base, isPrivate: true })
  project.commit('release', { 'use.py': 'from total import total\n\nprint(total([1], 3))\n' })
  const change = project.open({ branch: 'topic', files: fault, title: 'First title', body: 'First body' })
  const token = github.state.addActionsToken(project, {
    contents: 'read',
    issues: 'read',
    pull_requests: 'write',
    checks: 'write',
  })
  const folder = temporaryFolder()
  const settings = join(folder, 'settings.yaml')
  writeFileSync(
    settings,
    `hosts:\n  "${new URL(github.url).host}": { kind: github, url: '${github.url}', token: SHOP_TOKEN }\n`,
  )
  const env = {
    SIGHTLINE_SETTINGS: settings,
    SHOP_TOKEN: token,
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_STATE_HOME: join(folder, 'state'),
  }
  const run = (...args: string[]) => sightline(args, { cwd: folder, env })
  const url = `${github.url}/acme/shop/pull/${change.number}`
  const first = change.head
  const [collected, file] = [join(folder, 'change'), join(folder, 'review.json')]
  const requests: Record<Step, number> = { collect: 0, publish: 0 }
  const watched = async (step: Step, ...args: string[]) => {
    const before = github.log.length
    if (edited?.step === step)
      github.faults.at(edited.nth, {
        kind: 'run',
        action: () => edits[edited.edit]?.({ github, change, token }),
      })
    const ended = await run(step, ...args)
    requests[step] = github.log.slice(before).filter(({ gitBytes }) => gitBytes === null).length
    github.faults.clear()
    return ended
  }
  let { code } = await watched('collect', url, '--out', collected)
  if (code === 0) {
    await run('analyze', collected, '--depth', 'offline', '--output', file, '--quiet')
    code = (await watched('publish', file, '--request', collected, '--to', url, '--quiet')).code
  }
  const collectedAs = existsSync(join(collected, 'request.json'))
    ? JSON.parse(readFileSync(join(collected, 'request.json'), 'utf8')).repository?.visibility
    : null
  return { github, change, first, code, requests, collectedAs }
}

function expectOneState(
  { github, change, first, code, collectedAs }: Awaited<ReturnType<typeof play>>,
  name: string,
): void {
  const heads = new Set([
    ...change.threads.map(({ commit }) => commit),
    ...change.reviews.map(({ commit }) => commit),
    ...github.state.checks.map(({ commit }) => commit),
  ])
  expect([...heads].length, `${name}: of one head`).toBeLessThan(2)
  // What was collected first is what is posted, and a comment is on a line of its own commit.
  for (const { commit, path, anchor, notes } of change.threads) {
    const text = change.repository.read(commit, path)?.toString('utf8').split('\n') ?? []
    expect(text[(anchor?.line ?? 0) - 1], name).toContain('def total(items):')
    expect(notes.length, name).toBe(1)
  }
  const said = [
    ...change.reviews.map(({ body }) => body),
    ...github.state.checks.map(({ summary }) => summary ?? ''),
  ]
  const words = new Set(said.flatMap((text) => text.match(/First title|Edited title/g) ?? []))
  expect(words.size, `${name}: words of one time`).toBeLessThan(2)
  if (heads.size > 0 && !heads.has(first)) expect(heads, name).toEqual(new Set([change.head]))
  if (collectedAs === 'private' && !change.project.isPrivate && heads.size > 0)
    expect(name, 'made public only after the last look').toMatch(/made public at request \d+ of publish/)
  if (code === 0 || code === 1) expect(change.threads.length, name).toBeGreaterThan(0)
  expect(
    github.violations.filter((one) => !/401|Bad credentials/.test(one)),
    name,
  ).toEqual([])
}

test(`a pull request edited between two requests, seed ${seed}`, { timeout: 1_800_000 }, async () => {
  const { requests } = await play(null)
  const all: Edited[] = []
  for (const step of steps)
    for (let nth = 1; nth <= requests[step]; nth++)
      for (const edit of Object.keys(edits)) all.push({ step, nth, edit })
  expect(new Set(all.map(({ step }) => step)).size).toBe(steps.length)
  const chosen = drawn(all)
  const ends = new Map<string, number>()
  for (const one of chosen) {
    const name = `${one.edit} at request ${one.nth} of ${one.step}`
    const played = await play(one)
    expectOneState(played, name)
    const end = played.change.threads.length > 0 ? 'posted' : 'stopped'
    ends.set(end, (ends.get(end) ?? 0) + 1)
  }
  console.log(
    `edits between: ${chosen.length} of ${all.length}, ${JSON.stringify(Object.fromEntries(ends))}, seed ${seed}`,
  )
})
