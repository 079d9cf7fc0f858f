/** The folder of the server, only for its own user, and the keys in it that it makes at the first start. */
import { randomBytes } from 'node:crypto'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, writeWhole } from '../../base/durable.ts'
import { UserError } from '../../base/errors.ts'
import type { Secrets } from './load.ts'

/** Throws `server-unusable` for one that cannot be written, or that others can enter and that is not ours to close. */
export function prepareDataFolder(folder: string): void {
  try {
    makeFolder(folder)
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new UserError('server-unusable', `data folder ${folder}: ${(error as Error).message}`, {
      cause: error,
    })
  }
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
