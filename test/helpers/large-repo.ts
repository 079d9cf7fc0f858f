/** A repository of any number of files, each with content of its own, made with `git fast-import` in seconds. */
import { execFileSync } from 'node:child_process'
import { createRepo, type TestRepo } from './git-repo.ts'

const filesPerFolder = 250

/** File n defines `make_n` and calls `make_n+1`; they lie in folders of a few hundred. */
export function largeRepo(count: number): { repo: TestRepo; bytes: number } {
  const repo = createRepo()
  let bytes = 0
  const parts: string[] = [
    'commit refs/heads/main\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata 5\nlarge\n',
  ]
  for (let at = 0; at < count; at++) {
    const text = textOf(at, count)
    bytes += text.length
    parts.push(`M 100644 inline ${pathOf(at)}\ndata ${text.length}\n${text}\n`)
  }
  const input = parts.join('')
  execFileSync('git', ['fast-import', '--quiet'], { cwd: repo.path, input, maxBuffer: 2 ** 30 })
  repo.git('read-tree', 'main')
  return { repo, bytes }
}

export function pathOf(at: number): string {
  return `part${Math.floor(at / filesPerFolder)}/file_${at}.py`
}

function textOf(at: number, count: number): string {
  const next = (at + 1) % count
  const from = pathOf(next).replace(/\.py$/, '').replaceAll('/', '.')
  return `from ${from} import make_${next}\n\n\ndef make_${at}(value):\n    """Makes number ${at}."""\n    return make_${next}(value + ${at})\n`
}
