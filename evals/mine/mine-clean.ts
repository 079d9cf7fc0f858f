/**
 * Changes that stood: they landed, and none of the next commits touched the lines they introduced, named them or took them
 * back. That is no proof that nothing is wrong with them, only that nobody saw to it soon.
 */

import type { EvalCase } from '../cases/eval-case.ts'
import { parsePatch } from '../repositories/changed-lines.ts'
import type { MinedCommit, MinedHistory } from './history.ts'
import type { MineOptions } from './mine-faults.ts'
import { namedCauses } from './named-causes.ts'

export type MineCleanOptions = MineOptions & {
  /** So many later commits must have left its lines alone. */
  later: number
}

const fewestLines = 8
const mostLines = 300
const mostFiles = 12
const code = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|sh)$/

/** Spread evenly over the history that was read, newest first. */
export async function mineClean(history: MinedHistory, options: MineCleanOptions): Promise<EvalCase[]> {
  const { repo, commits, limit, later } = options
  const log = await history.log(commits)
  const blamed = new Set(
    log.flatMap(({ message }) => namedCauses(message).map(({ name }) => name.slice(0, 7))),
  )
  const subjects = new Set(log.flatMap(({ subject }) => /^Revert "(.*)"$/.exec(subject)?.[1] ?? []))
  const able = log
    .map((one, at) => ({ one, after: log[at - later]?.commit }))
    .filter(({ one, after }) => after !== undefined && one.parents.length === 1)
    .filter(({ one }) => !blamed.has(one.commit.slice(0, 7)) && !subjects.has(one.subject))
  const found: EvalCase[] = []
  const step = Math.max(1, Math.floor(able.length / Math.max(1, limit * 25)))
  for (let at = 0; at < able.length && found.length < limit; at += step) {
    const entry = able[at]
    if (entry?.after !== undefined && (await stood(history, entry.one, entry.after)))
      found.push(caseOf(repo, entry.one))
  }
  return found
}

async function stood(
  history: MinedHistory,
  { commit, parents }: MinedCommit,
  after: string,
): Promise<boolean> {
  const [parent = ''] = parents
  if (!(await history.isAncestor(commit, after))) return false
  const introduced = parsePatch(await history.patch(parent, commit))
  const lines = introduced.flatMap(({ hunks }) => hunks.flatMap(({ added }) => added)).length
  const touchesCode = introduced.some(({ path }) => code.test(path))
  if (!touchesCode || lines < fewestLines || lines > mostLines || introduced.length > mostFiles) return false
  const since = parsePatch(
    await history.patch(
      commit,
      after,
      introduced.map(({ path }) => path),
    ),
  )
  const changedSince = new Map(
    since.map(({ path, hunks }) => [path, new Set(hunks.flatMap(({ removed }) => removed))]),
  )
  return introduced.every(({ path, hunks }) =>
    hunks.every(({ added }) => added.every((line) => !changedSince.get(path)?.has(line))),
  )
}

function caseOf(repo: string, { commit, parents }: MinedCommit): EvalCase {
  return {
    id: `clean/${repo}@${commit.slice(0, 12)}`,
    repo,
    url: null,
    base: parents[0] ?? '',
    head: commit,
    kind: 'clean',
    source: 'mined-clean',
    language: null,
    expected: [],
    rejected: [],
    twin: null,
  }
}
