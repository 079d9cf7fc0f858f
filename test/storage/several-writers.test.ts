/** Several processes write at once, and one sweeps meanwhile: nothing is lost, nothing doubled, nothing taken away. */
import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sha256 } from '../../src/base/canonical-json.ts'
import type { FileRunStore } from '../../src/storage/runs/files/store.ts'
import { journalKey } from '../../src/storage/runs/recorder.ts'
import { listRuns, readKept } from '../../src/storage/runs/stored-run.ts'
import { run } from '../helpers/sightline.ts'
import { answer, beginRun, emptyReview, newStore, openRun, request } from './run-world.ts'

const writer = join(import.meta.dirname, 'writer.ts')

async function write(store: FileRunStore, name: string, entries: number, shared: number): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [
    writer,
    store.folder,
    name,
    `${entries}`,
    `${shared}`,
  ])
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^\d{8}-\d{6}-[0-9a-f]{6} fine\n$/)
  return stdout.split(' ')[0] ?? ''
}

test('two processes, a hundred and twenty answers each, a third of them the same', async () => {
  const store = newStore()
  const names = ['one', 'two']
  const runs = await Promise.all(names.map((name) => write(store, name, 120, 40)))
  for (const [index, name] of runs.entries()) {
    const run = await openRun(store, name)
    const { entries, damage } = run
    expect(damage).toBeNull()
    const answers = entries.filter((entry) => entry.type === 'answer')
    expect(answers).toHaveLength(120)
    expect(new Set(answers.map(({ key }) => key)).size).toBe(120)
    const bodies = answers.map(({ answer }) => JSON.parse(store.objects.get(answer ?? '') ?? '{}').body)
    const wanted = Array.from({ length: 120 }, (_, at) =>
      at < 40 ? `shared ${at} answered` : `${names[index]} ${at} answered`,
    )
    expect(bodies).toEqual(wanted)
    expect((await readKept(run, store.keyFolder)).reads).toBe(JSON.stringify({ name: names[index] }))
  }
  const left = readdirSync(store.folder, { recursive: true, encoding: 'utf8' })
  expect(left.filter((name) => /\.(draft|out|pid)$/.test(name))).toEqual([])
  expect((await listRuns(store)).runs.map(({ state }) => state)).toEqual(['finished', 'finished'])
})

test('what an expired run shares with one that is being written is not swept away under it', async () => {
  const store = newStore()
  const old = await beginRun(store)
  for (let index = 0; index < 40; index++)
    await old.record(request(`shared ${index}`), answer(`shared ${index} answered`))
  await old.finish(emptyReview, '{}')
  makeOld(store)
  const writing = write(store, 'young', 80, 40)
  let isOver = false
  void writing.finally(() => {
    isOver = true
  })
  let sweeps = 0
  while (!isOver) {
    await store.sweep(30, new Date())
    sweeps++
    await new Promise((done) => setTimeout(done, 5))
  }
  const { entries } = await openRun(store, await writing)
  expect(sweeps).toBeGreaterThan(5)
  const answers = entries.filter((entry) => entry.type === 'answer')
  expect(answers).toHaveLength(80)
  for (const { answer } of answers) expect(store.objects.get(answer ?? '')).not.toBeNull()
  expect((await listRuns(store)).runs).toHaveLength(1)
})

test('an object that a killed sweeper had laid aside is still found, and comes back with the next sweep', async () => {
  const store = newStore()
  const name = sha256('content')
  store.objects.put(name, 'content')
  const path = store.objects.pathOf(name)
  const { renameSync } = await import('node:fs')
  renameSync(path, `${path}.out`)
  expect(store.objects.get(name)).toBe('content')
  expect(await store.sweep(30, new Date())).toMatchObject({ objects: 0 })
  expect(store.objects.sizeOf(name)).toBeGreaterThan(0)
})

function makeOld(store: FileRunStore): void {
  const then = new Date(Date.now() - 40 * 86_400_000)
  for (const one of readdirSync(store.folder, { recursive: true, withFileTypes: true }))
    if (one.isFile()) utimesSync(join(one.parentPath, one.name), then, then)
}

test('when a call of a recorder has ended, so has all that it asked of a slow store', async () => {
  const fast = newStore()
  let underWay = 0
  const slow = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function' || name === 'answers')
          return typeof value === 'function' ? value.bind(target) : value
        return async (...given: unknown[]) => {
          underWay++
          try {
            await turn()
            const result: unknown = await value.apply(target, given)
            await turn()
            return name === 'create' && result ? slow(result) : result
          } finally {
            underWay--
          }
        }
      },
    })
  const ended = async <Result>(work: Promise<Result>): Promise<Result> => {
    const result = await work
    expect(underWay).toBe(0)
    return result
  }
  const patient = { patienceMs: 10_000 }
  const one = await ended(beginRun(slow(fast)))
  expect(await ended(one.find(request('a'), patient))).toBeNull()
  const other = await ended(beginRun(slow(fast), {}, { now: new Date('2026-11-21T06:16:02Z') }))
  const waiting = other.find(request('a'), patient)
  // By now it waits for the first, rather than that it asks itself.
  for (let turns = 0; turns < 50; turns++) await turn()
  await ended(one.record(request('a'), answer('A')).then(() => waiting))
  expect(await ended(one.find(request('a')))).toEqual(answer('A'))
  expect(await waiting).toEqual(answer('A'))
  expect(await ended(one.find(request('b'), patient))).toBeNull()
  await ended(other.finish(emptyReview, '{}'))
  await ended(one.finish(emptyReview, '{}'))
  expect(await fast.claim(journalKey(request('b')), other.run)).toBe(true)
  const { runs } = await listRuns(fast)
  expect(runs).toMatchObject([
    { state: 'finished', calls: 1 },
    { state: 'finished', calls: 2 },
  ])
  expect([one.trouble, other.trouble]).toEqual([null, null])
  const { entries } = await openRun(fast, other.run)
  const asked = entries.flatMap((entry) => (entry.type === 'answer' ? entry.request : []))
  expect(asked.map((name) => JSON.parse(fast.objects.get(name ?? '') ?? '{}'))).toMatchObject([{ body: 'a' }])
})
