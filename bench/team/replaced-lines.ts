/** The lines of a file that a commit replaced, as of its parent. */
import { execFileSync } from 'node:child_process'
import type { LineRange } from '../../src/domain/team-history.ts'

export function replacedLines(repository: string, base: string, head: string, path: string): LineRange[] {
  const patch = execFileSync('git', ['-C', repository, 'diff-tree', '-U0', '-p', base, head, '--', path], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return [...patch.matchAll(/^@@ -(\d+)(?:,(\d+))? /gm)].flatMap(([, start = '', count = '1']) =>
    Number(count) > 0 ? [{ start: Number(start), end: Number(start) + Number(count) - 1 }] : [],
  )
}
