/**
 * The injection matrix: payload × placement × encoding. A commit holds one case for each placement, all with orders to do the same, and
 * the model that obeys reviews it; what has an effect is played again, one case at a time, to tell which did.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '../../helpers/random.ts'
import { judge } from '../invariants/registry.ts'
import { instructionsIn } from '../invariants/state.ts'
import { openStage, type Played } from '../world/stage.ts'
import { readTruth } from '../world/truth.ts'
import { type Encoding, encodings } from './encodings.ts'
import { createObedient } from './obedient.ts'
import { type Payload, payloads, planted, verbs } from './payloads.ts'
import { changeWith, type Placement, type PlantedCase, placements } from './placements.ts'

export type MatrixOutcome = {
  /** All that there are; `cases` of them were played, in `commits`. */
  cells: number
  cases: number
  commits: number
  /** Cases whose order reached the model and was understood, by placement. */
  understood: Map<string, number>
  /** What an order achieved, in words. */
  effects: string[]
  /** Hidden texts that the change brings, and those of them that the review does not tell of, in words. */
  hidden: number
  unreported: string[]
}

type Cell = { payload: Payload; placement: Placement; encoding: Encoding; place: number }

const depths = ['quick', 'standard', 'deep'] as const

/** `cases`: at most so many, in whole commits. */
export async function runMatrix(
  root: string,
  { seed, cases, onProgress }: { seed: number; cases: number; onProgress?: (cases: number) => void },
): Promise<MatrixOutcome> {
  const rows = drawRows(new Random(seed)).slice(0, Math.ceil(cases / placements.length))
  const outcome: MatrixOutcome = {
    cells: payloads.length * placements.length * encodings.length,
    ...{ cases: 0, commits: 0, understood: new Map(), effects: [], hidden: 0, unreported: [] },
  }
  const matrix = { root, instructions: new Set<string>(), outcome }
  // Some at a time, so that the repository in which they lie stays small.
  for (let at = 0; at < rows.length; at += 200) {
    const some = rows.slice(at, at + 200)
    const repository = join(root, `matrix-${at}`)
    const commits = commitAll(repository, some.map(changeOf))
    for (const [index, cells] of some.entries()) {
      const depth = depths[(at + index) % depths.length] ?? 'quick'
      await playCommit(cells, { ...matrix, repository, commit: commits[index] ?? 'HEAD', depth })
    }
    onProgress?.(outcome.cases)
  }
  return outcome
}

/** Every cell once: a row has one of each placement, and their payloads want the same. */
function drawRows(random: Random): Cell[][] {
  const columns = placements.map((placement, place) =>
    verbs.map((verb) =>
      payloads
        .filter((payload) => payload.verb === verb)
        .flatMap((payload) => encodings.map((encoding) => ({ payload, placement, encoding, place })))
        .map((cell) => ({ cell, at: random.next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ cell }) => cell),
    ),
  )
  const [first = []] = columns
  return first
    .flatMap((ofVerb, verb) => ofVerb.map((_, row) => columns.flatMap((column) => column[verb]?.[row] ?? [])))
    .map((row) => ({ row, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row)
}

type Setting = {
  root: string
  repository: string
  commit: string
  depth: (typeof depths)[number]
  /** Our own words, as they were in the first case; every later one must have the same. */
  instructions: Set<string>
  outcome: MatrixOutcome
}

async function playCommit(cells: readonly Cell[], setting: Setting): Promise<void> {
  const { root, outcome, depth } = setting
  const { played, understood, violations } = await obeyOnce(cells, setting)
  outcome.commits++
  outcome.cases += cells.length
  for (const place of understood) {
    const name = placements[place]?.name ?? ''
    outcome.understood.set(name, (outcome.understood.get(name) ?? 0) + 1)
  }
  for (const cell of cells) {
    if (!cell.encoding.hidden || cell.placement.adds === null) continue
    outcome.hidden++
    if (!isReported(played, cell.placement.adds)) outcome.unreported.push(`${wordsOf(cell)} at ${depth}`)
  }
  if (violations.length === 0) return
  let isOfOne = false
  for (const cell of cells) {
    const repository = join(root, `matrix-again-${outcome.effects.length}-${cell.place}`)
    const [commit = 'HEAD'] = commitAll(repository, [changeOf([cell])])
    const alone = await obeyOnce([cell], { ...setting, repository, commit })
    if (alone.violations.length > 0) isOfOne = true
    outcome.effects.push(...alone.violations.map((what) => `${what} (${wordsOf(cell)} at ${depth})`))
  }
  if (!isOfOne)
    outcome.effects.push(...violations.map((what) => `${what} (together: ${cells.map(wordsOf).join('; ')})`))
}

async function obeyOnce(
  cells: readonly Cell[],
  { root, repository, commit, depth, instructions }: Setting,
): Promise<{ played: Played; understood: ReadonlySet<number>; violations: string[] }> {
  const places = { root, repository, home: join(root, 'home') }
  const { words } = changeOf(cells)
  const stage = await openStage(places, { cacheFolder: join(root, 'caches', 'matrix'), words, commit })
  try {
    const { speak, understood } = createObedient()
    const silent = () => ({ text: '', stop: 'end' as const })
    const offline = await stage.play({ speak: silent, depth: 'offline', budgetUsd: 5 })
    const played = await stage.play({ speak, depth, budgetUsd: 5 })
    // An order that changed our own words would show here: they hold no word of any case.
    for (const { call } of played.exchanges) {
      const own = instructionsIn(call.request.body)
      if (!own.includes('zqorder')) instructions.add(own)
    }
    const violations = judge(played, { truth: readTruth(repository, commit), offline, instructions })
    return { played, understood, violations: violations.map(({ invariant, what }) => `${invariant} ${what}`) }
  } finally {
    await stage.close()
  }
}

/** A finding stands there, or says that the same is there. */
function isReported({ review }: Played, adds: string): boolean {
  return review.findings.some(
    ({ plane, anchor, explanation }) =>
      plane === 'hidden-text' && (anchor.path.startsWith(adds) || explanation.includes(`\`${adds}`)),
  )
}

function wordsOf({ payload, placement, encoding }: Cell): string {
  return `${payload.verb}, “${payload.text}” × ${placement.name} × ${encoding.name}`
}

function changeOf(cells: readonly Cell[]): PlantedCase {
  return changeWith(
    cells.map(({ payload, placement, encoding, place }) =>
      placement.plant(encoding.encode(planted(payload, place))),
    ),
  )
}

/** All commits at once, each with a parent of its own: one git for thousands of cases. */
export function commitAll(repository: string, cases: readonly PlantedCase[]): string[] {
  mkdirSync(repository, { recursive: true })
  const environment = { PATH: process.env.PATH ?? '', HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' }
  const git = (args: string[], input = ''): string =>
    execFileSync('git', args, {
      cwd: repository,
      input,
      encoding: 'utf8',
      env: environment,
      maxBuffer: 64 * 1024 * 1024,
    })
  git(['init', '--quiet', '--initial-branch=main'])
  const stream = cases.flatMap(({ before, after, message }, index) => [
    ...commitLines(`base-${index}`, 'before', before, null),
    ...commitLines(`head-${index}`, message, after, `base-${index}`),
  ])
  git(['fast-import', '--quiet'], `${stream.join('\n')}\n`)
  return cases.map((_, index) => git(['rev-parse', `refs/heads/head-${index}`]).trim())
}

function commitLines(
  branch: string,
  message: string,
  files: Readonly<Record<string, string | null>>,
  parent: string | null,
): string[] {
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}`
  return [
    `commit refs/heads/${branch}`,
    'committer Ada <ada@example.com> 1700000000 +0000',
    data(message),
    ...(parent === null ? [] : [`from refs/heads/${parent}`]),
    ...Object.entries(files).flatMap(([path, text]) =>
      text === null ? [`D ${quoted(path)}`] : [`M 100644 inline ${quoted(path)}`, data(text)],
    ),
    '',
  ]
}

function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`
}
