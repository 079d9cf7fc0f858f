/** What the server signs its posts with: keys of the connection, which another server or the command has too. */
import { createHmac } from 'node:crypto'
import type { MarkerKeys } from '../../pipeline/publish/sync/marker.ts'
import type { HostConnection } from './connections.ts'

export type Signing = {
  /** The server's, from which its earlier versions made their keys. */
  secretKey: string
  connection: Pick<HostConnection, 'name' | 'markerKeys'>
  tenant: string
  /** The host's id of it. */
  repository: string
}

export async function markerKeysFor({
  secretKey,
  connection,
  tenant,
  repository,
}: Signing): Promise<MarkerKeys> {
  const hash = createHmac('sha256', secretKey).update(`marker ${tenant} ${connection.name} ${repository}`)
  return { keys: await connection.markerKeys(), legacy: hash.digest('hex') }
}
