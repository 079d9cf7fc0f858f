/** `sightline serve` as an operator starts it: a process of its own, its settings in a file, its secrets beside it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import { placeEmptyDatabase } from '../helpers/empty-database.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { shareForRoles } from '../helpers/kept-compiled.ts'
import { entry, environment } from '../helpers/sightline.ts'

export type RunningServer = {
  url: string
  folder: string
  adminToken: string
  /** What it printed so far. */
  readonly said: string
  /** Lines of its log so far. */
  log: readonly string[]
  process: ChildProcess
  /** Asks it to stop. Resolves to its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export type ServerOptions = {
  settings: Record<string, unknown>
  /** Files beside the settings, by name; secrets are kept so. */
  files?: Record<string, string>
  env?: Record<string, string>
  folder?: string
}

/** Resolves when it says where it serves. Its database is embedded unless `env` names one. */
export async function startServer({
  settings,
  files = {},
  env = {},
  folder = temporaryFolder(),
}: ServerOptions): Promise<RunningServer> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 })
  const file = join(folder, 'server.yaml')
  const data = join(folder, 'data')
  // A server that begins again has its own by now.
  if (!existsSync(data)) {
    await shareForRoles(data)
    if (env.DATABASE_URL === undefined) await placeEmptyDatabase(join(data, 'database'))
  }
  writeFileSync(file, stringify({ listen: { port: 0 }, dataFolder: data, ...settings }))
  // Its engine hardly runs: what V8 would optimise of it costs more than all the rest of a test's server.
  const child = spawn(process.execPath, ['--liftoff-only', entry, 'serve', '--settings', file], {
    cwd: folder,
    env: environment({ HOME: folder, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log: string[] = []
  let [stdout, stderr] = ['', '']
  child.stderr.on('data', (bytes: Buffer) => {
    stderr += bytes.toString()
    const lines = stderr.split('\n')
    stderr = lines.pop() ?? ''
    log.push(...lines)
  })
  // Not at its end: what it wrote last may be still on its way.
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  onTestFinished(async () => {
    if (child.exitCode === null) child.kill('SIGKILL')
    await ended
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (bytes: Buffer) => {
      stdout += bytes.toString()
      const [, found] = /^Sightline serves (\S+)/m.exec(stdout) ?? []
      if (found) resolve(found)
    })
    void ended.then((code) =>
      reject(new Error(`the server ended with ${code}:\n${log.join('\n')}\n${stderr}`)),
    )
  })
  return {
    url,
    folder,
    get adminToken() {
      return readFileSync(join(data, 'admin-token'), 'utf8').trim()
    },
    get said() {
      return stdout
    },
    log,
    process: child,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}
