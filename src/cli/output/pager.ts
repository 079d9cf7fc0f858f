/** A long report goes through the pager that git would use; a short one is printed, and so is whatever no person reads. */
import { spawn } from 'node:child_process'
import type { Shell } from '../shell.ts'
import type { Terminal } from '../terminal.ts'

/** Null for none: standard output is no terminal, a CI job runs, `NO_PAGER` is set, or the pager is empty or `cat`. */
export function choosePager({ stdout, environment }: Shell, isJob: boolean): string | null {
  const { SIGHTLINE_PAGER, GIT_PAGER, PAGER, NO_PAGER, TERM } = environment
  if (stdout.isTTY !== true || isJob || TERM === 'dumb' || (NO_PAGER ?? '') !== '') return null
  const pager = (SIGHTLINE_PAGER ?? GIT_PAGER ?? PAGER ?? 'less').trim()
  return pager === '' || pager === 'cat' ? null : pager
}

/** Resolves when the reader has closed it. A pager that cannot be started is no reason to lose the report. */
export async function showResult(text: string, terminal: Terminal, shell: Shell): Promise<void> {
  const pager = choosePager(shell, terminal.isJob)
  const rows = process.stdout.rows ?? 0
  const isLong = rows > 0 && text.split('\n').length > rows
  if (pager === null || !isLong || !(await page(pager, text, shell))) await terminal.result(text)
}

/** False when it did not start. */
function page(pager: string, text: string, { environment }: Shell): Promise<boolean> {
  return new Promise((resolve) => {
    // As git does it: quit if it fits, colors as they are, and the report stays on the screen.
    const child = spawn('/bin/sh', ['-c', `exec ${pager}`], {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { LESS: 'FRX', LV: '-c', ...environment },
    })
    child.on('error', () => resolve(false))
    // 126 and 127: the shell found no such program.
    child.on('close', (code) => resolve(code !== 126 && code !== 127))
    // Closed before its end: the reader has seen enough.
    child.stdin.on('error', () => {})
    child.stdin.end(text)
  })
}
