/** A review recorded in a bucket: replayed on another machine with model and repository gone, moved to files, removed. */
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { startFakeS3 } from '../helpers/fakes/s3-server.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { ownFolders, sightline } from '../helpers/sightline.ts'
import { fakeEnvironment, followUpSteps, retryRepo } from './quick-world.ts'

const timeout = 240_000

/** The client of the bucket reads its keys from the process alone. */
async function openBucket() {
  const s3 = await startFakeS3()
  for (const [name, value] of Object.entries(s3.environment)) vi.stubEnv(name, value)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  return s3
}

test('the same bytes from the bucket, and from files after the run has moved there', {
  timeout,
}, async () => {
  await using s3 = await openBucket()
  const fake = await startFakeProvider('anthropic', { steps: followUpSteps })
  const repo = retryRepo()
  const settings = `journal: { store: 's3://${s3.bucket}/team', s3: { endpoint: '${s3.endpoint}', pathStyle: true } }`
  const shared = fakeEnvironment(fake, { settings })
  const env = { ...shared, ...ownFolders() }
  const first = await sightline(['review', 'HEAD', '--repo', repo.path, '--json', '--quiet'], { env })
  expect(first.stderr).toBe('')
  expect(JSON.parse(first.stdout).findings).toHaveLength(2)
  await fake.close()
  renameSync(repo.path, `${repo.path}-away`)

  const other = { ...shared, ...ownFolders() }
  const replayed = await sightline(['replay', 'last', '--json'], { env: other })
  renameSync(`${repo.path}-away`, repo.path)
  expect([replayed.stderr, replayed.stdout]).toEqual(['', first.stdout])
  for (const { XDG_STATE_HOME } of [env, other])
    expect(existsSync(join(XDG_STATE_HOME, 'sightline', 'runs'))).toBe(false)

  const [run] = JSON.parse((await sightline(['runs', '--json'], { env: other })).stdout)
  expect(run).toMatchObject({ state: 'finished', calls: 2, findings: 2, damage: null })
  const pack = join(temporaryFolder(), 'run.zst')
  expect((await sightline(['runs', '--export', pack], { env: other })).code).toBe(0)
  const files = { ...ownFolders(), XDG_CONFIG_HOME: temporaryFolder() }
  expect((await sightline(['runs', '--import', pack], { env: files })).code).toBe(0)
  expect((await sightline(['replay', 'last', '--json'], { env: files })).stdout).toBe(first.stdout)

  const removed = await sightline(['runs', '--remove-all', '--yes'], { env })
  expect(removed.stdout).toMatch(/^Removed 1 run and \d+ objects?\n$/)
  expect(JSON.parse((await sightline(['runs', '--json'], { env: other })).stdout)).toEqual([])
})

test('a bucket that is not there stops the review before a model is asked', { timeout }, async () => {
  await using s3 = await openBucket()
  await using fake = await startFakeProvider('anthropic', { steps: followUpSteps })
  const settings = `journal: { store: 's3://no-such-bucket', s3: { endpoint: '${s3.endpoint}', pathStyle: true } }`
  const env = { ...fakeEnvironment(fake, { settings }), ...ownFolders() }
  const review = ['review', 'HEAD', '--repo', retryRepo().path, '--quiet']
  const { code, stdout, stderr } = await sightline(review, { env })
  expect([code, stdout, fake.requests.length]).toEqual([2, '', 0])
  expect(stderr).toContain('NoSuchBucket')
})
