/** Bytes flipped, files cut and a disk that is full: nothing crashes, nothing wrong is believed, and it is told. */
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UserError } from '../../src/base/errors.ts'
import { FileRunStore } from '../../src/storage/runs/files/store.ts'
import { listRuns, readKept } from '../../src/storage/runs/stored-run.ts'
import { exportRun, importRun } from '../../src/storage/runs/transfer.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { Random } from '../helpers/random.ts'
import { run } from '../helpers/sightline.ts'
import { answer, beginRun, emptyReview, newStore, openRun, request } from './run-world.ts'

const reads = JSON.stringify({ blobs: [['a', 'one\n']], secret: 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8' })

async function filledStore(): Promise<FileRunStore> {
  const store = newStore()
  for (const minute of [1, 2]) {
    const now = new Date(Date.UTC(2026, 10, 21, 6, minute))
    const one = await beginRun(store, {}, { now, fresh: true })
    for (const body of ['a', 'b']) await one.record(request(body), answer(body.toUpperCase()))
    one.note({ type: 'repair', address: 'x', detail: { problems: ['p'] } })
    await one.finish(emptyReview, reads)
  }
  return store
}

/** Whatever can be asked of a store; each answer is right, absent, or a `UserError`. */
async function askEverything(store: FileRunStore): Promise<void> {
  const names = (await attempt(() => listRuns(store)))?.runs.map(({ header }) => header.run) ?? []
  for (const name of [...names, 'last']) {
    const opened = await attempt(() => openRun(store, name))
    if (!opened) continue
    const kept = await attempt(() => readKept(opened, store.keyFolder))
    if (kept && !kept.lacksSecrets) expect(kept.reads).toBe(reads)
    const bytes = await attempt(() => exportRun(opened))
    if (bytes) await attempt(() => importRun(newStore(), bytes))
  }
  const next = await beginRun(store, {}, { now: new Date() })
  for (const body of ['a', 'b']) {
    const found = await next.find(request(body))
    if (found) expect(found.body).toBe(body.toUpperCase())
    await next.record(request(body), answer(body.toUpperCase()))
  }
  await next.finish(emptyReview, reads)
  await attempt(() => store.sweep(30, new Date()))
}

async function attempt<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

test('flip and cut bytes of every file of a store', async () => {
  const seed = Number(process.env.SIGHTLINE_SEED ?? 20_261_122)
  console.log(`damage with seed ${seed}`)
  const random = new Random(seed)
  const files = filesOf((await filledStore()).folder).length
  for (let index = 0; index < files; index++) {
    const store = await filledStore()
    const path = filesOf(store.folder)[index] ?? ''
    const bytes = readFileSync(path)
    if (bytes.length === 0) continue
    const at = random.between(0, bytes.length - 1)
    if (random.chance(0.3)) truncateSync(path, at)
    else {
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.between(0, 7))
      writeFileSync(path, bytes)
    }
    await askEverything(store)
  }
})

test('a line of a log that is taken out, doubled or moved is seen', async () => {
  const store = await filledStore()
  const log = join(store.runs, `${(await openRun(store)).header.run}.log`)
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  const [start = '', first = '', second = '', ...rest] = lines
  for (const bad of [
    [start, second, ...rest],
    [start, first, first, second, ...rest],
    [start, second, first, ...rest],
  ]) {
    writeFileSync(log, `${bad.join('\n')}\n`)
    expect((await openRun(store)).damage).toMatch(/^line \d of \d+ of its log is damaged$/)
    expect((await listRuns(store)).runs[0]?.damage).toMatch(/damaged/)
  }
})

test('a damaged pack is refused, wherever a byte of it is another', async () => {
  const from = await filledStore()
  const bytes = await exportRun(await openRun(from))
  const into = newStore()
  for (let at = 0; at < bytes.length; at += 7) {
    const bad = Buffer.from(bytes)
    bad[at] = (bad[at] ?? 0) ^ 0x20
    const name = await attempt(() => importRun(into, bad))
    // A byte that says nothing (of the frame's header) may differ; then the run is whole.
    if (name !== null)
      expect((await openRun(into, name)).entries).toEqual((await openRun(from, name)).entries)
  }
})

test('on a full disk the writer goes on, says so, and what it had written before can be read', async () => {
  const folder = temporaryFolder()
  const writer = join(import.meta.dirname, 'writer.ts')
  // A limit on the size of files is what a process can be given instead of a full disk.
  const command = `trap '' XFSZ; ulimit -f 8; exec "$0" "$@"`
  const { stdout, code } = await run('sh', [
    '-c',
    command,
    process.execPath,
    writer,
    folder,
    'one',
    '40',
    '0',
  ])
  expect(code).toBe(0)
  expect(stdout).toMatch(/the run was not recorded completely: .*(EFBIG|ENOSPC)/)
  const [found] = (await listRuns(new FileRunStore(folder))).runs
  expect(found).toMatchObject({ state: 'killed', damage: null })
  expect(found?.calls).toBeGreaterThan(2)
})

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((one) => (one.isFile() ? [join(one.parentPath, one.name)] : []))
    .sort()
}
