/** Repositories of the workspace by web address: fetched ahead, read without a network, and forgotten when they may not be read. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Review } from '../../src/domain/review.ts'
import { drawn } from '../helpers/matrix.ts'
import { application, openHostedWorld, setVisibility } from './hosted-world.ts'

const across = ({ findings }: Review) => findings.filter(({ plane }) => plane === 'across')

test('what was fetched is read at its commit, and what was not is named', async () => {
  const { client, web, review, update, other } = await openHostedWorld()
  setVisibility(client, 'private')
  const before: Review = await review()
  expect(across(before)).toEqual([])
  expect(JSON.stringify(before.coverage)).toContain('the repository acme/web was not read')
  const [status] = await update()
  expect(status).toMatchObject({ name: 'acme/web', commit: web.head('main'), trouble: null, entry: other })
  expect(Date.parse(status.fetchedAt)).toBeLessThanOrEqual(Date.now())
  const after: Review = await review()
  expect(across(after)).toHaveLength(1)
  const use = after.request.workspace?.breaks[0]?.uses[0]
  expect(use).toMatchObject({ repository: 'acme/web', commit: web.head('main'), path: 'src/api.ts', line: 1 })
  expect(use?.url).toBe(`${other}/-/blob/${web.head('main')}/src/api.ts#L1`)
  expect(after.request.workspace?.repositories[0]?.fetchedAt).toBe(status.fetchedAt)
  // A moved branch is fetched by the next update.
  web.commit('main', { 'src/api.ts': 'export {}\n' })
  expect(across(await review())).toHaveLength(1)
  await update()
  expect(across(await review())).toEqual([])
})

test('a local review asks no host, and shows all that was fetched', async () => {
  const { fake, web, update, run, folder, client } = await openHostedWorld()
  setVisibility(web, 'private')
  await update()
  const clone = join(folder, 'clone')
  client.repository.git('clone', '-q', client.repository.path, clone)
  const asked = fake.log.length
  const { stdout } = await run(['review', 'origin/main..origin/topic', '--depth', 'offline', '--json'], clone)
  expect(across(JSON.parse(stdout))).toHaveLength(1)
  expect(fake.log.length).toBe(asked)
})

test.each(drawn(['deleted', 'refused'] as const))(
  'of a repository that is %s nothing is kept',
  async (how) => {
    const { web, update, review, readIndex, folder } = await openHostedWorld()
    await update()
    expect(await readIndex((index) => index.repositories())).toHaveLength(1)
    if (how === 'deleted') web.isDeleted = true
    else {
      setVisibility(web, 'private')
      web.roles.delete('ada')
    }
    const [status] = await update()
    expect(status).toMatchObject({ name: 'acme/web', commit: null })
    expect(status.trouble).toContain('it does not exist, or may not be read')
    expect(await readIndex((index) => index.repositories())).toEqual([])
    const mirrors = join(folder, 'cache/sightline/workspace')
    const kept = existsSync(mirrors) ? readdirSync(mirrors, { recursive: true }).map(String) : []
    expect(kept.filter((path) => path.endsWith('.pack'))).toEqual([])
    const after: Review = await review()
    expect(across(after)).toEqual([])
  },
)

test('a host that does not answer leaves what was fetched, and says so', async () => {
  const { fake, update, review } = await openHostedWorld()
  await update()
  fake.faults.at(1, { kind: 'fail-before', status: 400 }, ({ path }) => path.endsWith('/projects/acme%2Fweb'))
  const [status] = await update()
  expect(status.commit).not.toBeNull()
  expect(status.trouble).toContain('could not be updated')
  expect(across(await review())).toHaveLength(1)
})

test('what leaves the settings leaves the index and the disk', async () => {
  const { fake, update, configure, readIndex, folder } = await openHostedWorld()
  await update()
  fake.world.createProject('acme/app', { files: application() })
  configure({ repositories: [`${fake.url}/acme/app`] })
  await update()
  const rows = await readIndex((index) => index.repositories())
  expect(rows.map(({ name }) => name)).toEqual([`${fake.url}/acme/app`])
  const mirrors = readdirSync(join(folder, 'cache/sightline/workspace'))
  expect(mirrors.filter((name) => /^[0-9a-f]{32}$/.test(name))).toHaveLength(1)
})

test('a new repository of the old name has nothing of the former one', async () => {
  const { fake, web, update, review } = await openHostedWorld()
  await update()
  web.isDeleted = true
  fake.world.createProject('acme/web', { files: { 'README.md': '# Another\n' } })
  await update()
  expect(across(await review())).toEqual([])
})

test('an address of a host that is not known is named, and nothing is sent there', async () => {
  const { client, configure, review } = await openHostedWorld()
  setVisibility(client, 'private')
  configure({ repositories: ['https://git.evil.example/acme/web'] })
  const { coverage }: Review = await review()
  expect(JSON.stringify(coverage)).toContain('the repository web was not read')
})
