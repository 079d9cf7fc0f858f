/** Runs a command and says what it cost: time, CPU of the whole tree of processes, and how large each of them grew. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Cost = {
  stdout: string
  wallMs: number
  /** User and system time of all descendants: what the shell's `times` reports, and that of parsers in a sandbox. */
  cpuMs: number
  /** Peak resident size of the process that does the work, and of the largest parsing child; null where the system does not tell. */
  mainMB: number | null
  childMB: number | null
  /** The longest time that an event loop of the command was held; null where nothing was measured. */
  loopMs: number | null
  /** The most CPU time of its thread in one turn. */
  loopCpuMs: number | null
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
    const folder = mkdtempSync(join(tmpdir(), 'sightline-loop-'))
    const loopFile = join(folder, 'delays')
    const watched = {
      ...env,
      SIGHTLINE_BENCH_LOOP: loopFile,
      NODE_OPTIONS: `${env.NODE_OPTIONS ?? ''} --import=${join(import.meta.dirname, 'loop-delay.ts')}`,
    }
    const shell = spawn('sh', ['-c', script], { cwd, env: watched, stdio: ['ignore', 'pipe', 'pipe'] })
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
      const waitedMs = times.reduce(
        (sum, [, minutes, rest]) => sum + Number(minutes) * 6e4 + Number(rest) * 1e3,
        0,
      )
      const cpuMs = waitedMs + peaks.unwaitedCpuMs
      const { loopMs, loopCpuMs } = longestDelay(loopFile)
      rmSync(folder, { recursive: true })
      resolve({
        stdout: lines.slice(0, -2).join('\n').trimEnd(),
        wallMs,
        cpuMs,
        loopMs,
        loopCpuMs,
        ...peaks.found,
      })
    })
  })
}

function longestDelay(file: string): Pick<Cost, 'loopMs' | 'loopCpuMs'> {
  try {
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    const rows = lines.map((line) => JSON.parse(line) as { max: number; maxCpu: number })
    const most = (name: 'max' | 'maxCpu') => Math.max(...rows.map((row) => row[name]))
    return { loopMs: most('max'), loopCpuMs: most('maxCpu') }
  } catch {
    return { loopMs: null, loopCpuMs: null }
  }
}

/** The high-water marks of the processes below a shell, and the CPU of those that nobody waits for. */
class Peaks {
  private readonly shell: number
  private main: number | null = null
  private readonly children = new Map<number, number>()
  /** By parser in a sandbox, whose end its starter does not see. Milliseconds. */
  private readonly unwaited = new Map<number, number>()

  constructor(shell: number) {
    this.shell = shell
  }

  get found(): Pick<Cost, 'mainMB' | 'childMB' | 'children'> {
    const largest = this.children.size === 0 ? null : Math.max(...this.children.values())
    return { mainMB: this.main, childMB: largest, children: this.children.size }
  }

  get unwaitedCpuMs(): number {
    return [...this.unwaited.values()].reduce((sum, one) => sum + one, 0)
  }

  look(): void {
    this.lookBelow(this.shell, false)
  }

  private lookBelow(pid: number, isBoxed: boolean): void {
    for (const child of childrenOf(pid)) {
      const [program = '', ...words] = wordsOf(child)
      const isSandbox = program.endsWith('bwrap')
      if (!isSandbox && words.some((word) => word.includes('parsing/worker'))) {
        this.children.set(child, peakOf(child) ?? this.children.get(child) ?? 0)
        if (isBoxed) this.unwaited.set(child, cpuOf(child) ?? this.unwaited.get(child) ?? 0)
      } else if (!isSandbox) this.main = Math.max(this.main ?? 0, peakOf(child) ?? 0) || null
      this.lookBelow(child, isBoxed || isSandbox)
    }
  }
}

/** Of every thread, since any of them may have started one. */
export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

function wordsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

/** User and system time in milliseconds: fields 14 and 15, in ticks of a hundredth of a second. */
export function cpuOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return null
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
