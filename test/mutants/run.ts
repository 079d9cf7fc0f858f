/**
 * Do the tests notice faults? Plants small ones in the sources, one at a time, and runs the tests that are nearest to each.
 *
 *   node test/mutants/run.ts [--mutants N] [--seed S] [--tests N] [--root CHECKOUT] [--out FILE] [--again FILE]
 *     [--rooms FOLDER_OR_FILE,…] [--with FOLDER_OR_TEST,…] [--minutes N] [--slice MINUTES]
 *
 * `--with`: these tests too, whatever they import. Imports do not tell which far test is about a file.
 * `--slice` ends after so many minutes; the same call with the same `--out` goes on from there.
 * `--again` plants those of an earlier result, beginning with the tests that noticed them: two results over the same faults
 * show what a change of the tests has cost. The checkout must not be used meanwhile; its sources are put back.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Random } from '../helpers/random.ts'
import { type Change, mutantsOf } from './mutants-of.ts'

type Mutant = Change & { path: string; line: number }
/** `isLate`: what noticed it did not end in time, which a busy machine does by itself. */
type Result = Mutant & { noticedBy: string | null; isLate: boolean; tests: number }

const { values } = parseArgs({
  options: {
    mutants: { type: 'string', default: '120' },
    seed: { type: 'string', default: '20261124' },
    tests: { type: 'string', default: '12' },
    root: { type: 'string', default: resolve(import.meta.dirname, '../..') },
    out: { type: 'string' },
    again: { type: 'string' },
    rooms: { type: 'string', default: 'src/pipeline,src/server,src/base' },
    with: { type: 'string', default: '' },
    minutes: { type: 'string', default: '3' },
    slice: { type: 'string' },
  },
})
const root = resolve(values.root)
const rooms = values.rooms.split(',')
const further = values.with.split(',').filter((place) => place !== '')
/** A mutant may keep a test waiting for ever. */
const longestMs = Number(values.minutes) * 60_000
/** Without one they end, however busy the machine is. */
const longestWithoutMs = 10 * longestMs
const report = join(tmpdir(), `sightline-mutants-${process.pid}.json`)

const filesBelow = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
    .map((path) => join(folder, path))
    .sort()
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const sources = filesBelow('src')
const tests = filesBelow('test').filter((path) => path.endsWith('.test.ts'))
const importersOf = importers([...sources, ...filesBelow('test')])
const earlier: Result[] | null = values.again ? JSON.parse(readFileSync(values.again, 'utf8')) : null

const passes = new Map<string, boolean>()
/** By source: what noticed the last fault in it, and is asked first about the next. */
const lastNoticed = new Map<string, string>()
let isLate = false
const endsAt = values.slice === undefined ? Infinity : performance.now() + Number(values.slice) * 60_000
const results: Result[] =
  values.slice !== undefined && values.out && existsSync(values.out)
    ? JSON.parse(readFileSync(values.out, 'utf8'))
    : []
const played = new Set(results.map(keyOf))
for (const mutant of earlier ?? draw(Number(values.mutants), new Random(Number(values.seed)))) {
  if (played.has(keyOf(mutant))) continue
  if (performance.now() > endsAt) break
  const first = (earlier && (mutant as Result).noticedBy) ?? lastNoticed.get(mutant.path)
  const result = plant(mutant, first)
  if (result === null) continue
  results.push(result)
  console.log(
    `${result.noticedBy === null ? 'MISSED ' : 'noticed'} ${result.path}:${result.line} ${result.kind}: ${result.before} -> ${result.after}`,
  )
  if (values.out) writeFileSync(values.out, `${JSON.stringify(results, null, 1)}\n`)
}
const noticed = results.filter(({ noticedBy }) => noticedBy !== null).length
console.log(`${noticed} of ${results.length} mutants noticed, seed ${values.seed}`)

function keyOf({ path, start, before, after }: Mutant): string {
  return [path, start, before, after].join(' ')
}

/** As many of each room, as far as it has them. */
function draw(count: number, random: Random): Mutant[] {
  return rooms.flatMap((room) => {
    const all = sources
      .filter((path) => path === room || path.startsWith(`${room}/`))
      .flatMap((path) => {
        const text = textOf(path)
        const lineOf = (start: number) => text.slice(0, start).split('\n').length
        return mutantsOf(text).map((change) => ({ path, line: lineOf(change.start), ...change }))
      })
    if (all.length === 0) throw new Error(`${room} has no mutants`)
    return Array.from({ length: Math.ceil(count / rooms.length) }, () =>
      all.splice(random.between(0, all.length - 1), 1),
    ).flat()
  })
}

/** Null where the sources are others now. */
function plant(mutant: Mutant, first: string | undefined): Result | null {
  const { path, start, before, after } = mutant
  if (!existsSync(join(root, path))) return null
  const text = textOf(path)
  const end = start + before.length
  if (text.slice(start, end) !== before) return null
  const near = passing(nearest(path))
  // On a busy machine even what passes may end too late: then nothing was tried, which is not the same as missed.
  if (near.length === 0 && nearest(path).length > 0) return null
  const head = first !== undefined && near.includes(first) ? first : near[0]
  let noticedBy: string | null = null
  isLate = false
  writeFileSync(join(root, path), text.slice(0, start) + after + text.slice(end))
  try {
    for (const round of [near.filter((test) => test === head), near.filter((test) => test !== head)])
      noticedBy ??= failing(round, ['--bail', '1'])[0] ?? null
  } finally {
    writeFileSync(join(root, path), text)
  }
  if (noticedBy !== null && !isLate) lastNoticed.set(path, noticedBy)
  return { ...mutant, noticedBy, isLate, tests: near.length }
}

/** Tests of the same place first, then those with the fewest imports between them and the file; what tests share is half as far. */
function nearest(path: string): string[] {
  const isShared = (file: string) => file.startsWith('test/') && !file.endsWith('.test.ts')
  const distance = new Map([[path, 0]])
  for (const [file, steps] of distance)
    for (const importer of importersOf.get(file) ?? [])
      if (!distance.has(importer)) distance.set(importer, steps + (isShared(importer) ? 0.5 : 1))
  const folder = dirname(path).replace(/^src/, 'test')
  const far = (test: string) => {
    const between = distance.get(test) ?? Number.POSITIVE_INFINITY
    const isMirror = test === path.replace(/^src/, 'test').replace(/\.ts$/, '.test.ts')
    return isMirror ? 0 : Math.min(between, test.startsWith(`${folder}/`) ? 1.5 : Number.POSITIVE_INFINITY)
  }
  const near = tests
    .filter((test) => Number.isFinite(far(test)))
    .sort((one, other) => far(one) - far(other) || (one < other ? -1 : 1))
    .slice(0, Number(values.tests))
  const named = tests.filter((test) =>
    further.some((place) => test === place || test.startsWith(`${place}/`)),
  )
  return [...new Set([...near, ...named])]
}

function importers(files: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const file of files)
    for (const [, name = ''] of textOf(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const target = relative(root, resolve(root, dirname(file), name))
      found.set(target, [...(found.get(target) ?? []), file])
    }
  return found
}

/** Those that pass as long as nothing is planted. */
function passing(files: readonly string[]): string[] {
  const unknown = files.filter((file) => !passes.has(file))
  const failed = failing(unknown, [], longestWithoutMs)
  for (const file of unknown) passes.set(file, !failed.includes(file))
  return files.filter((file) => passes.get(file))
}

/** Which of these files have a failing test. */
function failing(files: readonly string[], options: readonly string[], mostMs = longestMs): string[] {
  if (files.length === 0) return []
  rmSync(report, { force: true })
  const words = [
    'run',
    '--testTimeout',
    String(mostMs),
    ...options,
    '--reporter',
    'json',
    '--outputFile',
    report,
    ...files,
  ]
  const { status, error } = spawnSync('node_modules/.bin/vitest', words, {
    cwd: root,
    stdio: 'ignore',
    timeout: mostMs,
  })
  isLate = error !== undefined
  if (status === 0) return []
  const { testResults = [] } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
  const failed = (testResults as { name: string; status: string }[])
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => relative(root, name))
  // It ended in another way, such as in a loop without end.
  return failed.length > 0 ? failed : [...files]
}
