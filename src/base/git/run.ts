/**
 * The one place where git is started: an argument vector and never a shell, an environment of our own,
 * and limits on time and output. Every command runs against a shadow git directory (see shadow.ts).
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { UserError } from '../errors.ts'
import { absoluteFolders } from '../places.ts'
import { cpuSeconds, isAsleep } from '../process-tree.ts'

/** Where a command runs: `gitDir` is both its GIT_DIR and its working directory; `home` is an empty folder. */
export type GitPlace = { readonly gitDir: string; readonly home: string }

export type GitOptions = {
  input?: Uint8Array | string
  /** Further variables, e.g. GIT_INDEX_FILE and GIT_WORK_TREE. */
  env?: Readonly<Record<string, string>>
  /** Killed after this long; 120 seconds when not given. */
  timeoutMs?: number
  /** Killed when it holds more of its own; 1 GiB when not given. */
  memoryBytes?: number
  /** Killed when it worked so long, in seconds of processor time, and said nothing meanwhile; only Linux tells. */
  silentCpuSeconds?: number
  signal?: AbortSignal | undefined
  /** Asked when git said nothing for a while: what it waits for, in words that end the command, or null. */
  whatHoldsIt?: () => string | null
  /** Started already, with these arguments and variables; else one is started. */
  child?: ChildProcessWithoutNullStreams | null
}

/** Longer than an honest command is silent on most machines; one that is slow only goes on. */
const silenceMs = 4_000
/** Where the system tells that it works on nothing, this is long enough for a first look. */
const idleMs = 250

export type GitExit = { code: number; stderr: string }

/** Most that is kept of what git says on its error channel, in bytes. */
const stderrBytes = 64 * 1024

/**
 * Starts git and leaves its channels to the caller. Nothing is inherited but the absolute folders of PATH. Throws
 * `system-refused` where the system has no memory or no channels left for it; any other failure is an event of the child.
 */
export function startGit(
  place: GitPlace,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  let child: ChildProcessWithoutNullStreams
  try {
    child = spawn('git', args, {
      cwd: place.gitDir,
      env: { ...cleanEnvironment(place), ...env },
      shell: false,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  } catch (error) {
    throw startFailure(error)
  }
  // With too many files open Node makes a child without channels, whatever its type says.
  if ((child.stdin as unknown) === undefined) {
    child.on('error', () => {})
    throw new UserError('system-refused', 'git cannot be started: too many open files')
  }
  return child
}

/**
 * Runs a command and hands over its output as it comes. `onData` may return `false` to say that it has
 * enough: git is killed and `stopped` is true. Resolves for any exit code; rejects with `git-missing`,
 * with `git-failed` after a timeout, and with the signal's reason after an abort.
 */
export function streamGit(
  place: GitPlace,
  args: readonly string[],
  onData: (chunk: Buffer) => boolean | undefined,
  options: GitOptions = {},
): Promise<GitExit & { stopped: boolean }> {
  const { signal, timeoutMs = 120_000, memoryBytes = maxMemoryBytes } = options
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const child = options.child ?? startGit(place, args, options.env)
    let stopped = false
    let failure: unknown = null
    const kill = () => {
      child.kill('SIGKILL')
      // Were there a grandchild, it would keep the channels open and us waiting.
      child.stdout.destroy()
      child.stderr.destroy()
    }
    const end = (reason: unknown) => {
      failure ??= reason
      kill()
    }
    const abort = () => end(signal?.reason)
    const timer = setTimeout(
      () => end(new UserError('git-failed', `git ${commandOf(args)} took longer than ${timeoutMs / 1000} s`)),
      timeoutMs,
    )
    const { whatHoldsIt } = options
    const silence = whatHoldsIt
      ? watchSilence(child.pid, () => {
          const words = whatHoldsIt()
          if (words !== null) end(new UserError('repository-unsafe', words))
        })
      : null
    const guard = watchMemory(child.pid, memoryBytes, () =>
      end(
        new UserError('git-failed', `git ${commandOf(args)} needed more than ${memoryBytes} bytes of memory`),
      ),
    )
    const cpuSoFar = () => (child.pid === undefined ? null : cpuSeconds(child.pid)) ?? 0
    let cpuAtWord = 0
    const { silentCpuSeconds } = options
    const worker =
      silentCpuSeconds === undefined
        ? undefined
        : setInterval(() => {
            if (cpuSoFar() - cpuAtWord > silentCpuSeconds)
              end(new UserError('git-failed', `git ${commandOf(args)} said nothing for too long`))
          }, 250)
    signal?.addEventListener('abort', abort, { once: true })
    const stderr: Buffer[] = []
    let heard = 0
    child.stderr.on('data', (chunk: Buffer) => {
      if (heard < stderrBytes) stderr.push(chunk)
      heard += chunk.length
    })
    child.stdout.on('data', (chunk: Buffer) => {
      silence?.heard()
      if (worker) cpuAtWord = cpuSoFar()
      if (stopped || failure) return
      try {
        stopped = onData(chunk) === false
      } catch (error) {
        end(error)
      }
      if (stopped) kill()
    })
    // A child that ends before it has read all of its input is judged by its exit code, not by the broken pipe.
    child.stdin.on('error', () => {})
    child.on('error', (error) => end(startFailure(error)))
    child.on('close', (code) => {
      clearTimeout(timer)
      silence?.stop()
      clearInterval(guard)
      clearInterval(worker)
      signal?.removeEventListener('abort', abort)
      if (failure) reject(failure)
      else resolve({ code: code ?? -1, stderr: gitWords(stderr, place), stopped })
    })
    child.stdin.end(options.input)
  })
}

/** Calls `look` after each long silence, and once in a short one in which the process works on nothing. */
function watchSilence(pid: number | undefined, look: () => void): { heard(): void; stop(): void } {
  const silence = setTimeout(look, silenceMs)
  let before: number | null = null
  const idle = setInterval(() => {
    const now = pid === undefined || !isAsleep(pid) ? null : cpuSeconds(pid)
    if (now !== null && now === before) {
      clearInterval(idle)
      look()
    }
    before = now
  }, idleMs)
  return {
    heard() {
      before = null
      silence.refresh()
    },
    stop() {
      clearTimeout(silence)
      clearInterval(idle)
    },
  }
}

/** Runs a command to its end whatever its exit code. More than `maxBytes` (64 MiB) of output is `git-failed`. */
export async function tryGit(
  place: GitPlace,
  args: readonly string[],
  options: GitOptions & { maxBytes?: number } = {},
): Promise<GitExit & { stdout: Buffer }> {
  const { maxBytes = 64 * 1024 * 1024 } = options
  const chunks: Buffer[] = []
  let bytes = 0
  const collect = (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    return bytes <= maxBytes
  }
  const { code, stderr, stopped } = await streamGit(place, args, collect, options)
  if (stopped) throw new UserError('git-failed', `git ${commandOf(args)} wrote more than ${maxBytes} bytes`)
  return { code, stderr, stdout: Buffer.concat(chunks) }
}

/** As `tryGit`, and any exit code but 0 is a `git-failed` with git's own words. */
export async function runGit(
  place: GitPlace,
  args: readonly string[],
  options: GitOptions & { maxBytes?: number } = {},
): Promise<Buffer> {
  const { code, stderr, stdout } = await tryGit(place, args, options)
  if (code !== 0) throw gitFailure(args, stderr, code)
  return stdout
}

/** What to throw when a command failed: its name and git's own words. */
export function gitFailure(args: readonly string[], stderr: string, code: number): UserError {
  const isFull = /no space left on device|disk quota exceeded|read-only file system/i.test(stderr)
  if (isFull) return new UserError('disk-unusable', `git ${commandOf(args)}: ${stderr}`)
  return new UserError('git-failed', `git ${commandOf(args)}: ${stderr || `exit code ${code}`}`)
}

/** The first word that is no option and no value of `-c`. */
function commandOf(args: readonly string[]): string {
  return args.find((word, index) => !word.startsWith('-') && args[index - 1] !== '-c') ?? ''
}

/** Much more than any honest command here needs, and less than hurts. */
export const maxMemoryBytes = 1024 * 1024 * 1024

/**
 * Some commands gather all they know before they print, so a cap on output alone does not stop a git bomb.
 * Counts private pages, since mapped packs are free; only Linux tells, elsewhere the time limit must do.
 */
export function watchMemory(
  pid: number | undefined,
  mostBytes: number,
  tooMuch: () => void,
): NodeJS.Timeout | undefined {
  if (process.platform !== 'linux' || pid === undefined) return undefined
  const pageBytes = 4096
  return setInterval(() => {
    try {
      const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ').map(Number)
      if ((resident - shared) * pageBytes > mostBytes) tooMuch()
    } catch {
      // It has just ended.
    }
  }, 50).unref()
}

/** What to throw when git could not be started. */
export function startFailure(error: unknown): UserError {
  const { code, message } = error as NodeJS.ErrnoException
  return new UserError(code === 'ENOENT' ? 'git-missing' : 'system-refused', message, { cause: error })
}

/**
 * No configuration of system or user, no home, no prompts, no locks, no replacement objects, no transport:
 * https://git-scm.com/docs/git#_environment_variables. Relative folders of PATH are dropped, so that the
 * place we work in can never offer a program of its own.
 */
function cleanEnvironment({ gitDir, home }: GitPlace): Record<string, string> {
  return {
    PATH: absoluteFolders(process.env.PATH ?? '').join(delimiter),
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: 'C',
    GIT_DIR: gitDir,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: '',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_ADVICE: '0',
    GIT_PAGER: 'cat',
    GIT_EDITOR: ':',
  }
}

/** Git's words without its hints, without control characters and without the name of our temporary folder. */
function gitWords(chunks: readonly Buffer[], place: GitPlace): string {
  const text = Buffer.concat(chunks).toString('utf8').replaceAll(place.gitDir, '.git')
  const lines = text.split('\n').map((line) => line.replace(/\p{Cc}/gu, ' ').trim())
  return lines
    .filter((line) => line !== '' && !line.startsWith('hint: '))
    .slice(0, 8)
    .join('; ')
    .slice(0, 2000)
}
