/** Runs a command and says what it cost: time, CPU of the whole tree of processes, and how large each of them grew. */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export type Cost = {
  stdout: string
  wallMs: number
  /** User and system time, of all descendants too, as the shell's `times` reports it. */
  cpuMs: number
  /** Peak resident size of the command itself, and of the largest parsing child; null where the system does not tell. */
  mainMB: number | null
  childMB: number | null
  /** How many parsing children there were. */
  children: number
}

const lookEveryMs = 20

/** Rejects when the command exits with a status that is not among `accepted`. */
export function measured(
  command: readonly string[],
  cwd: string,
  { env = process.env, accepted = [0] }: { env?: NodeJS.ProcessEnv; accepted?: readonly number[] } = {},
): Promise<Cost> {
  return new Promise((resolve, reject) => {
    const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
    const script = `${quoted}; status=$?; printf '\\n'; times; exit $status`
    const startedAt = performance.now()
    const shell = spawn('sh', ['-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const output: Buffer[] = []
    const complaints: Buffer[] = []
    shell.stdout.on('data', (part: Buffer) => output.push(part))
    shell.stderr.on('data', (part: Buffer) => complaints.push(part))
    const peaks = new Peaks(shell.pid ?? 0)
    const timer = setInterval(() => peaks.look(), lookEveryMs)
    shell.once('error', reject)
    shell.once('close', (status) => {
      clearInterval(timer)
      const wallMs = performance.now() - startedAt
      const lines = Buffer.concat(output).toString().trimEnd().split('\n')
      if (!accepted.includes(status ?? -1))
        return reject(new Error(`${command[0]}: ${Buffer.concat(complaints).toString().slice(0, 500)}`))
      const times = [
        ...lines
          .slice(-2)
          .join(' ')
          .matchAll(/(\d+)m([\d.]+)s/g),
      ]
      const cpuMs = times.reduce(
        (sum, [, minutes, rest]) => sum + Number(minutes) * 6e4 + Number(rest) * 1e3,
        0,
      )
      resolve({ stdout: lines.slice(0, -2).join('\n').trimEnd(), wallMs, cpuMs, ...peaks.found })
    })
  })
}

/** The high-water marks of a shell's command and of the parsers below it. */
class Peaks {
  private readonly shell: number
  private main: number | null = null
  private readonly children = new Map<number, number>()

  constructor(shell: number) {
    this.shell = shell
  }

  get found(): Pick<Cost, 'mainMB' | 'childMB' | 'children'> {
    const largest = this.children.size === 0 ? null : Math.max(...this.children.values())
    return { mainMB: this.main, childMB: largest, children: this.children.size }
  }

  look(): void {
    for (const pid of childrenOf(this.shell)) {
      this.main = Math.max(this.main ?? 0, peakOf(pid) ?? 0) || null
      for (const child of childrenOf(pid)) {
        const peak = isParser(child) ? peakOf(child) : null
        if (peak !== null) this.children.set(child, peak)
      }
    }
  }
}

/** Of every thread, since any of them may have started one. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

function isParser(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('parsing/worker')
  } catch {
    return false
  }
}

function peakOf(pid: number): number | null {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024)
  } catch {
    return null
  }
}
