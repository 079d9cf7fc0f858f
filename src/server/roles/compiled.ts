/**
 * Compiled code for the processes of roles, which otherwise spend most of their start on compiling. Who has read foreign
 * text must never write what another process will run: so a process that gets none fills the folder once, and roles find
 * it read-only in their sandbox.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256 } from '../../base/canonical-json.ts'
import { workerIn } from '../../base/child-worker.ts'
import { makeFolder } from '../../base/durable.ts'
import { ownNode } from '../../base/own-node.ts'
import { packageRoot, packageVersion } from '../../base/package-root.ts'
import { usePrivateFolder } from '../../base/private-folders.ts'
import { killTree } from '../../base/process-tree.ts'
import { wallIn } from './walls.ts'

/** Given to the script of a role, which then loads all that any role needs and ends. */
export const loadOnly = '--load-only'

const longestMs = 120_000
const abandonedMs = 30 * longestMs

/**
 * For roles in bubblewrap. The folder; null when it could not be filled, and then roles start more slowly. Never rejects. Each
 * server that finds none fills a folder of its own, and the first one gives it the name that all look for: in a folder that is taken
 * away under it, Node looks for its place for ever.
 */
export async function fillCompiled(data: string): Promise<string | null> {
  const folder = folderForCompiled(data)
  const all = dirname(folder)
  const isThere = () => existsSync(join(folder, 'complete'))
  let own: string | null = null
  try {
    makeFolder(all)
    sweepAbandoned(all)
    if (isThere()) return folder
    own = mkdtempSync(`${folder}-`)
    if (!(await load(own))) return null
    makeFolder(join(own, 'complete'))
    give(own, folder, isThere)
    return folder
  } catch {
    return isThere() ? folder : null
  } finally {
    if (own !== null) rmSync(own, { recursive: true, force: true })
  }
}

/** Another one for each version of ours and of Node. */
export function folderForCompiled(data: string): string {
  const name = sha256(`${packageVersion} ${packageRoot} ${process.version}`).slice(0, 16)
  return join(data, 'compiled', name)
}

/** Folders that were left by servers which were killed while they filled them: to fill one never takes this long. */
function sweepAbandoned(all: string): void {
  for (const name of readdirSync(all).filter((one) => one.includes('-'))) {
    const left = statSync(join(all, name), { throwIfNoEntry: false })
    const isOld = left !== undefined && Date.now() - left.mtimeMs > abandonedMs
    if (isOld) rmSync(join(all, name), { recursive: true, force: true })
  }
}

/** The first that comes is kept. What was not completed, by a version that filled it in place, is replaced. */
function give(own: string, folder: string, isThere: () => boolean): void {
  try {
    renameSync(own, folder)
  } catch {
    if (isThere()) return
    rmSync(folder, { recursive: true, force: true })
    renameSync(own, folder)
  }
}

/** Behind the same walls as a role, since Node keeps what it compiles by the user's number, which is another one inside. */
async function load(compiled: string): Promise<boolean> {
  return await usePrivateFolder('load', async (folder) => {
    for (const name of ['home', 'tmp']) mkdirSync(join(folder, name))
    const walls = { folder, compiled, writable: [compiled], readable: [], isBoxed: true, hasNetwork: false }
    const words = [...ownNode(['--disable-warning=ExperimentalWarning']), workerIn('server/roles'), loadOnly]
    const { command, arguments: all, environment } = wallIn(walls, words)
    const child = spawn(command, all, { env: { ...environment }, stdio: 'ignore' })
    const timer = setTimeout(() => child.pid !== undefined && killTree(child.pid), longestMs)
    return await new Promise<boolean>((resolve) => {
      child.on('error', () => resolve(false))
      child.on('exit', (code) => resolve(code === 0))
    }).finally(() => clearTimeout(timer))
  })
}
