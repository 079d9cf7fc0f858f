/** Cases of changed files: given one file of a landed commit and the history before it, which others changed? */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { HistoryCommit } from '../../src/domain/snapshot.ts'

export type Case = { repo: string; base: string; head: string; seed: string; targets: string[] }

export function readCases(file: string): Case[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Case)
}

/** Newest first, from `base` backwards. One log of all cases is shared, so that each commit is read once. */
export function openHistory(repository: string, cases: readonly Case[]): (base: string) => HistoryCommit[] {
  const commits = new Map<string, HistoryCommit>()
  const log = git(
    repository,
    [
      'log',
      '--no-merges',
      '--raw',
      '-z',
      '--root',
      '--no-renames',
      '--no-abbrev',
      '--max-count=14000',
      '--format=%x01%H%x00%ct%x00',
      '--stdin',
    ],
    cases.map(({ base }) => base).join('\n'),
  )
  for (const block of log.split('\u0001').slice(1)) {
    const [commit = '', time = '', ...rest] = block.split('\0')
    const paths = rest.filter((_, at) => rest[at - 1]?.trimStart().startsWith(':'))
    commits.set(commit, { commit, time: Number(time), subject: '', authorName: '', authorEmail: '', paths })
  }
  return (base) =>
    git(repository, ['rev-list', '--no-merges', '--max-count=6000', base])
      .split('\n')
      .flatMap((id) => commits.get(id) ?? [])
}

export function pathsAt(repository: string, commit: string): string[] {
  return git(repository, ['ls-tree', '-r', '-z', '--name-only', commit])
    .split('\0')
    .filter((path) => path !== '')
}

function git(repository: string, args: string[], input = ''): string {
  return execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', maxBuffer: 1 << 30, input })
}
