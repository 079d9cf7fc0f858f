/** Reads the last commits of a repository with git's own log, apart from the product's reader. */
import { execFileSync } from 'node:child_process'
import type { HistoryCommit } from '../../src/domain/snapshot.ts'

/** Newest first, without merges. */
export function readCommits(repository: string, number: number): HistoryCommit[] {
  const log = git(
    repository,
    '-c',
    'core.quotePath=false',
    'log',
    '--no-merges',
    '--name-only',
    '--root',
    '--no-renames',
    `--max-count=${number}`,
    '--format=%x01%H%x00%ct%x00%s%x00',
    'HEAD',
  )
  return log
    .split('\u0001')
    .slice(1)
    .map((block) => {
      const [commit = '', time = '', subject = '', names = ''] = block.split('\0')
      const paths = names.split('\n').filter((path) => path !== '')
      return { commit, subject, time: Number(time), authorName: '', authorEmail: '', paths }
    })
}

/** Every path at a commit. */
export function pathsAt(repository: string, commit: string): Set<string> {
  return new Set(git(repository, 'ls-tree', '-r', '-z', '--name-only', commit).split('\0'))
}

function git(repository: string, ...args: string[]): string {
  return execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', maxBuffer: 1 << 30 })
}
