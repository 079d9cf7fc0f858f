/** Where the host of a connection is reached. */
import { usualRoot } from '../../hosts/remote/addresses.ts'
import { defaultApiUrl, factsOf } from '../../hosts/remote/facts.ts'
import type { Connection } from '../settings/schema.ts'

/** Addresses of a host, with those of its public server where the settings name none. */
export function addressesOf({ kind, url, apiUrl }: Connection): { webUrl: string; apiUrl: string } {
  const { server } = factsOf(kind)
  // Settings without either are refused when they are read.
  const webUrl = usualRoot(url ?? server?.webUrl ?? '')
  const own = webUrl === server?.webUrl ? server.apiUrl : defaultApiUrl(kind, webUrl)
  return { webUrl, apiUrl: (apiUrl ?? own).replace(/\/$/, '') }
}
