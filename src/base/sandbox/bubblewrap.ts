/** A sandbox by bubblewrap: own namespaces for everything, no network, no home, nobody's rights. */
import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import {
  type Launch,
  type LongRun,
  type Sandbox,
  type SandboxedEnd,
  type SandboxedRun,
  writableMounts,
} from './contract.ts'
import { useOf, writeQuota } from './quota.ts'
import { runBoxed } from './run-boxed.ts'

const nobody = '65534'
const largestFileBytes = 256 * 1024 * 1024
/** Of the quota; the rest is for all other folders together. */
const sharedMemoryBytes = 64 * 1024 * 1024
const largestTemporaryBytes = 1024 * 1024 * 1024
/** Looked for in these places only: a PATH may hold folders of anybody. */
const places = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap']

/** A name that is nowhere when it is in none of them. */
export function bubblewrapPath(): string {
  return places.find((path) => existsSync(path)) ?? 'bwrap'
}

const isolation = [
  '--unshare-all',
  '--unshare-user',
  '--new-session',
  '--cap-drop',
  'ALL',
  '--uid',
  nobody,
  '--gid',
  nobody,
]

/** Without this a program inside could make namespaces of its own. */
const noNesting = '--disable-userns'

/** Where the caller's folder is seen inside; what runs writes to a copy of it. */
const given = '/given'
const copyFirst = ['sh', '-c', `cp -R ${given}/. /src && exec "$@"`, 'sh']

/** `rootBytes`: the size of the file system in memory that holds all it may write to, but for shared memory and mounts. */
export function bubblewrapArguments(
  { command, folder, isReadOnly = false, readOnlyPaths, mounts = [], seconds, memoryMb }: SandboxedRun,
  rootBytes: number,
): string[] {
  return [
    bubblewrapPath(),
    ...isolation,
    noNesting,
    '--die-with-parent',
    '--clearenv',
    ...inMemory('/', rootBytes),
    '--ro-bind',
    '/usr',
    '/usr',
    ...systemFolders(),
    '--proc',
    '/proc',
    ...devices(sharedMemoryBytes),
    ...['/tmp', '/home', '/src'].flatMap((path) => ['--dir', path]),
    ...readOnlyPaths.flatMap((path) => ['--ro-bind', path, path]),
    ...['--ro-bind', folder, isReadOnly ? '/src' : given],
    ...mounts.flatMap(({ from, to, isWritable }) => [isWritable ? '--bind' : '--ro-bind', from, to]),
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
    ...(isReadOnly ? [] : copyFirst),
    ...command,
  ]
}

/**
 * The arguments of `bwrap` for a program that lives longer than one question. Of the system it sees what the
 * distribution installed: `/usr/local`, where anybody's things may lie, is empty unless a path of it is named.
 */
export function launchArguments(run: LongRun): string[] {
  const { command, cwd, readOnlyPaths, writablePaths, outlivesParent = false } = run
  const emptied = ['/usr/local', '/usr/src'].filter(existsSync)
  return [
    ...isolation,
    ...(run.nests ? [] : [noNesting]),
    ...(run.hasNetwork ? ['--share-net'] : []),
    ...(outlivesParent ? [] : ['--die-with-parent']),
    '--ro-bind',
    '/usr',
    '/usr',
    ...emptied.flatMap((path) => ['--tmpfs', path]),
    ...systemFolders(),
    // Where libraries lie, and which version a name stands for.
    ...['/etc/ld.so.cache', '/etc/alternatives', ...(run.hasNetwork ? networkFiles : [])].flatMap((path) => [
      '--ro-bind-try',
      path,
      path,
    ]),
    '--proc',
    '/proc',
    ...devices(largestTemporaryBytes),
    ...inMemory('/tmp', largestTemporaryBytes),
    ...readOnlyPaths.flatMap((path) => ['--ro-bind', path, path]),
    ...writablePaths.flatMap((path) => ['--bind', path, path]),
    // They are memory too, and without a limit.
    ...[...emptied, '/'].flatMap((path) => ['--remount-ro', path]),
    '--chdir',
    cwd,
    '--',
    ...command,
  ]
}

/** What is written there is memory, which no limit of a process counts. */
function devices(sharedBytes: number): string[] {
  return ['--dev', '/dev', ...inMemory('/dev/shm', sharedBytes), '--remount-ro', '/dev']
}

function inMemory(path: string, bytes: number): string[] {
  return ['--size', String(bytes), '--tmpfs', path]
}

/** How names are resolved, and whose certificates are trusted. */
const networkFiles = [
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/ssl',
  '/etc/pki',
  '/etc/ca-certificates',
  '/run/systemd/resolve',
]

/** Null when it is not installed or the system does not let it work: it is tried, not assumed. */
export async function probeBubblewrap(folder: string, signal: AbortSignal): Promise<Sandbox | null> {
  const trial = { command: ['true'], folder, readOnlyPaths: [], seconds: 5, memoryMb: 256, outputBytes: 4096 }
  try {
    const version = await runBoxed([bubblewrapPath(), '--version'], trial, signal)
    const works = await runHere(trial, signal)
    if (works.exitCode !== 0) return null
    return {
      name: version.output.trim().split('\n')[0] ?? 'bubblewrap',
      run: runHere,
      launch: launchByBubblewrap,
    }
  } catch {
    signal.throwIfAborted()
    return null
  }
}

/** The system holds the bytes that are written; files, which it does not count by sandbox, are counted from outside. */
function runHere(run: SandboxedRun, signal: AbortSignal): Promise<SandboxedEnd> {
  const copied = run.isReadOnly ? { bytes: 0, files: 0 } : useOf([run.folder])
  const rootBytes = roundUp(copied.bytes) + writeQuota.bytes - sharedMemoryBytes
  return runBoxed(
    bubblewrapArguments(run, rootBytes),
    { ...run, writable: writableMounts(run), root: { copied, bytes: rootBytes } },
    signal,
  )
}

/** To whole pages. */
function roundUp(bytes: number): number {
  return Math.ceil(bytes / 4096) * 4096
}

export function launchByBubblewrap(run: LongRun): Launch {
  // Not by `--setenv`: who lists processes sees their arguments, and must not see what the operator passes on.
  return {
    command: bubblewrapPath(),
    arguments: launchArguments(run),
    environment: run.environment,
    afterwards: async () => {},
  }
}

/** `/lib` and its like: links into `/usr` on most systems, folders of their own on the others. */
function systemFolders(): string[] {
  return ['bin', 'sbin', 'lib', 'lib32', 'lib64'].flatMap((name) => {
    const path = `/${name}`
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isSymbolicLink()) return ['--symlink', readlinkSync(path), path]
    return found?.isDirectory() ? ['--ro-bind', path, path] : []
  })
}
