/** Private folders for servers: made here, and those that a killed process left behind are removed. */
import { lstat, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'sightline-tree-'

/** A new folder that only this user can enter, with its process id in the name; its real path. */
export async function makePrivateFolder(): Promise<string> {
  return await realpath(await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`)))
}

/** Removes what processes left that are no more. Only folders of this user; never throws. */
export async function sweepPrivateFolders(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => [])
  for (const name of names) {
    const owner = new RegExp(`^${prefix}(\\d{1,9})-`).exec(name)?.[1]
    if (owner === undefined || isAlive(Number(owner))) continue
    const path = join(tmpdir(), name)
    const found = await lstat(path).catch(() => null)
    if (!found?.isDirectory() || (process.getuid && found.uid !== process.getuid())) continue
    await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
