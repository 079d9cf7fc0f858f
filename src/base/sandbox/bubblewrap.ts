/** A sandbox by bubblewrap: own namespaces for everything, no network, no home, nobody's rights. */
import { existsSync } from 'node:fs'
import type { Sandbox, SandboxedRun } from './contract.ts'
import { runBoxed } from './run-boxed.ts'

const nobody = '65534'
const largestFileBytes = 256 * 1024 * 1024

export function bubblewrapArguments({
  command,
  folder,
  readOnlyPaths,
  seconds,
  memoryMb,
}: SandboxedRun): string[] {
  const systemLinks = ['bin', 'sbin', 'lib', 'lib64'].filter((name) => existsSync(`/usr/${name}`))
  return [
    'bwrap',
    '--unshare-all',
    '--unshare-user',
    // Without this a program inside could make namespaces of its own.
    '--disable-userns',
    '--die-with-parent',
    '--new-session',
    '--clearenv',
    '--cap-drop',
    'ALL',
    '--uid',
    nobody,
    '--gid',
    nobody,
    '--ro-bind',
    '/usr',
    '/usr',
    ...systemLinks.flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--size',
    String(largestFileBytes),
    '--tmpfs',
    '/tmp',
    '--tmpfs',
    '/home',
    ...readOnlyPaths.flatMap((path) => ['--ro-bind', path, path]),
    '--bind',
    folder,
    '/src',
    '--chdir',
    '/src',
    '--setenv',
    'PATH',
    '/usr/local/bin:/usr/bin:/bin',
    '--setenv',
    'HOME',
    '/home',
    '--setenv',
    'CI',
    'true',
    '--',
    'prlimit',
    // Of data, not of addresses: engines reserve far more addresses than they use.
    `--data=${memoryMb * 1024 * 1024}`,
    `--fsize=${largestFileBytes}`,
    `--cpu=${seconds * 2}`,
    '--nproc=256',
    '--',
    ...command,
  ]
}

/** Null when it is not installed or the system does not let it work: it is tried, not assumed. */
export async function probeBubblewrap(folder: string, signal: AbortSignal): Promise<Sandbox | null> {
  const trial = { command: ['true'], folder, readOnlyPaths: [], seconds: 5, memoryMb: 256, outputBytes: 4096 }
  try {
    const version = await runBoxed(['bwrap', '--version'], trial, signal)
    const works = await runBoxed(bubblewrapArguments(trial), trial, signal)
    if (works.exitCode !== 0) return null
    return {
      name: version.output.trim().split('\n')[0] ?? 'bubblewrap',
      run: (run, abort) => runBoxed(bubblewrapArguments(run), run, abort),
    }
  } catch {
    signal.throwIfAborted()
    return null
  }
}
