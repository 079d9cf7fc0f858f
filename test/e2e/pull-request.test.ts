/** The command against a strict GitHub: shown without posting, posted once, in three steps, and what a forger gets. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { startGitHub } from '../helpers/hosts/github/server.ts'
import { sightline } from '../helpers/sightline.ts'

const timeout = 180_000
const leaked = ['const ', "token = 'ghp_", 'Zq3vXw8RtB5nMk2LpYc7DfGh4JsA1eUo6iTx', "'\n"].join('')
const files = { 'a.ts': `export const one = 1\n${leaked}` }
const config = { '.sightline.yaml': 'review:\n  failOn: never\n' }

async function openPull() {
  const github = await startGitHub()
  onTestFinished(() => github.close())
  const project = github.world.createProject('acme/shop', { files: { 'a.ts': 'export const one = 1\n' } })
  const change = project.open({ branch: 'topic', files })
  const token = github.state.addReviewerToken([project])
  const folder = temporaryFolder()
  const host = new URL(github.url).host
  const settings = join(folder, 'settings.yaml')
  writeFileSync(
    settings,
    `hosts:\n  "${host}":\n    kind: github\n    url: ${github.url}\n    token: SHOP_TOKEN\n`,
  )
  const env = {
    SIGHTLINE_SETTINGS: settings,
    SHOP_TOKEN: token,
    GITHUB_TOKEN: 'ghp_of_another_host',
    HOME: folder,
  }
  const url = `${github.url}/acme/shop/pull/${change.number}`
  const run = (args: readonly string[], more: Record<string, string> = {}) =>
    sightline(args[0] === 'collect' ? args : [...args, '--quiet'], { cwd: folder, env: { ...env, ...more } })
  return { github, project, change, folder, url, run, token }
}

test('shown without posting; posted once; a commit is not reviewed twice', { timeout }, async () => {
  const { github, change, url, run, token } = await openPull()
  change.push(config)
  const shown = await run(['review', url, '--depth', 'offline', '--json'])
  expect(shown.code, shown.stderr).toBe(1)
  const rules = JSON.parse(shown.stdout).findings.map(({ rule }: { rule: string }) => rule)
  expect(rules).toContainEqual(expect.stringMatching(/^secrets\//))
  expect(shown.stdout).toContain('this change edits the configuration')
  expect(github.writes()).toEqual([])
  const posted = await run(['review', url, '--depth', 'offline', '--post'])
  expect(posted.code, posted.stderr).toBe(1)
  expect(change.threads).toHaveLength(rules.length)
  expect(github.state.checks).toMatchObject([{ conclusion: 'neutral', name: 'Sightline' }])
  const writes = github.writes().length
  const again = await run(['review', url, '--depth', 'offline', '--post'])
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('was already reviewed')])
  await run(['review', url, '--depth', 'offline', '--post', '--again'])
  expect(github.writes()).toHaveLength(writes)
  expect(github.violations).toEqual([])
  // Another host's token never arrived, and this one's in no address.
  const arrived = JSON.stringify(github.log)
  expect(arrived).not.toContain('ghp_of_another_host')
  expect(github.log.map(({ path }) => path).join()).not.toContain(token)
})

test('three steps; the publisher reads the change itself and believes no file', { timeout }, async () => {
  const { github, project, change, folder, url, run } = await openPull()
  const [collected, file, forged] = [
    join(folder, 'change'),
    join(folder, 'review.json'),
    join(folder, 'forged.json'),
  ]
  expect((await run(['collect', url, '--out', collected])).stderr).toBe('')
  expect(
    (await run(['analyze', collected, '--depth', 'offline', '--output', file], { SHOP_TOKEN: '' })).code,
  ).toBe(0)
  const review = JSON.parse(readFileSync(file, 'utf8'))
  const publish = async (value: unknown, to = url) => {
    writeFileSync(forged, JSON.stringify(value))
    return await run(['publish', forged, '--to', to])
  }
  // Trees of the forger's making under the name of the true head.
  const { request } = review
  const trees = { ...review, request: { ...request, head: { ...request.head, tree: request.base.tree } } }
  expect(await publish(trees)).toMatchObject({ code: 2, stderr: expect.stringContaining('different head') })
  const other = project.open({ branch: 'other', files: { 'b.ts': 'export const two = 2\n' } })
  const elsewhere = `${github.url}/acme/shop/pull/${other.number}`
  expect(await publish(review, elsewhere)).toMatchObject({ code: 2 })
  // A finding on a line that the change does not have.
  const moved = {
    ...review,
    findings: review.findings.map((one: object) => ({ ...one, startLine: 1, endLine: 1 })),
  }
  const refused = await publish(moved)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('not published')])
  expect(change.threads).toEqual([])
  const true_ = await run(['publish', file, '--to', url])
  expect(true_.stderr).toBe('')
  expect(change.threads).toHaveLength(1)
  expect(github.violations).toEqual([])
})

test('a host that nobody named gets neither a request nor a token', { timeout }, async () => {
  const { github, url, run } = await openPull()
  const before = github.log.length
  const { code, stderr } = await run(['review', url.replace('127.0.0.1', 'localhost')])
  expect([code, stderr]).toEqual([2, expect.stringContaining('No known host')])
  expect(github.log).toHaveLength(before)
  expect(await run(['review', '--post'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--post'),
  })
})
