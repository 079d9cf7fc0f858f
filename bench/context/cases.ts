/** Real changes whose faults are known: the lines that are at fault, and for mined ones the commit that fixed them. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type ContextCase = {
  id: string
  repo: string
  base: string
  head: string
  fix_commit?: string
  expected: { file: string; start_line: number; end_line: number }[]
}

/** Cases whose repository is among the mirrors (MIRRORS/owner+name/repo) and holds both commits. */
export function readCases(files: readonly string[], mirrors: string): (ContextCase & { folder: string })[] {
  return files
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ContextCase)
    .map((one) => ({ ...one, folder: join(mirrors, one.repo.replace('/', '+'), 'repo') }))
    .filter(
      ({ folder, base, head }) => existsSync(folder) && hasCommit(folder, base) && hasCommit(folder, head),
    )
}

export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 29,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

/** Text of lines of the old side that a commit changed or put something next to, by path; none when it is not here. */
export function linesFixedBy(folder: string, commit: string): Map<string, string[]> {
  const fixed = new Map<string, string[]>()
  if (!hasCommit(folder, commit)) return fixed
  const flags = ['--no-renames', '-U0', '--no-ext-diff', '--no-color']
  let [path, before]: [string, string[]] = ['', []]
  for (const line of git(folder, 'diff', ...flags, `${commit}^`, commit).split('\n')) {
    const file = /^--- a\/(.*)$/.exec(line)
    if (file) {
      // Git ends a path that holds a space with a tab.
      path = (file[1] ?? '').replace(/\t$/, '')
      before = git(folder, 'show', `${commit}^:${path}`).split('\n')
    } else if (line === '--- /dev/null') path = ''
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(line)
    if (!hunk || path === '') continue
    const start = Math.max(1, Number(hunk[1]))
    const count = Math.min(200, Math.max(1, hunk[2] === undefined ? 1 : Number(hunk[2])))
    const texts = before.slice(start - 1, start - 1 + count)
    fixed.set(path, [...(fixed.get(path) ?? []), ...texts])
  }
  return fixed
}

function hasCommit(folder: string, commit: string): boolean {
  try {
    git(folder, 'cat-file', '-e', `${commit}^{tree}`)
    return true
  } catch {
    return false
  }
}
