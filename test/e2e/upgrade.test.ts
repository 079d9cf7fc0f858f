/**
 * Records of other versions: what this format holds is replayed and resumed, what another version wrote is refused in
 * words that name it. `present.zst` was recorded by this version and is recorded anew, when prompts or reviews change on
 * purpose, with `SIGHTLINE_RECORD=1 npx vitest run test/e2e/upgrade.test.ts`. `older.zst` is of format 1, in which every
 * request was an HTTP request, and is never recorded again.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { FileRunStore } from '../../src/storage/runs/files/store.ts'
import { listRuns } from '../../src/storage/runs/stored-run.ts'
import { importRun } from '../../src/storage/runs/transfer.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { ownFolders, root, sightline } from '../helpers/sightline.ts'
import { fakeEnvironment, followUpSteps, retryRepo } from './quick-world.ts'

const present = join(root, 'test/fixtures/runs/present.zst')
const older = join(root, 'test/fixtures/runs/older.zst')
const timeout = 120_000
/** The address of the provider is part of every recorded question; it lies below those that systems give out. */
const port = 24_010

type Entry = Record<string, unknown> & { type: string }
type Pack = { sightlineRun: number; log: string[]; objects: Record<string, string> }

test('the run of this version is on file', { timeout }, async ({ skip }) => {
  skip(process.env.SIGHTLINE_RECORD !== '1', 'SIGHTLINE_RECORD=1 records it anew')
  await using fake = await startFakeProvider('anthropic', { steps: followUpSteps }, { port })
  const env = { ...fakeEnvironment(fake), ...home() }
  const first = await sightline(['review', 'HEAD', '--repo', retryRepo().path, '--json', '--quiet'], { env })
  expect([first.code, first.stderr]).toEqual([0, ''])
  await sightline(['runs', '--export', present], { env })
})

test('a run of this format is imported and replayed to the same bytes', { timeout }, async () => {
  const env = home()
  const imported = await sightline(['runs', '--import', present], { env })
  expect([imported.code, imported.stderr]).toEqual([0, ''])
  const { stdout, stderr, code } = await sightline(['replay', 'last', '--json'], { env })
  expect([code, stderr], 'record it anew if this was changed on purpose').toEqual([0, ''])
  expect(JSON.parse(stdout)).toEqual(reviewIn(read(present)))
})

test('a killed run of this format goes on where it ended', { timeout }, async () => {
  const pack = read(present)
  const entries = entriesOf(pack)
  const killed = entries.slice(0, entries.findIndex(({ kind }) => kind === 'model') + 1)
  const env = home()
  const store = new FileRunStore(join(env.XDG_STATE_HOME, 'sightline'))
  mkdirSync(store.folder, { recursive: true, mode: 0o700 })
  const run = await importRun(store, written({ ...pack, log: logOf(killed) }))
  // An import is never believed; what a review of this machine was answered is.
  for (const { key, answer } of killed) if (answer) store.pointers.point(String(key), String(answer))
  expect((await listRuns(store)).runs.map(({ state }) => state)).toEqual(['killed'])

  await using fake = await startFakeProvider('anthropic', { steps: followUpSteps.slice(1) }, { port })
  const review = ['review', 'HEAD', '--repo', retryRepo().path, '--json', '--quiet']
  const { stdout, stderr } = await sightline(review, { env: { ...fakeEnvironment(fake), ...env } })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout).findings).toEqual(reviewIn(pack).findings)
  expect([fake.requests.length, fake.calls.length, fake.mistakes]).toEqual([1, 1, []])
  expect((await listRuns(store)).runs.map(({ header, state }) => [header.run === run, state])).toEqual([
    [false, 'finished'],
    [true, 'killed'],
  ])
})

test('a run of an older format is neither imported nor replayed; the next review is kept beside it', {
  timeout,
}, async () => {
  const env = home()
  const words =
    'an older version of Sightline (0.1.0) wrote it, in format 1; this version reads format 2: replay it with that version, or review the change again'
  const imported = await sightline(['runs', '--import', older], { env })
  expect([imported.code, oneLine(imported.stderr)]).toEqual([3, expect.stringContaining(words)])

  const folder = join(env.XDG_STATE_HOME, 'sightline')
  const run = storeAsWritten(folder, read(older), 1)
  const listed = await sightline(['runs'], { env })
  expect([listed.code, oneLine(listed.stderr)]).toEqual([0, expect.stringContaining(words)])
  for (const command of ['replay', 'show'])
    expect(oneLine((await sightline([command, 'last'], { env })).stderr)).toContain(words)

  const review = ['review', 'HEAD', '--repo', retryRepo().path, '--quiet', '--depth', 'offline']
  expect((await sightline(review, { env })).stderr).toBe('')
  expect((await sightline(['replay', 'last'], { env })).code).toBe(0)
  expect(readFileSync(join(folder, 'FORMAT'), 'utf8')).toBe('2\n')
  expect((await sightline(['runs', '--clean'], { env })).stdout).toBe('Removed 0 runs and 0 objects\n')
  expect(readdirSync(join(folder, 'runs'))).toContain(`${run}.log`)
})

test('a review of another shape is refused by name, and can still be looked at', { timeout }, async () => {
  const env = home()
  const file = join(temporaryFolder(), 'run.zst')
  writeFileSync(file, written(withOtherReview(read(present))))
  expect((await sightline(['runs', '--import', file], { env })).code).toBe(0)
  const replayed = await sightline(['replay', 'last'], { env })
  expect([replayed.code, replayed.stdout]).toEqual([3, ''])
  expect(oneLine(replayed.stderr)).toContain(
    'its review has an unknown format: another version of Sightline (0.1.0) wrote it; replay it with that version, or review the change again',
  )
  const shown = await sightline(['show', 'last'], { env })
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('quick/group-1/review')])
})

test.each([
  [
    'a newer format',
    (pack: Pack) => ({ ...pack, sightlineRun: 3, log: logOf(madeBy(pack, '0.3.0', 3)) }),
    'a newer version of Sightline (0.3.0) wrote it, in format 3; this version reads format 2: update Sightline',
  ],
  [
    'an older format',
    (pack: Pack) => ({ ...pack, sightlineRun: 0, log: logOf(madeBy(pack, '0.0.9', 0)) }),
    'an older version of Sightline (0.0.9) wrote it, in format 0; this version reads format 2: replay it with that version',
  ],
  [
    'a line that only another version knows',
    (pack: Pack) => ({ ...pack, log: logOf([...madeBy(pack, '0.2.0', 2), { type: 'later', at: 1 }]) }),
    'has an unknown format: another version of Sightline (0.2.0) wrote it',
  ],
  ['no version at all', () => ({ sightlineRun: 7 }), 'a newer version of Sightline wrote it, in format 7'],
  ['something else', () => ({ run: 1 }), 'it is not a run, or it is damaged'],
])('%s is not imported', { timeout }, async (_, change, words) => {
  const env = home()
  const file = join(temporaryFolder(), 'run.zst')
  writeFileSync(file, written(change(read(present))))
  const { code, stdout, stderr } = await sightline(['runs', '--import', file], { env })
  expect([code, stdout]).toEqual([3, ''])
  expect(oneLine(stderr)).toContain(words)
  expect(JSON.parse((await sightline(['runs', '--json'], { env })).stdout)).toEqual([])
})

test('a store of a newer version is left alone', { timeout }, async () => {
  const env = home()
  const folder = join(env.XDG_STATE_HOME, 'sightline')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, 'FORMAT'), '3\n')
  const { code, stderr } = await sightline(['runs'], { env })
  expect(code).toBe(3)
  expect(oneLine(stderr)).toContain('a newer version of Sightline wrote it, in format 3')
})

function home() {
  return {
    ...ownFolders(),
    XDG_CONFIG_HOME: temporaryFolder(),
  }
}

function read(path: string): Pack {
  return JSON.parse(zstdDecompressSync(readFileSync(path)).toString('utf8'))
}

function written(pack: object): Uint8Array {
  return zstdCompressSync(Buffer.from(JSON.stringify(pack)))
}

function entriesOf({ log }: Pack): Entry[] {
  return log.map((line) => JSON.parse(line.slice(line.indexOf(' ') + 1)))
}

/** Each line begins with a checksum over all before it. */
function logOf(entries: readonly Entry[]): string[] {
  let sum = ''
  return entries.map((entry) => {
    const text = JSON.stringify(entry)
    sum = createHash('sha256')
      .update(sum + text)
      .digest('hex')
      .slice(0, 16)
    return `${sum} ${text}`
  })
}

function madeBy(pack: Pack, version: string, format: number): Entry[] {
  const [start, ...others] = entriesOf(pack)
  const header = Object(start?.header)
  const versions = { ...header.versions, sightline: version }
  return [{ type: 'start', header: { ...header, format, versions } }, ...others]
}

/** As a review was before `conclusion.verdict` became `conclusion.word`. */
function withOtherReview(pack: Pack): Pack {
  const { conclusion, ...others } = reviewIn(pack)
  const { word, ...rest } = conclusion
  const text = JSON.stringify({ ...others, conclusion: { verdict: word, ...rest } })
  const review = createHash('sha256').update(text).digest('hex')
  const entries = entriesOf(pack)
  const changed = entries.map((entry) => (entry.type === 'end' ? { ...entry, review } : entry))
  return { ...pack, log: logOf(changed), objects: { ...pack.objects, [review]: text } }
}

/** Puts a run into a folder as its version left it there. Returns its name. */
function storeAsWritten(folder: string, pack: Pack, format: number): string {
  const run = String(Object(entriesOf(pack)[0]?.header).run)
  mkdirSync(join(folder, 'runs'), { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, 'FORMAT'), `${format}\n`)
  writeFileSync(join(folder, 'runs', `${run}.log`), pack.log.map((line) => `${line}\n`).join(''))
  for (const [name, content] of Object.entries(pack.objects)) {
    mkdirSync(join(folder, 'objects', name.slice(0, 2)), { recursive: true })
    writeFileSync(
      join(folder, 'objects', name.slice(0, 2), `${name.slice(2)}.zst`),
      zstdCompressSync(content),
    )
  }
  return run
}

function reviewIn(pack: Pack) {
  const end = entriesOf(pack).at(-1)
  return JSON.parse(pack.objects[String(end?.review)] ?? '')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
