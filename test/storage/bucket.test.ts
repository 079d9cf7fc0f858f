/** Runs in a bucket that fails, lies or loses an answer. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Settings } from '../../src/config/settings/schema.ts'
import type { RunStore } from '../../src/storage/runs/contract.ts'
import { FileRunStore } from '../../src/storage/runs/files/store.ts'
import { openRunStore } from '../../src/storage/runs/registry.ts'
import { listRuns } from '../../src/storage/runs/stored-run.ts'
import { importRun } from '../../src/storage/runs/transfer.ts'
import { type FakeS3, type FakeS3Options, startFakeS3 } from '../helpers/fakes/s3-server.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { answer, beginRun, emptyReview, openRun, request } from './run-world.ts'

const servers: FakeS3[] = []
beforeEach(() => {
  for (const [name, value] of Object.entries({
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
  }))
    vi.stubEnv(name, value)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) await server.close()
})

async function open(options: FakeS3Options = {}, more: { store?: string; endpoint?: string } = {}) {
  const server = await startFakeS3(options)
  servers.push(server)
  const { store: url = `s3://${server.bucket}`, endpoint = server.endpoint } = more
  const journal = { folder: temporaryFolder(), store: url, s3: { endpoint, pathStyle: true } }
  const settings = Settings.parse({ journal }).journal
  return { server, store: await openRunStore(settings, { environment: {}, tenant: 'local' }) }
}

const isSegment = (line: string, at: number) => new RegExp(`^PUT .*/0000000${at}\\.zst$`).test(line)

test('a server that ignores conditional writes is refused before anything is asked', async () => {
  const { store } = await open({ checksConditions: false })
  await expect(beginRun(store)).rejects.toMatchObject({
    code: 'run-store-refused',
    message: expect.stringContaining('the server ignores If-None-Match'),
  })
})

test('so is a bucket that is not there', async () => {
  const { store } = await open({}, { store: 's3://no-such-bucket/runs' })
  await expect(beginRun(store)).rejects.toMatchObject({ code: 'run-store-refused' })
  await expect(listRuns(store)).rejects.toMatchObject({
    code: 'run-store-refused',
    message: expect.stringMatching(/^s3:\/\/no-such-bucket\/runs\/tenants\/\S+: NoSuchBucket/),
  })
})

test('where it does not answer, the review goes on and says so; commands say what is wrong', async () => {
  const { store } = await open({}, { endpoint: 'http://127.0.0.1:9' })
  const run = await beginRun(store)
  expect(run.trouble).toMatch(/not recorded completely: s3:\/\/reviews\/tenants\/\S+: .*ECONNREFUSED/)
  expect(await run.find(request('a'), { patienceMs: 1 })).toBeNull()
  await run.record(request('a'), answer('A'))
  await run.finish(emptyReview, '{}')
  await expect(listRuns(store)).rejects.toMatchObject({ code: 'run-store-unavailable', exitCode: 3 })
})

test('an outage in the middle ends the record, not the run; what was kept before can be read', async () => {
  const { store, server } = await open()
  const run = await beginRun(store)
  await run.record(request('a'), answer('A'))
  server.intercept = (line) => (line.startsWith('PUT') ? 'fail' : null)
  await run.record(request('b'), answer('B'))
  await run.finish(emptyReview, '{}')
  expect(run.trouble).toMatch(/not recorded completely: .*ServiceUnavailable/)
  server.intercept = null
  const { entries, damage } = await openRun(store)
  expect([damage, entries.map(({ type }) => type)]).toEqual([null, ['start', 'answer']])
})

test('a write whose answer was lost is not taken for that of another writer', async () => {
  const { store, server } = await open()
  const run = await beginRun(store)
  const lost = new Set<string>()
  server.intercept = (line) => {
    if (!isSegment(line, 2) || lost.has(line)) return null
    lost.add(line)
    return 'lose'
  }
  await run.record(request('a'), answer('A'))
  await run.finish(emptyReview, '{}')
  expect([lost.size, run.trouble]).toEqual([1, null])
  expect((await listRuns(store)).runs).toMatchObject([{ state: 'finished', calls: 1, damage: null }])
})

test('a writer that finds its segment taken gives up and says so', async () => {
  const { store, server } = await open()
  const run = await beginRun(store)
  const { runs } = await listRuns(store)
  expect(runs).toHaveLength(1)
  await copyOver(server, run.run)
  await run.record(request('a'), answer('A'))
  expect(run.trouble).toContain('another process writes runs/')
})

test('a run whose segment is missing ends before it', async () => {
  const { store, server } = await open()
  const run = await beginRun(store)
  for (const body of ['a', 'b', 'c']) await run.record(request(body), answer(body))
  const put = server.requests.findLast((line) => isSegment(line, 3)) ?? ''
  await fetch(`${server.endpoint}${put.slice('PUT '.length)}`, { method: 'DELETE' })
  const { entries, damage } = await openRun(store)
  expect([damage, entries.map(({ type }) => type)]).toEqual([null, ['start', 'answer']])
})

test('a run that is over is one object, which can be imported as it is; nothing else is left of it', async () => {
  const { store, server } = await open()
  const run = await beginRun(store)
  await run.record(request('a'), answer('A'))
  await run.finish(emptyReview, '{"reads":1}')
  const sealed = server.requests.findLast(
    (line) => line.endsWith(`/${run.run}.zst`) && line.startsWith('PUT'),
  )
  const pack = await fetch(`${server.endpoint}${sealed?.slice('PUT '.length)}`)
  const files: RunStore = new FileRunStore(temporaryFolder())
  expect(await importRun(files, Buffer.from(await pack.arrayBuffer()))).toBe(run.run)
  expect((await openRun(files)).lines).toEqual((await openRun(store)).lines)
  const removed = server.requests.filter((line) => line.startsWith('DELETE') && line.includes(`/${run.run}/`))
  expect(removed).toHaveLength(4)
})

/** Another process wrote what this run is about to write. */
async function copyOver(server: FakeS3, run: string): Promise<void> {
  const first = server.requests.findLast((line) => isSegment(line, 1)) ?? ''
  const path = first.slice('PUT '.length).replace('00000001', '00000002')
  expect(path).toContain(run)
  const { ok } = await fetch(`${server.endpoint}${path}`, { method: 'PUT', body: 'of another process' })
  expect(ok).toBe(true)
}
