/** Where the host of a connection is reached. */
import { defaultApiUrl } from '../../hosts/remote/addresses.ts'
import type { HostKind } from '../../hosts/remote/contract.ts'
import type { Connection } from '../settings/schema.ts'

const webUrls: Readonly<Record<HostKind, string>> = {
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
  forgejo: 'https://codeberg.org',
}

/** Addresses of a host, with those of its public server where the settings name none. */
export function addressesOf({ kind, url, apiUrl }: Connection): { webUrl: string; apiUrl: string } {
  const webUrl = (url ?? webUrls[kind]).replace(/\/$/, '')
  const own = webUrl === webUrls.github ? 'https://api.github.com' : defaultApiUrl(kind, webUrl)
  return { webUrl, apiUrl: (apiUrl ?? own).replace(/\/$/, '') }
}
