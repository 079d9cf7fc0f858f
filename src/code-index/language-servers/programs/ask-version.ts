/** Asks a program for its version: whether it is there at all, and which one answers. */
import { execFile } from 'node:child_process'
import { usePrivateFolder } from '../../../base/private-folders.ts'
import { cleanEnvironment } from './environment.ts'

const mostTimeMs = 5_000
const mostBytes = 64 * 1024

/** The first thing in its output that looks like a version; `''` when there is none; null when it does not run. */
export async function askVersion(
  command: string,
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  const output = await usePrivateFolder('probe', (home) =>
    run(command, flags, home, { ...cleanEnvironment(home), ...environment }),
  )
  return output === null ? null : (/\b(?:go|v)?(\d{1,9}\.\d{1,9}[\w.+-]{0,40})/.exec(output)?.[1] ?? '')
}

function run(
  command: string,
  flags: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { cwd, env, timeout: mostTimeMs, maxBuffer: mostBytes, killSignal: 'SIGKILL' } as const
    const child = execFile(command, [...flags], options, (error, stdout) => resolve(error ? null : stdout))
    child.stdin?.end()
  })
}
