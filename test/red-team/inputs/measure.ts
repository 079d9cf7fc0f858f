/** Runs a command and counts what it and all that it starts take: processor time, and memory at the same moment. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpuSeconds, descendants, killTree, residentBytes } from '../../../src/base/process-tree.ts'

export type Measured = {
  /** Null when it was stopped. */
  code: number | null
  /**
   * User and system time: of the processes that were waited for, however short-lived, or of all that were seen, whichever
   * is more. Nobody waits for what ends together with its sandbox.
   */
  seconds: number
  /** The most that all processes held together; pages that several share count once. 0 where nobody tells. */
  megabytes: number
  stdout: string
  stderr: string
}

export type Run = {
  args: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  stdin: string
  longestMs: number
}

const sampleMs = 50
/** Of each stream. */
const keptBytes = 4_000_000

/** The shell adds up the times of its children, and theirs; `args[0]` is a program. */
const script = '"$@" 3>&-; code=$?; times >&3; exit $code'

export async function measure({ args, cwd, env, stdin, longestMs }: Run): Promise<Measured> {
  const shell = spawn('sh', ['-c', script, 'sh', ...args], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  const texts = ['', '', '', '']
  for (const [index, stream] of shell.stdio.entries()) {
    if (!stream || index === 0 || !('setEncoding' in stream)) continue
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => {
      if ((texts[index]?.length ?? 0) < keptBytes) texts[index] += text
    })
  }
  shell.stdin?.on('error', () => {})
  shell.stdin?.end(stdin)
  let most = 0
  const seen = new Map<number, number>()
  let isStopped = false
  const sampler = setInterval(() => {
    const tree = descendants(shell.pid ?? 0)
    for (const pid of tree) seen.set(pid, Math.max(cpuSeconds(pid) ?? 0, seen.get(pid) ?? 0))
    most = Math.max(
      most,
      tree.reduce((sum, pid) => sum + bytesOf(pid), 0),
    )
  }, sampleMs)
  const end = setTimeout(() => {
    isStopped = true
    for (const pid of descendants(shell.pid ?? 0)) killTree(pid)
  }, longestMs)
  const code = await new Promise<number | null>((resolve, reject) => {
    shell.on('error', reject)
    shell.on('close', resolve)
  })
  clearInterval(sampler)
  clearTimeout(end)
  const [, stdout = '', stderr = '', times = ''] = texts
  return {
    code: isStopped ? null : code,
    seconds: Math.max(
      secondsOf(times),
      [...seen.values()].reduce((sum, one) => sum + one, 0),
    ),
    megabytes: most / 2 ** 20,
    stdout,
    stderr,
  }
}

/** Its share of the pages it uses; all of them where the system tells no shares. */
function bytesOf(pid: number): number {
  try {
    const shares = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1]
    if (shares !== undefined) return Number(shares) * 1024
  } catch {
    // It ended meanwhile, or a sandbox keeps it from being read.
  }
  return residentBytes(pid) ?? 0
}

/** The second line that `times` prints: `1m2.34s 0m0.5s`. */
function secondsOf(times: string): number {
  const line = times.trim().split('\n')[1] ?? ''
  return line
    .split(' ')
    .map((word) => /^(\d+)m([\d.]+)s$/.exec(word))
    .reduce((sum, match) => sum + Number(match?.[1] ?? 0) * 60 + Number(match?.[2] ?? 0), 0)
}
