/** The command in a process of its own, with what it took; and the commits that the benches of waiting choose. */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { languageOf } from '../../src/code-index/language-of.ts'

export type Ran = {
  stdout: string
  seconds: number
  /** Of the process and all it started. */
  cpuSeconds: number
  /** Until the first check has told what it found; null where that is not asked. */
  firstSeconds: number | null
  load: number
}

/** `words`: the program in JavaScript and its arguments. Rejects when there is no result. One at a time: CPU is counted for all. */
export function runCommand(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<Ran> {
  const cpuBefore = cpuSeconds()
  const startedAt = performance.now()
  const env = { ...process.env, ...environment }
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  let firstSeconds: number | null = null
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
    if (chunk.includes('"plane-end"')) firstSeconds ??= (performance.now() - startedAt) / 1000
  })
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', (code) => {
      // 1: there are findings.
      if (code !== 0 && code !== 1) return fail(new Error(`exit code ${code}: ${words.join(' ')}\n${stderr}`))
      const seconds = (performance.now() - startedAt) / 1000
      const load = loadavg()[0] ?? 0
      done({ stdout, seconds, cpuSeconds: cpuSeconds() - cpuBefore, firstSeconds, load })
    })
  })
}

/** Of the processes that this one started and that have ended, by the ticks that Linux counts (100 a second). */
function cpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return fields.slice(13, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

/** Of a limit that a review or a bundle tells. */
export function isOutOfTime(words: string): boolean {
  return /ran out|took longer/.test(words)
}

/** The newest first, without merges and without those that change no code or more than a hundred files. */
export function commitsOf(folder: string, count: number): string[] {
  const args = ['-C', folder, 'log', '--no-merges', '-n', String(count * 6), '--name-only', '--format=%x00%H']
  const log = execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 })
  return log
    .split('\0')
    .map((text) => text.split('\n').filter((line) => line !== ''))
    .filter(([, ...paths]) => paths.length <= 100 && paths.some((path) => languageOf(path) !== null))
    .flatMap(([commit]) => commit ?? [])
    .slice(0, count)
}
