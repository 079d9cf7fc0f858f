/** Runs on disk: what is found again, what damage and kills leave, and that nothing of a newer version is touched. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { JournalAnswer, JournalRequest } from '../../src/domain/journal.ts'
import type { Review } from '../../src/domain/review.ts'
import { replayJournal, swapJournal } from '../../src/storage/runs/replay-journal.ts'
import { sweep, sweepDaily } from '../../src/storage/runs/retention.ts'
import { RunStore, stateFolder } from '../../src/storage/runs/run-store.ts'
import { logPath } from '../../src/storage/runs/stored-run.ts'
import { exportRun, importRun } from '../../src/storage/runs/transfer.ts'

function newStore(): RunStore {
  const folder = mkdtempSync(join(tmpdir(), 'runs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return new RunStore(folder)
}

const header = {
  label: 'commit 1',
  repository: '/r',
  place: 'local/r/1',
  depth: 'quick',
  versions: { sightline: '0.1.0' },
  options: {},
} as const
const usual = { texts: 'full', fresh: false, now: new Date('2026-11-21T06:15:02Z') } as const
const review = { findings: [], run: {}, coverage: { complete: true } } as unknown as Review

type ModelRequest = Extract<JournalRequest, { kind: 'model' }>
const request = (body: string, some: Partial<ModelRequest> = {}): ModelRequest => ({
  kind: 'model',
  role: 'reviewer',
  address: 'quick/group-1/review',
  method: 'POST',
  url: 'http://127.0.0.1/v1',
  body,
  sample: 0,
  outcome: 'answered',
  ...some,
})
const answer = (body: string): JournalAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body,
  durationMs: 5,
})

test('an answer is found by what was asked, whatever the address, in this run and in later ones', async () => {
  const store = newStore()
  const first = store.begin(header, usual)
  expect(await first.find(request('a'))).toBeNull()
  await first.record(request('a'), answer('A'))
  expect(await first.find(request('a', { address: 'elsewhere', role: 'judge' }))).toEqual(answer('A'))
  expect(await first.find(request('a', { sample: 1 }))).toBeNull()
  expect(await first.find(request('a', { url: 'http://other/' }))).toBeNull()
  const second = store.begin(header, usual)
  expect(await second.find(request('a'))).toEqual(answer('A'))
  const fresh = store.begin(header, { ...usual, fresh: true })
  expect(await fresh.find(request('a'))).toBeNull()
  await fresh.record(request('a'), answer('A2'))
  expect(await store.begin(header, usual).find(request('a'))).toEqual(answer('A2'))
  expect(await second.find(request('a'))).toEqual(answer('A2'))
})

test('list, open by part of the name, and what a run that is on, killed or finished is called', async () => {
  const store = newStore()
  const one = store.begin(header, usual)
  await one.record(request('a'), answer('A'))
  expect(store.list()).toMatchObject([{ state: 'running', calls: 1, findings: null }])
  store.end(one.run)
  expect(store.list()[0]?.state).toBe('killed')
  const two = store.begin(header, { ...usual, now: new Date('2026-11-21T07:00:00Z') })
  await two.finish(review, '{}')
  store.end(two.run)
  expect(store.list().map(({ header: { run }, state }) => [run, state])).toEqual([
    [two.run, 'finished'],
    [one.run, 'killed'],
  ])
  expect(store.open('last').header.run).toBe(two.run)
  expect(store.open(one.run.slice(-6)).header.run).toBe(one.run)
  expect(() => store.open('2026')).toThrow('matches several runs')
  expect(() => store.open('nope')).toThrow('there is no run nope')
  expect(store.kept(store.open('last')).reads).toBe('{}')
  expect(() => store.kept(store.open(one.run))).toThrow('did not finish')
})

test('a torn line is the end of the log; a damaged one is told, and what stands before it still serves', async () => {
  const store = newStore()
  const one = store.begin(header, usual)
  await one.record(request('a'), answer('A'))
  const path = logPath(store.runs, one.run)
  appendFileSync(path, 'deadbeef {"type":"no')
  expect(store.open(one.run)).toMatchObject({ damage: null, entries: { length: 2 } })
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace('"answer"', '"answes"'))
  expect(store.open(one.run).damage).toBe('line 2 of 2 of its log is damaged')
  expect(store.list()[0]?.damage).toContain('damaged')
  writeFileSync(path, '')
  expect(() => store.open(one.run)).toThrow('its log is empty')
  expect(store.list()).toEqual([])
  expect(store.unreadable()).toEqual([`run ${one.run}: its log is empty`])
})

test('an object that is damaged or gone is as if it had never been', async () => {
  const store = newStore()
  const one = store.begin(header, usual)
  await one.record(request('a'), answer('A'))
  const [entry] = store.open(one.run).entries.filter(({ type }) => type === 'answer')
  if (entry?.type !== 'answer' || !entry.answer) throw new Error('no answer')
  const path = store.objects.pathOf(entry.answer)
  for (const bytes of ['garbage', '', zstdOf('{"status":200}')]) {
    writeFileSync(path, bytes)
    expect(await store.begin(header, usual).find(request('a'))).toBeNull()
  }
  rmSync(path)
  const listed = store.list().find(({ header: { run } }) => run === one.run)
  expect(listed?.damage).toBe('1 of its 2 objects is missing')
  const again = store.begin(header, usual)
  expect(await again.find(request('a'))).toBeNull()
  await again.record(request('a'), answer('A'))
  expect(await again.find(request('a'))).toEqual(answer('A'))
})

const zstdOf = (text: string) => Buffer.from(text)

test('a store of a newer version is left alone, and the run goes on without', async () => {
  const store = newStore()
  writeFileSync(join(store.folder, 'FORMAT'), '3\n')
  const one = store.begin(header, usual)
  expect(one.trouble).toContain('a newer version of Sightline wrote it, in format 3')
  await one.record(request('a'), answer('A'))
  expect(readdirSync(store.folder)).toEqual(['FORMAT'])
  expect(() => store.list()).toThrow('a newer version')
})

test('where nothing can be written the run goes on and says so', async () => {
  // A file stands where the folder should be.
  const store = new RunStore('/dev/null/sightline')
  const one = store.begin(header, usual)
  expect(one.trouble).toContain('not recorded completely')
  await one.record(request('a'), answer('A'))
  await one.finish(review, '{}')
  expect(await one.find(request('b'))).toBeNull()
})

test('files are the user’s alone', async () => {
  const store = newStore()
  chmodSync(store.folder, 0o700)
  const one = store.begin(header, usual)
  await one.record(request('a'), answer('A'))
  expect(statSync(store.runs).mode & 0o777).toBe(0o700)
  expect(statSync(logPath(store.runs, one.run)).mode & 0o777).toBe(0o600)
})

test('texts: hashes keeps neither prompt nor answer, and such a run can be counted', async () => {
  const store = newStore()
  const one = store.begin(header, { ...usual, texts: 'hashes' })
  await one.record(request('the prompt'), answer('the answer'))
  await one.finish(review, 'the reads')
  store.end(one.run)
  expect(existsSync(join(store.folder, 'objects'))).toBe(false)
  expect(readFileSync(logPath(store.runs, one.run), 'utf8')).not.toMatch(/the (prompt|answer|reads)/)
  expect(store.list()).toMatchObject([{ calls: 1, state: 'finished' }])
  expect(() => store.kept(store.open('last'))).toThrow('recorded without texts')
})

test('a replay answers from the record and lets nothing out; a swap sends one role only', async () => {
  const store = newStore()
  const one = store.begin(header, usual)
  await one.record(request('review', { role: 'reviewer' }), answer('old'))
  await one.record(request('explore', { role: 'scout' }), answer('seen'))
  const run = store.open(one.run)
  const replay = replayJournal(run, store)
  expect((await replay.find(request('explore')))?.body).toBe('seen')
  await expect(replay.find(request('new'))).rejects.toThrow(
    'has no recorded answer to the model request at quick/group-1/review',
  )
  const counts = { record: 0, live: 0 }
  const live = store.begin(header, { ...usual, fresh: true })
  const swap = swapJournal(run, store, {
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

test('a run as one file: out, into another store, the same; tampered with, refused', async () => {
  const from = newStore()
  const one = from.begin(header, usual)
  await one.record(request('a'), answer('A'))
  await one.finish(review, '{"reads":1}')
  from.end(one.run)
  const bytes = exportRun(from, from.open('last'))
  const to = newStore()
  expect(importRun(to, bytes)).toBe(one.run)
  expect(importRun(to, bytes)).toBe(one.run)
  expect(to.open('last')).toEqual(from.open('last'))
  expect(to.kept(to.open('last'))).toEqual(from.kept(from.open('last')))
  expect(Buffer.compare(exportRun(to, to.open('last')), bytes)).toBe(0)
  expect(() => importRun(to, bytes.subarray(0, 100))).toThrow('it is not a run, or it is damaged')
  const text = zstdDecompressSync(bytes).toString('utf8')
  for (const bad of [text.replace('\\"reads\\":1', '\\"reads\\":2'), text.replace('commit 1', 'commit 2')])
    expect(() => importRun(newStore(), zstdCompressSync(Buffer.from(bad)))).toThrow(/cannot be imported/)
})

test('old runs go, with what only they referred to; what is young or shared stays', async () => {
  const store = newStore()
  const old = store.begin(header, usual)
  await old.record(request('shared'), answer('S'))
  await old.record(request('only old'), answer('O'))
  store.end(old.run)
  const young = store.begin(header, usual)
  expect((await young.find(request('shared')))?.body).toBe('S')
  store.end(young.run)
  const now = new Date(Date.now() + 40 * 86_400_000)
  for (const file of everyFile(store.folder)) utimesSync(file, new Date(), new Date())
  utimesSync(logPath(store.runs, young.run), now, now)
  expect(sweep(store, 30, now)).toEqual({ runs: 1, objects: 2, answers: 1 })
  expect(store.list().map(({ header: { run } }) => run)).toEqual([young.run])
  expect((await store.begin(header, usual).find(request('shared')))?.body).toBe('S')
})

test('sweeping is done once a day at most', () => {
  const store = newStore()
  store.begin(header, usual).close()
  const now = new Date()
  expect(sweepDaily(store, 30, now)).toEqual({ runs: 0, objects: 0, answers: 0 })
  expect(sweepDaily(store, 30, now)).toBeNull()
  expect(sweepDaily(store, 30, new Date(now.getTime() + 25 * 3_600_000))).not.toBeNull()
})

test('a clock that once stood ahead removes nothing; one that goes on from there is believed', () => {
  const store = newStore()
  const begin = () => store.begin(header, usual).close()
  begin()
  const start = Date.now()
  const at = (days: number) => new Date(start + days * 86_400_000)
  expect(sweepDaily(store, 30, at(0))).toEqual({ runs: 0, objects: 0, answers: 0 })
  // Sixty days ahead for an afternoon, and right again the day after.
  expect(sweepDaily(store, 30, at(60))).toBeNull()
  expect(sweepDaily(store, 30, at(60.5))).toBeNull()
  expect(sweepDaily(store, 30, at(2))).toEqual({ runs: 0, objects: 0, answers: 0 })
  // Twice ahead, each time elsewhere.
  expect(sweepDaily(store, 30, at(90))).toBeNull()
  expect(sweepDaily(store, 30, at(400))).toBeNull()
  expect(sweepDaily(store, 30, at(3))).toEqual({ runs: 0, objects: 0, answers: 0 })
  expect(store.list()).toHaveLength(1)
  // Back: nothing is older than it is.
  expect(sweepDaily(store, 30, at(-400))).toEqual({ runs: 0, objects: 0, answers: 0 })
  expect(sweepDaily(store, 30, at(4))).toBeNull()
  // A long holiday: a day later the clock has gone on.
  expect(sweepDaily(store, 30, at(100))).toBeNull()
  expect(sweepDaily(store, 30, at(101))).toMatchObject({ runs: 1 })
})

test('runs without a mark of the last sweep are not taken for old because the clock leapt', () => {
  const store = newStore()
  store.begin(header, { ...usual, now: new Date(Date.now() - 5_000) }).close()
  store.begin(header, usual).close()
  expect(sweepDaily(store, 30, new Date(Date.now() + 60 * 86_400_000))).toBeNull()
  expect(store.list()).toHaveLength(2)
})

test('the state folder is the settings’, or the user’s', () => {
  const settings = { keepDays: 30, texts: 'full' } as const
  expect(stateFolder({ ...settings, folder: '/x' }, {})).toBe('/x')
  expect(stateFolder(settings, { XDG_STATE_HOME: '/s' })).toBe('/s/sightline')
  expect(stateFolder(settings, { HOME: '/h' })).toBe('/h/.local/state/sightline')
})

function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((one) =>
    one.isFile() ? [join(one.parentPath, one.name)] : [],
  )
}
