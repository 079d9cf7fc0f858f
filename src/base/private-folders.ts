/**
 * Temporary folders. All of a process lie in one root that only this user can enter and whose name says which process
 * made it. The root goes with its last folder, at the latest when the process ends; one that a killed process left is
 * removed when the next root is made.
 */

import { rmSync } from 'node:fs'
import { lstat, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UserError } from './errors.ts'
import { markOfThisProcess, mayBeRunning } from './process-mark.ts'
import { remembered } from './remembered.ts'

export type PrivateFolder = {
  /** Real, absolute, empty at first, mode 0700. */
  readonly path: string
  /** Never rejects: what cannot be removed now goes when the process ends, or when the next one makes a folder. */
  remove(): Promise<void>
}

type Root = { readonly path: Promise<string>; folders: number }

/** By the system's temporary folder, which may change while the process runs. */
const roots = new Map<string, Root>()
const onDisk = new Set<string>()

process.on('exit', () => {
  for (const path of onDisk)
    try {
      rmSync(path, { recursive: true, force: true })
    } catch {
      // The next process removes it.
    }
})

/** `purpose` is part of its name; it lies in the system's temporary folder unless said. Throws `no-temporary-folder`. */
export async function makePrivateFolder(purpose: string, parent = tmpdir()): Promise<PrivateFolder> {
  const root = remembered(roots, parent, () => ({ path: makeRoot(parent), folders: 0 }))
  // Counted before anything is awaited, so that nobody takes the root for an empty one meanwhile.
  root.folders++
  try {
    const path = await mkdtemp(join(await root.path, `${purpose}-`))
    let isThere = true
    const remove = async (): Promise<void> => {
      if (!isThere) return
      isThere = false
      await rm(path, removal).catch(() => {})
      await release(parent, root)
    }
    return { path, remove }
  } catch (error) {
    await release(parent, root)
    throw new UserError('no-temporary-folder', `${parent}: ${(error as Error).message}`, { cause: error })
  }
}

/** A folder for as long as `use` runs. Throws `no-temporary-folder`. */
export async function usePrivateFolder<Result>(
  purpose: string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = await makePrivateFolder(purpose)
  try {
    return await use(folder.path)
  } finally {
    await folder.remove()
  }
}

const removal = { recursive: true, force: true, maxRetries: 3 } as const

async function makeRoot(parent: string): Promise<string> {
  await sweepAbandonedRoots(parent)
  const { pid, began, machine } = markOfThisProcess()
  const path = await realpath(await mkdtemp(join(parent, `sightline-${pid}-${began}-${machine}-`)))
  onDisk.add(path)
  return path
}

async function release(parent: string, root: Root): Promise<void> {
  root.folders--
  if (root.folders > 0) return
  roots.delete(parent)
  const path = await root.path.catch(() => null)
  if (path === null) return
  await rm(path, removal).then(
    () => onDisk.delete(path),
    () => {},
  )
}

const rootName = /^sightline-(\d{1,10})-(\d{1,20}|-)-([0-9a-f]{8})-\w{6}$/

/** Only folders of this user, and of processes that run no more. Never rejects. */
export async function sweepAbandonedRoots(parent = tmpdir()): Promise<void> {
  const names = await readdir(parent).catch(() => [])
  for (const name of names) {
    const [, pid, began = '-', machine = ''] = rootName.exec(name) ?? []
    if (pid === undefined || mayBeRunning({ pid: Number(pid), began, machine })) continue
    const path = join(parent, name)
    const found = await lstat(path).catch(() => null)
    if (!found?.isDirectory() || (process.getuid && found.uid !== process.getuid())) continue
    await rm(path, removal).catch(() => {})
  }
}
