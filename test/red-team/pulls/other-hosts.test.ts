/**
 * Hostile forks on strict fakes of GitLab, Forgejo, Bitbucket and Azure DevOps: attacks × hosts × ways in (the command, the recipe for CI, the server).
 * On GitHub, `pulls.test.ts` and `edits-between.test.ts` play the same forks. `npm run test:matrices` plays all, `npm test` one.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import type { Change } from '../../helpers/hosts/engine/change.ts'
import { startGitLab } from '../../helpers/hosts/gitlab/server.ts'
import { drawn, seed } from '../../helpers/matrix.ts'
import { Random } from '../../helpers/random.ts'
import { componentScript, runScript } from '../../helpers/run-recipe.ts'
import { type ConnectedHost, connectHost } from '../../helpers/served/hosts.ts'
import { endOfCheck, type ServedServer, startServed } from '../../helpers/served/server.ts'
import { sightline } from '../../helpers/sightline.ts'
import { jenkinsScript } from './ci-scripts.ts'
import { expectInert, postedOn } from './expect-inert.ts'
import { type Attack, attacks, base, commands, moves, openAttack } from './hostile-pulls.ts'

const timeout = 600_000
const canary = 'sk-ant-canary-Qm4vX8'
const ways = ['command', 'recipe', 'server'] as const
/** These show the check of a fork to nobody, and a server is known by its checks here. */
const withoutForkChecks = ['bitbucket'] as const
const waysOf = (kind: Kind) => ways.filter((way) => !isWithoutCheck(kind) || way !== 'server')
const isWithoutCheck = (kind: string) => withoutForkChecks.some((one) => one === kind)
const withForkChecks = ['gitlab', 'forgejo', 'bitbucket-dc', 'azure'] as const
const kinds = [...withForkChecks, ...withoutForkChecks]
type Kind = (typeof kinds)[number]
type Played = { code: number | null; logs: string[]; folder: string; server: ServedServer | null }

async function openWorld(kind: Kind, attack: Attack): Promise<ConnectedHost> {
  const host = await connectHost(kind, { base, open: (project) => openAttack(project, attack) })
  onTestFinished(() => host.close())
  return host
}

/** What a runner of each host puts into the environment of a job; all that strangers choose is among it. */
const variablesOf = ({ url, project, change }: ConnectedHost) => ({
  ...{ GITLAB_CI: 'true', CI_SERVER_URL: url, CI_API_V4_URL: `${url}/api/v4` },
  CI_MERGE_REQUEST_PROJECT_URL: `${url}/${project.fullName}`,
  CI_MERGE_REQUEST_IID: String(change.number),
  CI_MERGE_REQUEST_TITLE: change.title,
  CI_MERGE_REQUEST_DESCRIPTION: change.body,
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: change.branch,
  CI_COMMIT_REF_NAME: change.branch,
  CI_COMMIT_MESSAGE: change.body,
  CHANGE_TITLE: change.title,
  CHANGE_BRANCH: change.branch,
  BRANCH_NAME: change.branch,
})

const play: Record<(typeof ways)[number], (host: ConnectedHost) => Promise<Played>> = {
  async command(host) {
    const { kind, url } = host
    const folder = temporaryFolder()
    const settings = join(folder, 'settings.yaml')
    writeFileSync(
      settings,
      `hosts:\n  "${new URL(url).host}": { kind: ${kind}, url: '${url}', token: SHOP }\n`,
    )
    const { code, stdout, stderr } = await sightline(
      ['review', host.address(), '--post', '--depth', 'offline', '--fail-on', 'never'],
      {
        cwd: folder,
        env: {
          ...{ SIGHTLINE_SETTINGS: settings, SHOP: host.token(), ANTHROPIC_API_KEY: canary, HOME: folder },
          ...{ XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder },
        },
      },
    )
    return { code, logs: [stdout, stderr], folder, server: null }
  },
  async recipe(host) {
    const folder = temporaryFolder()
    const { kind, url } = host
    const settings = join(folder, 'settings.yaml')
    writeFileSync(
      settings,
      `hosts:\n  "${new URL(url).host}": { kind: ${kind}, url: '${url}', token: SHOP }\n`,
    )
    const secrets = { ANTHROPIC_API_KEY: canary, REVIEW_TOKEN: host.token(), SHOP: host.token() }
    const [script, more] =
      kind === 'gitlab'
        ? [componentScript(), {}]
        : [jenkinsScript(), { CHANGE_URL: host.address(), SIGHTLINE_SETTINGS: settings }]
    const env = { ...variablesOf(host), ...secrets, ...more }
    const { code, log } = await runScript(script, { folder, env })
    return { code, logs: [log], folder, server: null }
  },
  async server(host) {
    const folder = temporaryFolder()
    const server = await startServed({
      ...{ host, folder, env: { ANTHROPIC_API_KEY: canary } },
      settings: { policy: { depth: 'offline', newcomers: 'review', forks: 'review' } },
    })
    onTestFinished(() => server.stop())
    await host.announce(server.url, 'opened')
    await endOfCheck(host, server, host.change.versions[0]?.head)
    return { code: 0, logs: [...server.log], folder, server }
  },
}

/** The fault of the fork is named on its line; no comment is anywhere else than in the diff of one head. */
function expectReviewed(host: ConnectedHost): void {
  const { change } = host
  expect(change.threads.map(({ path }) => path)).toContain('total.py')
  for (const thread of change.threads) expect(change.placeOf(thread), 'on a line of the diff').not.toBeNull()
  expect(change.reviews.map(({ state }) => state).filter((state) => state !== 'COMMENTED')).toEqual([])
  if (isWithoutCheck(host.kind)) expect(host.check(change.head)).toBeNull()
  else expect(host.check(change.head)).toMatchObject({ isEnded: true })
}

function expectNothingElse(host: ConnectedHost, { logs, folder }: Played): void {
  const { change, project, log, violations } = host
  const posted = [...postedOn(change), ...project.statuses.map(({ description }) => description)]
  expectInert({ posted, logs, folder, secrets: [canary, host.token()] })
  const done = log.filter(({ isWrite }) => isWrite).map(({ operation }) => operation ?? '')
  expect(done.filter((one) => /approv|merge$|\/labels|PUT .*merge_requests\/\{[a-z_]+\}$/.test(one))).toEqual(
    [],
  )
  expect(violations).toEqual([])
}

const all = kinds.flatMap((kind) =>
  waysOf(kind).flatMap((way) => [
    ...attacks.map((attack) => ({
      kind,
      way,
      attack,
      move: null,
      name: `a fork with ${attack.name} gets nothing`,
    })),
    ...Object.entries(moves).map(([name, move]) => ({
      ...{ kind, way, move, attack: { name, files: {}, change: {} } },
      name: `a fork that ${name} between two requests`,
    })),
  ]),
)
const random = new Random(seed)

test.each(drawn(all))('$kind, $way: $name', { timeout }, async ({ kind, way, attack, name, move }) => {
  const host = await openWorld(kind, attack)
  const [first, nth] = [host.change.head, random.between(2, 9)]
  if (move) host.faults.at(nth, { kind: 'run', action: () => move(host.change) })
  const played = await play[way](host)
  expectNothingElse(host, played)
  if (move) expectOneHead(host, first)
  else {
    expect([played.code, played.logs.join('\n')]).toEqual([0, expect.any(String)])
    expectReviewed(host)
  }
  console.log(
    `pulls: ${kind}, ${way}: ${name}${move ? ` (request ${nth})` : ''}, seed ${seed}: code ${played.code}, ${host.log.length} requests, ${host.change.threads.length} comments`,
  )
  if (played.code === 2) console.log(played.logs.join('\n'))
})

/** A comment is on the line it is about, in the commit that it names, and all are of one head. */
function expectOneHead({ change }: ConnectedHost, first: string): void {
  const heads = new Set(change.threads.map(({ commit }) => commit))
  expect([[], [first], [change.head]]).toContainEqual([...heads])
  for (const { commit, path, anchor } of change.threads.filter(({ anchor }) => anchor !== null)) {
    const lines = change.repository.read(commit, path)?.toString('utf8').split('\n') ?? []
    expect(lines[(anchor?.line ?? 0) - 1]).toContain('def total(items):')
  }
}

test.each(drawn(withForkChecks))(
  '%s: commands of the author of a fork change nothing and are not answered',
  {
    timeout,
  },
  async (kind) => {
    const host = await openWorld(kind, { name: 'commands', files: {}, change: {} })
    const { server } = await play.server(host)
    if (!server) throw new Error('there is a server')
    const { change } = host
    const before = oursOn(change)
    const [thread] = change.threads
    for (const words of commands) {
      await host.say(server.url, change.comment('eve', words))
      // Forgejo reports no comments of threads.
      if (thread && kind !== 'forgejo') await host.say(server.url, change.reply(thread, 'eve', words))
    }
    // Comments are answered before the push, in the order in which they came.
    change.push({ 'more.py': 'x = 1\n' })
    await host.announce(server.url)
    const { title } = await endOfCheck(host, server)
    expect(title).toMatch(/^1 finding(?!.*dismissed)/)
    expect(change.threads.map(({ resolvedBy }) => resolvedBy)).toEqual(change.threads.map(() => null))
    expect(oursOn(change)).toEqual(before)
    expect(host.violations).toEqual([])
  },
)

/** Whatever is not by the fork's author, by its first words: the overview is edited by the second review. */
function oursOn({ threads, comments }: Change): string[] {
  const all = [...comments, ...threads.flatMap(({ notes }) => notes)]
  return all.filter(({ author }) => author.login !== 'eve').map(({ body }) => body.slice(0, 40))
}

test('gitlab: the job of a pipeline in the fork has the rights of its author, and posts nothing', {
  timeout,
}, async () => {
  const gitlab = await startGitLab()
  onTestFinished(() => gitlab.close())
  const project = gitlab.world.createProject('acme/shop', { files: base })
  const [attack] = attacks
  const change = openAttack(project, attack as Attack)
  if (!change.from) throw new Error('it comes from a fork')
  const token = gitlab.state.addJobToken(change.from, 'eve')
  const { code, log } = await runScript(componentScript(), {
    folder: temporaryFolder(),
    env: {
      ...{ GITLAB_CI: 'true', CI_SERVER_URL: gitlab.url, CI_API_V4_URL: gitlab.apiUrl, CI_JOB_TOKEN: token },
      CI_MERGE_REQUEST_PROJECT_URL: `${gitlab.url}/${project.fullName}`,
      CI_MERGE_REQUEST_IID: String(change.number),
    },
  })
  expect([code, log]).toEqual([3, expect.stringContaining('CI_JOB_TOKEN')])
  expect(gitlab.writes()).toEqual([])
})
