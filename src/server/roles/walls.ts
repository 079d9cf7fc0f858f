/**
 * The walls around the process of a role: it sees its folders and this package, and has an environment built from nothing.
 * Where bubblewrap works it sees no other file and no other process, and has a network only when it needs one. It may build
 * walls of its own inside, for parsers and language servers.
 */
import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { launchByBubblewrap } from '../../base/sandbox/bubblewrap.ts'
import { nodeWalls, packageFolders } from '../../base/sandbox/confine-node.ts'
import type { Launch } from '../../base/sandbox/contract.ts'
import { runBoxed } from '../../base/sandbox/run-boxed.ts'

export type Walls = {
  /** Private folder of this process alone: its home, and where its temporary files go. */
  folder: string
  /** Besides; nothing else of the machine can be written. */
  writable: readonly string[]
  readable: readonly string[]
  /** False where there is no sandbox, or it may not be used. */
  isBoxed: boolean
  /** From `fillCompiled`. */
  compiled?: string | null
  hasNetwork: boolean
}

/** What to start instead of `command`, whose first word is the path of Node. `folder/home` and `folder/tmp` must be there. */
export function wallIn(walls: Walls, command: readonly string[]): Launch {
  const { folder, isBoxed, hasNetwork, compiled = null } = walls
  const environment = ownEnvironment(folder, hasNetwork)
  if (!isBoxed) {
    const [program = '', ...rest] = command
    return { command: program, arguments: rest, environment, afterwards: async () => {} }
  }
  const cached = compiled === null ? [] : [compiled]
  return launchByBubblewrap({
    command,
    cwd: folder,
    readOnlyPaths: [process.execPath, ...packageFiles(), ...walls.readable, ...cached],
    writablePaths: [folder, ...walls.writable],
    environment: { ...environment, ...(compiled === null ? {} : { NODE_COMPILE_CACHE: compiled }) },
    hasNetwork,
    nests: true,
  })
}

export type WallsHere = {
  /** Roles run in bubblewrap. */
  isBoxed: boolean
  /** Inside, parsers and language servers get walls of their own. */
  nests: boolean
}

/** What works on this machine: it is tried, not assumed. */
export async function wallsHere(): Promise<WallsHere> {
  if ((await nodeWalls()) === 'permissions') return { isBoxed: false, nests: false }
  const quiet = { cwd: '/', readOnlyPaths: [], writablePaths: [], environment: {} }
  const inner = launchByBubblewrap({ ...quiet, command: ['/usr/bin/true'] })
  const outer = launchByBubblewrap({
    ...quiet,
    command: [inner.command, ...inner.arguments],
    readOnlyPaths: [inner.command],
    nests: true,
  })
  const bounds = { seconds: 10, outputBytes: 4096 }
  const signal = new AbortController().signal
  const end = await runBoxed([outer.command, ...outer.arguments], bounds, signal).catch(() => null)
  return { isBoxed: true, nests: end?.exitCode === 0 }
}

/** How this machine reaches the network. */
const networkVariables = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy', 'NODE_EXTRA_CA_CERTS']

function ownEnvironment(folder: string, hasNetwork: boolean): Record<string, string> {
  const names = hasNetwork ? networkVariables.flatMap((name) => [name, name.toUpperCase()]) : []
  const given = [...new Set([...names, 'SystemRoot'])].flatMap((name) => {
    const value = process.env[name]
    return value ? [[name, value] as const] : []
  })
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'tmp'),
    ...Object.fromEntries(given),
  }
}

function packageFiles(): string[] {
  const parts = ['prompts', 'rules', 'schema'].map((part) => join(packageRoot, part))
  return [...packageFolders(join(packageRoot, partOfThis(), 'server')), ...parts]
}

/** The package runs from its sources, or from what was built of them. */
function partOfThis(): string {
  return import.meta.filename.endsWith('.ts') ? 'src' : 'dist'
}
