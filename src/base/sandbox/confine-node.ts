/**
 * How a Node process of ours that reads foreign text is started: walled in twice. Node's own permissions let it read this
 * package and nothing else, write nothing and start nothing; where bubblewrap works, it has no network and no other file
 * on top of that. Containers take too long to start for children that live for a second.
 */

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { sha256 } from '../canonical-json.ts'
import { ownNode } from '../own-node.ts'
import { packageRoot, packageVersion } from '../package-root.ts'
import { once } from '../remembered.ts'
import { launchByBubblewrap } from './bubblewrap.ts'
import type { Launch } from './contract.ts'
import { endOrphans } from './orphans.ts'
import { runBoxed } from './run-boxed.ts'

export type NodeRun = {
  /** Absolute, a file of this package. */
  script: string
  /** Given to Node before the script. */
  flags: readonly string[]
  /** Given to the script. */
  words: readonly string[]
}

/** Which walls hold on this machine; the second one is always there. */
export type NodeWalls = 'bubblewrap and permissions' | 'permissions'

export async function nodeWalls(): Promise<NodeWalls> {
  return (await worksInBubblewrap()) ? 'bubblewrap and permissions' : 'permissions'
}

/** `walls`: those of this machine unless named. */
export async function confineNode(run: NodeRun, walls?: NodeWalls): Promise<Launch> {
  const readable = packageFolders(run.script)
  const isBoxed = (walls ?? (await nodeWalls())) !== 'permissions'
  // Node gives up a cache that it may not write to, so that only a wall around Node can make it read-only.
  const cache = isBoxed ? compiledFor(run, readable) : null
  return launchOf(run, readable, cache, isBoxed)
}

function launchOf(
  { script, flags, words }: NodeRun,
  readable: readonly string[],
  cache: { folder: string; isWritable: boolean } | null,
  isBoxed: boolean,
): Launch {
  const command = [
    ...ownNode([
      ...flags,
      '--permission',
      ...[...readable, ...(cache ? [cache.folder] : [])].map((path) => `--allow-fs-read=${path}`),
      ...(cache ? [`--allow-fs-write=${cache.folder}`] : []),
    ]),
    script,
    ...words,
  ]
  const environment = {
    ...(process.env.SystemRoot && { SystemRoot: process.env.SystemRoot }),
    ...(cache && { NODE_COMPILE_CACHE: cache.folder }),
  }
  if (!isBoxed) {
    const [program = '', ...rest] = command
    return { command: program, arguments: rest, environment, afterwards: async () => {} }
  }
  return launchByBubblewrap({
    command,
    cwd: '/',
    readOnlyPaths: [process.execPath, ...readable, ...(cache && !cache.isWritable ? [cache.folder] : [])],
    writablePaths: cache?.isWritable ? [cache.folder] : [],
    environment,
    outlivesParent: cache?.isWritable ?? false,
  })
}

/** The package's code (sources or what was built of them), and where its dependencies may lie. */
export function packageFolders(script: string): string[] {
  const code = relative(packageRoot, script).split(sep)[0] ?? ''
  const paths = [code, 'bin', 'package.json'].map((name) => join(packageRoot, name))
  for (let folder = packageRoot; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules')
    if (existsSync(modules)) paths.push(modules, realpathSync(modules))
    if (folder === dirname(folder)) break
  }
  return [...new Set(paths)]
}

/** Tried once in this process: with Node itself, which may need libraries that cannot be seen inside. */
const worksInBubblewrap = once(async () => {
  if (process.platform !== 'linux') return false
  endOrphans()
  const { execPath } = process
  const { command, arguments: trial } = launchByBubblewrap({
    command: [execPath, '--version'],
    cwd: '/',
    readOnlyPaths: [execPath],
    writablePaths: [],
    environment: {},
  })
  const bounds = { seconds: 10, outputBytes: 4096 }
  const end = await runBoxed([command, ...trial], bounds, new AbortController().signal).catch(() => null)
  return end?.exitCode === 0
})

/**
 * Compiled code for a child, if our own process keeps some. A child that has read foreign text must never write what
 * another process will run: so a process that gets no text fills the folder, and children only read it. Null until then.
 */
function compiledFor(
  run: NodeRun,
  readable: readonly string[],
): { folder: string; isWritable: false } | null {
  const shared = getCompileCacheDir()
  if (shared === undefined) return null
  const folder = join(shared, `child-${sha256(`${packageVersion} ${run.script}`).slice(0, 16)}`)
  if (existsSync(folder)) return { folder, isWritable: false }
  fill(folder, run, readable)
  return null
}

const filling = new Set<string>()
/** Seconds of processor time; on a slow machine it takes five. */
const longestFill = 30

/** The command with a limit of processor time for each of its processes, which the system holds even if no one watches. */
export function withinCpuSeconds(seconds: number, words: readonly string[]): [string, ...string[]] {
  return ['/bin/sh', '-c', `ulimit -t ${seconds} && exec "$@"`, 'sh', ...words]
}

/**
 * In the background. It takes a second and ends by itself, also when this process has ended: bubblewrap that is killed with
 * its parent while it starts leaves a half-made child behind, which waits for it for ever. Since no one may be left to end
 * it, its processor time is limited: Node tries for ever to make folders where the one for its cache was removed meanwhile.
 */
function fill(folder: string, run: NodeRun, readable: readonly string[]): void {
  if (filling.has(folder)) return
  filling.add(folder)
  const half = `${folder}.new`
  try {
    rmSync(half, { recursive: true, force: true })
    mkdirSync(half, { mode: 0o700, recursive: true })
    const {
      command,
      arguments: all,
      environment,
    } = launchOf({ ...run, words: [] }, readable, { folder: half, isWritable: true }, true)
    const [program, ...rest] = withinCpuSeconds(longestFill, [command, ...all])
    const child = spawn(program, rest, { env: environment, stdio: 'ignore' })
    child.unref()
    child.on('error', () => {})
    child.on('exit', (code) => {
      if (code === 0 && !existsSync(folder)) renameSync(half, folder)
    })
  } catch {
    // Without it children start a little slower.
  }
}
