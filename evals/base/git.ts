/** Runs git on the repositories of cases, without the settings, hooks or prompts of whoever runs the evaluation. */
import { execFile } from 'node:child_process'
import { devNull } from 'node:os'
import { UserError } from '../../src/index.ts'

export type GitOptions = {
  input?: Uint8Array | string
  /** Further variables, such as `GIT_CONFIG_GLOBAL`. */
  env?: Readonly<Record<string, string>>
  /** Killed after this long; 120 seconds when not given. */
  timeoutMs?: number
  /** Most that it may write; 64 MiB when not given. */
  maxBytes?: number
  signal?: AbortSignal | undefined
}

export type GitResult = { code: number; stdout: Buffer; stderr: string }

/**
 * Runs a command in a git directory to its end, whatever its exit code. Rejects with `git-missing`, with `git-failed`
 * after a timeout or too much output, and with the signal's reason after an abort.
 */
export function tryGit(
  gitDir: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitResult> {
  const { input, env, timeoutMs = 120_000, maxBytes = 64 * 1024 * 1024, signal } = options
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      args,
      {
        cwd: gitDir,
        env: { ...cleanEnvironment(gitDir), ...env },
        encoding: 'buffer',
        maxBuffer: maxBytes,
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        ...(signal ? { signal } : {}),
      },
      (error, stdout, stderr) => {
        const words = stderr.toString('utf8').trim().slice(0, 2000)
        if (signal?.aborted) reject(signal.reason)
        else if (error === null) resolve({ code: 0, stdout, stderr: words })
        else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr: words })
        else if (error.code === 'ENOENT')
          reject(new UserError('git-missing', error.message, { cause: error }))
        else reject(new UserError('git-failed', `git ${args.join(' ').slice(0, 200)}: ${error.message}`))
      },
    )
    // A command that ends before it has read all of its input is judged by its exit code, not by the broken pipe.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** As `tryGit`, and any exit code but 0 is a `git-failed` with git's own words. */
export async function runGit(
  gitDir: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Buffer> {
  const { code, stdout, stderr } = await tryGit(gitDir, args, options)
  if (code === 0) return stdout
  const words = stderr || `exit code ${code}`
  throw new UserError('git-failed', `git ${args.join(' ').slice(0, 200)}: ${words}`)
}

/** No settings of system or user, no prompts, and no transport unless a caller allows one. */
function cleanEnvironment(gitDir: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: devNull,
    XDG_CONFIG_HOME: devNull,
    LC_ALL: 'C',
    GIT_DIR: gitDir,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: '',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_ADVICE: '0',
  }
}
