/** Runs on disk: what is found again, what damage and kills leave, and that nothing of a newer version is touched. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { FileRunStore } from '../../src/storage/runs/files/store.ts'
import { stateFolder } from '../../src/storage/runs/registry.ts'
import { replayJournal, swapJournal } from '../../src/storage/runs/replay-journal.ts'
import { sweepDaily } from '../../src/storage/runs/retention.ts'
import { listRuns, readKept } from '../../src/storage/runs/stored-run.ts'
import { exportRun, importRun } from '../../src/storage/runs/transfer.ts'
import { answer, beginRun, emptyReview, newStore, openRun, request } from './run-world.ts'

test('what a run asked anew is the answer from then on, also in a run that was there before', async () => {
  const store = newStore()
  await (await beginRun(store)).record(request('a'), answer('A'))
  const earlier = await beginRun(store)
  expect(await earlier.find(request('a'))).toEqual(answer('A'))
  const fresh = await beginRun(store, {}, { fresh: true })
  expect(await fresh.find(request('a'))).toBeNull()
  await fresh.record(request('a'), answer('A2'))
  expect(await fresh.find(request('a'))).toEqual(answer('A2'))
  for (const run of [await beginRun(store), earlier])
    expect(await run.find(request('a'))).toEqual(answer('A2'))
})

test('a torn line is the end of the log; a damaged one is told, and what stands before it still serves', async () => {
  const store = newStore()
  const one = await beginRun(store)
  await one.record(request('a'), answer('A'))
  const path = store.logPath(one.run)
  appendFileSync(path, 'deadbeef {"type":"no')
  expect(await openRun(store, one.run)).toMatchObject({ damage: null, entries: { length: 2 } })
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace('"answer"', '"answes"'))
  expect((await openRun(store, one.run)).damage).toBe('line 2 of 2 of its log is damaged')
  expect((await listRuns(store)).runs[0]?.damage).toContain('damaged')
  writeFileSync(path, '')
  await expect(openRun(store, one.run)).rejects.toThrow('its log is empty')
  expect((await listRuns(store)).runs).toEqual([])
  expect((await listRuns(store)).unreadable).toEqual([`run ${one.run}: its log is empty`])
})

test('an object that is damaged or gone is as if it had never been', async () => {
  const store = newStore()
  const one = await beginRun(store)
  await one.record(request('a'), answer('A'))
  const [entry] = (await openRun(store, one.run)).entries.filter(({ type }) => type === 'answer')
  if (entry?.type !== 'answer' || !entry.answer) throw new Error('no answer')
  const path = store.objects.pathOf(entry.answer)
  for (const bytes of ['garbage', '', '{"status":200}']) {
    writeFileSync(path, bytes)
    expect(await (await beginRun(store)).find(request('a'))).toBeNull()
  }
  rmSync(path)
  const listed = (await listRuns(store)).runs.find(({ header: { run } }) => run === one.run)
  expect(listed?.damage).toBe('1 of its 2 objects is missing')
  const again = await beginRun(store)
  expect(await again.find(request('a'))).toBeNull()
  await again.record(request('a'), answer('A'))
  expect(await again.find(request('a'))).toEqual(answer('A'))
})

test('where nothing can be written the run goes on and says so', async () => {
  // A file stands where the folder should be.
  const store = new FileRunStore('/dev/null/sightline')
  const one = await beginRun(store)
  expect(one.trouble).toContain('not recorded completely')
  await one.record(request('a'), answer('A'))
  await one.finish(emptyReview, '{}')
  expect(await one.find(request('b'))).toBeNull()
})

test('files are the user’s alone', async () => {
  const store = newStore()
  chmodSync(store.folder, 0o700)
  const one = await beginRun(store)
  await one.record(request('a'), answer('A'))
  expect(statSync(store.runs).mode & 0o777).toBe(0o700)
  expect(statSync(store.logPath(one.run)).mode & 0o777).toBe(0o600)
})

test('texts: hashes keeps neither prompt nor answer, and such a run can be counted', async () => {
  const store = newStore()
  const one = await beginRun(store, {}, { texts: 'hashes' })
  await one.record(request('the prompt'), answer('the answer'))
  await one.finish(emptyReview, 'the reads')
  await one.close()
  expect(existsSync(join(store.folder, 'objects'))).toBe(false)
  expect(readFileSync(store.logPath(one.run), 'utf8')).not.toMatch(/the (prompt|answer|reads)/)
  expect((await listRuns(store)).runs).toMatchObject([{ calls: 1, state: 'finished' }])
  await expect(openRun(store, 'last').then((run) => readKept(run, store.keyFolder))).rejects.toThrow(
    'recorded without texts',
  )
})

test('a replay answers from the record and lets nothing out; a swap sends one role only', async () => {
  const store = newStore()
  const one = await beginRun(store)
  await one.record(request('review', { role: 'reviewer' }), answer('old'))
  await one.record(request('explore', { role: 'scout' }), answer('seen'))
  const run = await openRun(store, one.run)
  const replay = replayJournal(run, store.keyFolder)
  expect((await replay.find(request('explore')))?.body).toBe('seen')
  await expect(replay.find(request('new'))).rejects.toThrow(
    'has no recorded answer to the model request at quick/group-1/review',
  )
  const counts = { record: 0, live: 0 }
  const live = await beginRun(store, {}, { fresh: true })
  const swap = swapJournal(run, store.keyFolder, {
    role: 'reviewer',
    live,
    mayGoOut: new Set(['judge']),
    onCount: (served) => counts[served]++,
  })
  expect((await swap.find(request('explore', { role: 'scout' })))?.body).toBe('seen')
  expect(await swap.find(request('review', { role: 'reviewer' }))).toBeNull()
  await swap.record(request('review', { role: 'reviewer' }), answer('new'))
  expect(counts).toEqual({ record: 1, live: 1 })
  expect(await swap.find(request('new', { role: 'judge' }))).toBeNull()
  await expect(swap.find(request('new', { role: 'scout' }))).rejects.toThrow('no recorded answer')
})

test('a run in a file that was tampered with is refused', async () => {
  const from = newStore()
  const one = await beginRun(from)
  await one.finish(emptyReview, '{"reads":1}')
  const text = zstdDecompressSync(await exportRun(await openRun(from))).toString('utf8')
  for (const bad of [text.replace('\\"reads\\":1', '\\"reads\\":2'), text.replace('commit 1', 'commit 2')])
    await expect(importRun(newStore(), zstdCompressSync(Buffer.from(bad)))).rejects.toThrow(
      /cannot be imported/,
    )
})

test('old runs go, with what only they referred to; what is young or shared stays', async () => {
  const store = newStore()
  const old = await beginRun(store)
  await old.record(request('shared'), answer('S'))
  await old.record(request('only old'), answer('O'))
  await old.close()
  const young = await beginRun(store)
  expect((await young.find(request('shared')))?.body).toBe('S')
  await young.close()
  const now = new Date(Date.now() + 40 * 86_400_000)
  for (const file of everyFile(store.folder)) utimesSync(file, new Date(), new Date())
  utimesSync(store.logPath(young.run), now, now)
  expect(await store.sweep(30, now)).toEqual({ runs: 1, objects: 2, answers: 1 })
  expect((await listRuns(store)).runs.map(({ header: { run } }) => run)).toEqual([young.run])
  expect((await (await beginRun(store)).find(request('shared')))?.body).toBe('S')
})

test('a clock that once stood ahead removes nothing; one that goes on from there is believed', async () => {
  const store = newStore()
  await (await beginRun(store)).close()
  const start = Date.now()
  const at = (days: number) => new Date(start + days * 86_400_000)
  expect(await swept(store, at(0))).toEqual({ runs: 0, objects: 0, answers: 0 })
  // Sixty days ahead for an afternoon, and right again the day after.
  expect(await swept(store, at(60))).toBeNull()
  expect(await swept(store, at(60.5))).toBeNull()
  expect(await swept(store, at(2))).toEqual({ runs: 0, objects: 0, answers: 0 })
  // Twice ahead, each time elsewhere.
  expect(await swept(store, at(90))).toBeNull()
  expect(await swept(store, at(400))).toBeNull()
  expect(await swept(store, at(3))).toEqual({ runs: 0, objects: 0, answers: 0 })
  expect((await listRuns(store)).runs).toHaveLength(1)
  // Back: nothing is older than it is.
  expect(await swept(store, at(-400))).toEqual({ runs: 0, objects: 0, answers: 0 })
  expect(await swept(store, at(4))).toBeNull()
  // A long holiday: a day later the clock has gone on.
  expect(await swept(store, at(100))).toBeNull()
  expect(await swept(store, at(101))).toMatchObject({ runs: 1 })
})

test('runs without a mark of the last sweep are not taken for old because the clock leapt', async () => {
  const store = newStore()
  await (await beginRun(store, {}, { now: new Date(Date.now() - 5_000) })).close()
  await (await beginRun(store)).close()
  expect(await swept(store, new Date(Date.now() + 60 * 86_400_000))).toBeNull()
  expect((await listRuns(store)).runs).toHaveLength(2)
})

test('the state folder is the settings’, or the user’s', async () => {
  expect(stateFolder({ folder: '/x' }, {})).toBe('/x')
  expect(stateFolder({}, { XDG_STATE_HOME: '/s' })).toBe('/s/sightline')
  expect(stateFolder({}, { HOME: '/h' })).toBe('/h/.local/state/sightline')
})

function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((one) =>
    one.isFile() ? [join(one.parentPath, one.name)] : [],
  )
}

/** As at the end of the newest run. */
async function swept(store: FileRunStore, now: Date) {
  const [run = ''] = await store.names()
  return await sweepDaily(store, { run, keepDays: 30, now })
}
