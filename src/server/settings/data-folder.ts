/** The folder of the server, only for its own user, and the keys in it that it makes at the first start. */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf, makeFolder, privateFile, writeWhole } from '../../base/durable.ts'
import { UserError } from '../../base/errors.ts'
import type { Secrets } from './load.ts'

/** Throws `server-unusable` for one that cannot be written, or that others can enter and that is not ours to close. */
export function prepareDataFolder(folder: string): void {
  try {
    makeFolder(folder)
  } catch (error) {
    throw unusable(folder, folder, error)
  }
  checkDataFolder(folder)
}

/** Throws `server-unusable` where a server could not keep its data. Makes no folder, and leaves nothing behind. */
export function checkDataFolder(folder: string): void {
  let place = folder
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  try {
    if (!statSync(place).isDirectory()) throw new Error('it is a file and not a folder')
    tryToWrite(join(place, `.sightline-${randomBytes(8).toString('hex')}`))
  } catch (error) {
    throw unusable(folder, place, error)
  }
}

/** As much as the first minutes of a server write. */
const triedBytes = 1024 * 1024

/** What may be written is known for sure only by writing: rights, quotas and full disks are told nowhere together. */
function tryToWrite(path: string): void {
  const file = openSync(path, 'wx', privateFile)
  try {
    writeFileSync(file, Buffer.alloc(triedBytes))
    fsyncSync(file)
  } finally {
    closeSync(file)
    unlinkSync(path)
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the quota of this user is used up',
  ENOTDIR: 'a part of its path is a file and not a folder',
}

function unusable(folder: string, place: string, error: unknown): UserError {
  const why = reasons[codeOf(error) ?? ''] ?? (error as Error).message
  const where = place === folder ? '' : `${place}: `
  return new UserError('server-unusable', `data folder ${folder}: ${where}${why}`, { cause: error })
}

export type OwnKeys = {
  secretKey: string
  adminToken: string
  /** Where an operator finds it; null when it came from the settings. */
  adminTokenFile: string | null
}

/** Those of the settings, else those of the folder, which are made when they are missing. */
export function ownKeys(folder: string, secrets: Pick<Secrets, 'secretKey' | 'adminToken'>): OwnKeys {
  const adminTokenFile = join(folder, 'admin-token')
  return {
    secretKey: secrets.secretKey ?? keyIn(join(folder, 'secret-key')),
    adminToken: secrets.adminToken ?? keyIn(adminTokenFile),
    adminTokenFile: secrets.adminToken === null ? adminTokenFile : null,
  }
}

function keyIn(path: string): string {
  // Of two processes that begin at the same time, both use the first one's.
  try {
    writeWhole(path, Buffer.from(`${randomBytes(32).toString('base64url')}\n`), { replace: false })
    const { mode } = statSync(path)
    if ((mode & 0o077) !== 0)
      throw new UserError('server-unusable', `${path} can be read by others; run \`chmod 600 ${path}\``)
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError('server-unusable', `${path}: ${(error as Error).message}`, { cause: error })
  }
}
