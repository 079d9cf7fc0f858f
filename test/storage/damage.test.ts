/** Bytes flipped, files cut and a disk that is full: nothing crashes, nothing wrong is believed, and it is told. */
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UserError } from '../../src/base/errors.ts'
import { sweep } from '../../src/storage/runs/retention.ts'
import { RunStore } from '../../src/storage/runs/run-store.ts'
import { exportRun, importRun } from '../../src/storage/runs/transfer.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { Random } from '../helpers/random.ts'
import { run } from '../helpers/sightline.ts'
import { answer, beginRun, emptyReview, newStore, request } from './run-world.ts'

const reads = JSON.stringify({ blobs: [['a', 'one\n']], secret: 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8' })

async function filledStore(): Promise<RunStore> {
  const store = newStore()
  for (const minute of [1, 2]) {
    const now = new Date(Date.UTC(2026, 10, 21, 6, minute))
    const one = beginRun(store, {}, { now, fresh: true })
    for (const body of ['a', 'b']) await one.record(request(body), answer(body.toUpperCase()))
    one.note({ type: 'repair', address: 'x', detail: { problems: ['p'] } })
    await one.finish(emptyReview, reads)
    store.end(one.run)
  }
  return store
}

/** Whatever can be asked of a store; each answer is right, absent, or a `UserError`. */
async function askEverything(store: RunStore): Promise<void> {
  const names = attempt(() => store.list().map(({ header }) => header.run)) ?? []
  for (const name of [...names, 'last']) {
    const opened = attempt(() => store.open(name))
    if (!opened) continue
    const kept = attempt(() => store.kept(opened))
    if (kept && !kept.lacksSecrets) expect(kept.reads).toBe(reads)
    const bytes = attempt(() => exportRun(store, opened))
    if (bytes) attempt(() => importRun(newStore(), bytes))
  }
  const next = beginRun(store, {}, { now: new Date() })
  for (const body of ['a', 'b']) {
    const found = await next.find(request(body))
    if (found) expect(found.body).toBe(body.toUpperCase())
    await next.record(request(body), answer(body.toUpperCase()))
  }
  await next.finish(emptyReview, reads)
  store.end(next.run)
  attempt(() => sweep(store, 30, new Date()))
}

function attempt<Result>(work: () => Result): Result | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

test('flip and cut bytes of every file of a store', { timeout: 240_000 }, async () => {
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
  const log = join(store.runs, `${store.open('last').header.run}.log`)
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  const [start = '', first = '', second = '', ...rest] = lines
  for (const bad of [
    [start, second, ...rest],
    [start, first, first, second, ...rest],
    [start, second, first, ...rest],
  ]) {
    writeFileSync(log, `${bad.join('\n')}\n`)
    expect(store.open('last').damage).toMatch(/^line \d of \d+ of its log is damaged$/)
    expect(store.list()[0]?.damage).toMatch(/damaged/)
  }
})

test('a damaged pack is refused, wherever a byte of it is another', { timeout: 120_000 }, async () => {
  const from = await filledStore()
  const bytes = exportRun(from, from.open('last'))
  const into = newStore()
  for (let at = 0; at < bytes.length; at += 7) {
    const bad = Buffer.from(bytes)
    bad[at] = (bad[at] ?? 0) ^ 0x20
    const name = attempt(() => importRun(into, bad))
    // A byte that says nothing (of the frame's header) may differ; then the run is whole.
    if (name !== null) expect(into.open(name).entries).toEqual(from.open(name).entries)
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
  const [found] = new RunStore(folder).list()
  expect(found).toMatchObject({ state: 'killed', damage: null })
  expect(found?.calls).toBeGreaterThan(2)
})

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((one) => (one.isFile() ? [join(one.parentPath, one.name)] : []))
    .sort()
}
