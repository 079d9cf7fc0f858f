/** `execFile` over a `spawn` that was replaced: Node's own never asks for another one. */
import childProcess, { type ChildProcess } from 'node:child_process'

export const { execFile: callHere } = childProcess

const optionsOfCall = ['cwd', 'env', 'encoding', 'maxBuffer', 'timeout', 'killSignal', 'signal']

/** As `execFile` does it, of whatever `spawn` there is by then. */
export function call(file: string, ...given: unknown[]): ChildProcess {
  const args = (given.find(Array.isArray) ?? []) as string[]
  const options = (given.find((one) => typeof one === 'object' && !Array.isArray(one)) ??
    {}) as ExecFileOptions
  const callback = given.find((one) => typeof one === 'function') as Told | undefined
  const { encoding = 'utf8', maxBuffer = 1024 * 1024, timeout = 0, killSignal = 'SIGTERM', signal } = options
  const isKnown = Object.keys(options).every((name) => optionsOfCall.includes(name))
  if (callback === undefined || !isKnown) return Reflect.apply(callHere, null, [file, ...given])
  const { cwd = process.cwd(), env = process.env } = options
  const child = childProcess.spawn(file, args, { cwd, env })
  let why: (Error & { code?: unknown }) | null = null
  const stop = (error: Error) => {
    why ??= error
    child.kill(killSignal)
  }
  const taken = [child.stdout, child.stderr].map((stream, at) => {
    const pieces: Buffer[] = []
    let length = 0
    stream.on('data', (piece: Buffer) => {
      length += piece.length
      const name = at === 0 ? 'stdout' : 'stderr'
      if (length > maxBuffer)
        stop(
          Object.assign(new RangeError(`${name} maxBuffer length exceeded`), {
            code: 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER',
          }),
        )
      else pieces.push(piece)
    })
    return () => (encoding === 'utf8' ? Buffer.concat(pieces).toString('utf8') : Buffer.concat(pieces))
  })
  const words = `Command failed: ${[file, ...args].join(' ')}`
  const late = () => stop(Object.assign(new Error(words), { code: null, killed: true, signal: killSignal }))
  const timer = timeout > 0 ? setTimeout(late, timeout) : undefined
  const abort = () =>
    stop(Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' }))
  if (signal?.aborted) process.nextTick(abort)
  signal?.addEventListener('abort', abort, { once: true })
  child.on('error', (error) => {
    why ??= error
  })
  child.on('close', (code, endedBy) => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    const [stdout, stderr] = taken.map((text) => text())
    if (code !== 0)
      why ??= Object.assign(new Error(`${words}\n${stderr}`), { code, signal: endedBy, killed: child.killed })
    callback(why, stdout, stderr)
  })
  return child
}

type ExecFileOptions = {
  cwd?: string
  env?: NodeJS.ProcessEnv
  encoding?: string
  maxBuffer?: number
  timeout?: number
  killSignal?: NodeJS.Signals
  signal?: AbortSignal
}
type Told = (error: Error | null, stdout: unknown, stderr: unknown) => void
