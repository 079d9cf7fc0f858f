/**
 * How well findings are known again: real histories of files of public repositories as change requests, with planted faults
 * that are pushed, rebased, squashed, moved, renamed, reformatted, edited and copied. Which finding is which follows from
 * how each push was made. Three simpler ways run beside the matcher on the same pushes.
 *
 *   node bench/ledger/run.ts --mirrors FOLDER [--requests 600] [--seed 20261122] [--out bench/out/ledger.json] [--failures 20]
 *     [--same-words]
 *
 * `--same-words`: models say the same of a fault each time. That is the most that knowing what titles mean could add.
 * `--mirrors` holds one folder for each repository, with a bare clone in `repo`.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openPlaces } from '../../src/ledger/locate.ts'
import { matchRecords } from '../../src/ledger/match.ts'
import { recordsOf } from '../../src/ledger/record.ts'
import { Random } from '../../test/helpers/random.ts'
import { byLineHash, byLineNumber, byRuleAndFile, type Matcher, type Observed } from './baselines.ts'
import { type FileHistory, readHistories } from './histories.ts'
import { PlantedFile } from './world.ts'

const { values } = parseArgs({
  options: {
    mirrors: { type: 'string' },
    requests: { type: 'string', default: '600' },
    seed: { type: 'string', default: '20261122' },
    out: { type: 'string' },
    failures: { type: 'string', default: '0' },
    'same-words': { type: 'boolean', default: false },
  },
})
if (values.mirrors === undefined) {
  process.stderr.write('ledger: name the folder of the repositories: --mirrors FOLDER\n')
  process.exit(2)
}

type Push = {
  observed: Observed[]
  truth: Map<string, number>
  texts: ReadonlyMap<string, string>
}

type Score = { matched: number; right: number; due: number }

const seed = Number(values.seed)
const random = new Random(seed)
const scores = new Map<string, Score>()
const failures = new Map<string, number>()
const examples: string[] = []
let pushes = 0

/** The product's own: as a publication uses it, from records alone. */
const byMatcher = (before: Push, after: Push, pathNow: (path: string) => string): Map<string, string> => {
  const recorded = (push: Push) => {
    const records = recordsOf(
      push.observed.map(({ finding }) => finding),
      (_, path) => push.texts.get(path) ?? null,
    )
    return records.map((record, at) => ({ record, observed: push.observed[at]?.id ?? '' }))
  }
  const [earlier, now] = [recorded(before), recorded(after)]
  const pairs = matchRecords({
    earlier: earlier.map(({ record }) => record),
    now: now.map(({ record }) => record),
    pathNow,
    ...openPlaces((_, path) => after.texts.get(path) ?? null, pathNow),
  })
  const idOf = (all: typeof now) => new Map(all.map(({ record, observed }) => [record.id, observed]))
  const [old, fresh] = [idOf(earlier), idOf(now)]
  return new Map([...pairs].map(([from, to]) => [old.get(from) ?? '', fresh.get(to) ?? '']))
}

const rivals: Record<string, Matcher> = {
  'line number': byLineNumber,
  'hash of line': byLineHash,
  'rule and file': byRuleAndFile,
}

function main(mirrors: string): void {
  const repositories = readdirSync(mirrors)
    .map((name) => join(mirrors, name, 'repo'))
    .filter((path) => existsSync(path))
    .sort()
  const wanted = Number(values.requests)
  const each = Math.ceil(wanted / repositories.length)
  const used = new Map<string, number>()
  let requests = 0
  for (const repository of repositories) {
    const histories = readHistories(repository, each * 2, random)
    for (let at = 0; at < each && requests < wanted; at++) {
      const files = histories.splice(0, random.between(1, 2))
      if (files.length === 0) break
      requests++
      play(files)
      used.set(repository, (used.get(repository) ?? 0) + 1)
    }
  }
  report(requests, used.size)
}

function play(files: readonly FileHistory[]): void {
  let ids = 0
  const worlds = files.flatMap(({ versions }) => {
    const [base] = versions
    return base
      ? [{ base, versions, world: new PlantedFile(base, random, () => ++ids, values['same-words']) }]
      : []
  })
  const steps = Math.max(...worlds.map(({ versions }) => versions.length))
  let before: Push | null = null
  for (let step = 1; step < steps; step++) {
    const deeds = new Map<string, PlantedFile['deeds']>()
    for (const { world, versions } of worlds) {
      world.deeds = { file: [], plants: new Map() }
      const version = versions[step]
      if (version)
        world.goOn(world.path === versions[step - 1]?.path ? version.path : world.path, version.lines)
      if (step === 1) world.plantSome(random.between(1, 4))
      else world.disturb()
      deeds.set(world.path, world.deeds)
    }
    const after = observe(
      worlds.map(({ world }) => world),
      step,
    )
    const nowAt = new Map(worlds.map(({ base, world }) => [base.path, world.path]))
    if (before) compare(before, after, (path) => nowAt.get(path) ?? path, deeds)
    before = after
    pushes++
  }
}

function observe(worlds: readonly PlantedFile[], step: number): Push {
  const push: Push = { observed: [], truth: new Map(), texts: new Map() }
  for (const world of worlds) {
    const { text, findings } = world.render()
    push.texts = new Map([...push.texts, [world.path, text]])
    for (const { finding, plant } of findings) {
      const id = `${step}/${plant}`
      push.observed.push({ id, finding })
      push.truth.set(id, plant)
    }
  }
  return push
}

function compare(
  before: Push,
  after: Push,
  pathNow: (path: string) => string,
  deeds: ReadonlyMap<string, PlantedFile['deeds']>,
): void {
  const there = new Map([...after.truth].map(([id, plant]) => [plant, id]))
  const due = [...before.truth].flatMap(([id, plant]) =>
    there.has(plant) ? [[id, there.get(plant) ?? ''] as const] : [],
  )
  const score = (name: string, matched: ReadonlyMap<string, string>) => {
    const known = scores.get(name) ?? { matched: 0, right: 0, due: 0 }
    const right = [...matched].filter(([old, one]) => before.truth.get(old) === after.truth.get(one)).length
    scores.set(name, {
      matched: known.matched + matched.size,
      right: known.right + right,
      due: known.due + due.length,
    })
  }
  const own = byMatcher(before, after, pathNow)
  score('Sightline', own)
  for (const [name, match] of Object.entries(rivals))
    score(name, match(before.observed, after.observed, pathNow))
  const failed = [
    ...due.flatMap(([old, one]) => (own.get(old) === one ? [] : [{ kind: 'missed', old, one }])),
    ...[...own].flatMap(([old, one]) =>
      before.truth.get(old) === after.truth.get(one) ? [] : [{ kind: 'wrong', old, one }],
    ),
  ]
  for (const { kind, old, one } of failed) {
    const was = before.observed.find(({ id }) => id === old)?.finding
    const is = after.observed.find(({ id }) => id === one)?.finding
    const deed = deeds.get(is?.anchor.path ?? '') ?? { file: [], plants: new Map<number, string[]>() }
    const own = deed.plants.get(before.truth.get(old) ?? -1) ?? []
    const words = `${kind}: ${[...own, ...[...new Set(deed.file)].sort()].join(' + ') || 'nothing'}`
    failures.set(words, (failures.get(words) ?? 0) + 1)
    examples.push(
      `${words}\n  was ${was?.anchor.path}:${was?.startLine} ${was?.rule} ${was?.title}\n${shown(was)}\n  is ${is?.anchor.path}:${is?.startLine} ${is?.rule} ${is?.title}\n${shown(is)}`,
    )
  }
}

function shown(finding: Observed['finding'] | undefined): string {
  return (finding?.excerpt ?? []).map(({ new: line, text }) => `    ${line} ${text}`).join('\n')
}

function report(requests: number, repositories: number): void {
  const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole)
  const rows = [...scores].map(([name, { matched, right, due }]) => ({
    name,
    precision: share(right, matched),
    recall: share(right, due),
    matched,
    right,
    due,
  }))
  process.stdout.write(
    `${requests} change requests of ${repositories} repositories, ${pushes} pushes, seed ${seed}\n`,
  )
  for (const { name, precision, recall, right, matched, due } of rows)
    process.stdout.write(
      `${name.padEnd(14)} precision ${precision.toFixed(4)} (${right}/${matched})  recall ${recall.toFixed(4)} (${right}/${due})\n`,
    )
  const sorted = [...failures].sort(([, a], [, b]) => b - a)
  for (const [words, times] of sorted.slice(0, 25))
    process.stdout.write(`${String(times).padStart(4)}  ${words}\n`)
  for (const example of examples.slice(0, Number(values.failures))) process.stdout.write(`\n${example}\n`)
  if (values.out)
    writeFileSync(
      values.out,
      `${JSON.stringify({ requests, repositories, pushes, seed, rows, failures: sorted }, null, 2)}\n`,
    )
}

main(values.mirrors)
