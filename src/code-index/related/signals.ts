/** What earlier commits say about which files belong to the seeds. */
import { folderWithSlash } from '../../base/file-paths.ts'
import type { HistoryCommit } from '../../domain/snapshot.ts'

/** Strength by path, above 0; only the order and the proportions inside one signal mean anything. */
export type SignalScores = ReadonlyMap<string, number>

/** Commits that touch more files are sweeps: they tie everything to everything. */
const largestCommit = 100
const largestRipple = 30
/** A commit with n other files says less of each: 1 / n to this power. */
const spread = 0.7
/** After so many commits of the seed, an older one counts half. */
const halfLifeOfSeed = 16
/** After so many commits of the repository, an older one counts half, where no seed gives the beat. */
const halfLife = 2_000
const recentCommits = 60
const recentHalfLife = 15
/** Files changed together with a seed through which a ripple goes on. */
const rippleSources = 20

export type HistorySignals = Record<'direct' | 'ripple' | 'folder' | 'recent', SignalScores>

/** `commits` newest first. Paths that no longer exist are still in the answer: the caller knows the tree. */
export function readHistorySignals(
  commits: readonly HistoryCommit[],
  seeds: readonly string[],
): HistorySignals {
  const isSeed = new Set(seeds)
  const useful = commits
    .map(({ paths }, age) => ({ paths, age }))
    .filter(({ paths }) => paths.length > 0 && paths.length <= largestCommit)
  const direct = tally()
  for (const seed of isSeed) for (const [path, weight] of changedWith(useful, seed)) direct.add(path, weight)
  const scores = {
    direct,
    ripple: rippleOf(useful, direct),
    folder: folderOf(useful, isSeed),
    recent: recentOf(useful),
  }
  for (const one of Object.values(scores)) for (const seed of isSeed) one.delete(seed)
  return scores
}

type Dated = { paths: readonly string[]; age: number }

/** Of one seed, so that a seed that changes all the time does not drown the others: the shares add up to 1. */
function changedWith(commits: readonly Dated[], seed: string): SignalScores {
  const scores = tally()
  let before = 0
  for (const { paths } of commits) {
    if (paths.length < 2 || !paths.includes(seed)) continue
    const weight = fade(before++, halfLifeOfSeed) / (paths.length - 1) ** spread
    for (const path of paths) if (path !== seed) scores.add(path, weight)
  }
  const total = [...scores.values()].reduce((sum, score) => sum + score, 0)
  return new Map([...scores].map(([path, score]) => [path, score / total]))
}

/** One step further: a file that changed with the strongest neighbours, seldom-changed neighbours counting more. */
function rippleOf(commits: readonly Dated[], direct: SignalScores): Tally {
  const sources = new Map(strongest(direct, rippleSources))
  const often = tally()
  for (const { paths, age } of commits) for (const path of paths) often.add(path, fade(age, halfLife))
  const scores = tally()
  for (const { paths, age } of commits) {
    if (paths.length < 2 || paths.length > largestRipple) continue
    const force = paths.reduce(
      (sum, path) => sum + (sources.get(path) ?? 0) / ((often.get(path) ?? 0) + 1),
      0,
    )
    if (force === 0) continue
    const weight = (force * fade(age, halfLife)) / (paths.length - 1) ** spread
    for (const path of paths) scores.add(path, weight)
  }
  return scores
}

/** For seeds without a history of their own: new files change with what their neighbours change with. */
function folderOf(commits: readonly Dated[], seeds: ReadonlySet<string>): Tally {
  const folders = new Set([...seeds].map(folderWithSlash))
  const scores = tally()
  for (const { paths, age } of commits) {
    if (paths.length < 2 || paths.length > largestRipple) continue
    if (!paths.some((path) => folders.has(folderWithSlash(path)))) continue
    const weight = fade(age, halfLife) / (paths.length - 1) ** spread
    for (const path of paths) scores.add(path, weight)
  }
  return scores
}

function recentOf(commits: readonly Dated[]): Tally {
  const scores = tally()
  for (const { paths, age } of commits) {
    if (age >= recentCommits) break
    for (const path of paths) scores.add(path, fade(age, recentHalfLife) / Math.sqrt(paths.length))
  }
  return scores
}

function fade(age: number, half: number): number {
  return 0.5 ** (age / half)
}

/** Equal ones in path order. */
function strongest(scores: SignalScores, limit: number): [string, number][] {
  return [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, limit)
}

class Tally extends Map<string, number> {
  add(path: string, weight: number): void {
    this.set(path, (this.get(path) ?? 0) + weight)
  }
}

function tally(): Tally {
  return new Tally()
}
