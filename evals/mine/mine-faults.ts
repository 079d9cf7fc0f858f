/**
 * Changes that introduced a fault, by the word of the developers who fixed it: a later message names the commit. The lines
 * at fault are those it added and the fix changed.
 */

import type { EvalCase, KnownFault } from '../cases/eval-case.ts'
import { parsePatch } from '../repositories/changed-lines.ts'
import type { MinedCommit, MinedHistory } from './history.ts'
import { namedCauses } from './named-causes.ts'

export type MineOptions = {
  repo: string
  /** Commits of history to read. */
  commits: number
  /** Cases wanted at most. */
  limit: number
}

/** Without a description: somebody has to read the fix and say in their own words what was wrong. */
export type MinedFault = { case: EvalCase; fix: string; fixSubject: string; how: 'fix' | 'revert' }

const fewestLines = 3
const mostLines = 800
const mostFiles = 25

/** Newest fixes first. A change that several fixes name becomes one case, with the lines of the first. */
export async function mineFaults(history: MinedHistory, options: MineOptions): Promise<MinedFault[]> {
  const found: MinedFault[] = []
  const seen = new Set<string>()
  for (const fix of await history.log(options.commits)) {
    for (const { name, how } of namedCauses(fix.message)) {
      const cause = await history.resolve(name)
      if (cause === null || seen.has(cause) || cause === fix.commit) continue
      seen.add(cause)
      if (!(await history.isAncestor(cause, fix.commit))) continue
      const expected = how === 'revert' ? [unplaced] : await faultyLines(history, cause, fix)
      if (expected.length > 0 && (await isOfSize(history, cause)))
        found.push({
          case: caseOf(options.repo, cause, `${cause}^`, expected),
          fix: fix.commit,
          fixSubject: fix.subject,
          how,
        })
      if (found.length >= options.limit) return await withBases(history, found)
    }
  }
  return await withBases(history, found)
}

/** A change that was taken back as a whole does not say where its fault lies. */
const unplaced: KnownFault = {
  place: null,
  also: [],
  severity: null,
  category: 'correctness',
  description: '',
  context: null,
}

async function faultyLines(history: MinedHistory, cause: string, fix: MinedCommit): Promise<KnownFault[]> {
  const [parent] = fix.parents
  if (parent === undefined) return []
  const fixed = parsePatch(await history.patch(parent, fix.commit))
  const introduced = new Map(
    parsePatch(await history.patch(`${cause}^`, cause)).map(({ path, hunks }) => [
      path,
      new Set(hunks.flatMap(({ added }) => added)),
    ]),
  )
  const faults: KnownFault[] = []
  for (const { path, hunks } of fixed) {
    const added = introduced.get(path)
    const [before, then] = await Promise.all([history.lines(parent, path), history.lines(cause, path)])
    if (!added || !before || !then) continue
    const lines = new Set<number>()
    for (const { removed, oldStart } of hunks)
      for (const line of removed.length > 0 ? removed : [oldStart]) {
        const text = before[line - 1]?.trim() ?? ''
        const places = then.flatMap((one, at) => (one.trim() === text && added.has(at + 1) ? [at + 1] : []))
        if (text.length >= 4 && places.length === 1) lines.add(places[0] ?? 0)
      }
    faults.push(
      ...rangesOf([...lines]).map(([start, end]) => ({
        ...unplaced,
        place: { file: path, start, end, side: 'right' as const },
      })),
    )
  }
  return faults
}

async function isOfSize(history: MinedHistory, commit: string): Promise<boolean> {
  const files = parsePatch(await history.patch(`${commit}^`, commit))
  const lines = files
    .flatMap(({ hunks }) => hunks)
    .reduce((sum, { added, removed }) => sum + added.length + removed.length, 0)
  return files.length <= mostFiles && lines >= fewestLines && lines <= mostLines
}

/** Runs of lines that follow each other, in order. */
export function rangesOf(lines: readonly number[]): [start: number, end: number][] {
  const ranges: [number, number][] = []
  for (const line of [...lines].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && line <= last[1] + 1) last[1] = line
    else ranges.push([line, line])
  }
  return ranges
}

function caseOf(repo: string, head: string, base: string, expected: KnownFault[]): EvalCase {
  return {
    id: `mined/${repo}@${head.slice(0, 12)}`,
    repo,
    url: null,
    base,
    head,
    kind: 'fault',
    source: 'mined',
    language: null,
    expected,
    rejected: [],
    twin: null,
  }
}

async function withBases(history: MinedHistory, found: readonly MinedFault[]): Promise<MinedFault[]> {
  return await Promise.all(
    found.map(async (one) => ({
      ...one,
      case: { ...one.case, base: (await history.resolve(one.case.base)) ?? one.case.base },
    })),
  )
}
