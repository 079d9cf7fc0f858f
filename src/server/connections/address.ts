/** Addresses of a connection, and of its change requests. */
import { UserError } from '../../base/errors.ts'
import { defaultApiUrl } from '../../hosts/remote/addresses.ts'
import type { ChangeAddress, HostKind } from '../../hosts/remote/contract.ts'
import type { Connection } from '../settings/schema.ts'
import type { HostConnection } from './connections.ts'

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

const partOfName = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/

/** Throws `change-request-unknown` for a name that no host could have. */
export function addressOf(
  { kind, host, webUrl, apiUrl }: HostConnection,
  fullName: string,
  number: number,
): ChangeAddress {
  const parts = fullName.split('/')
  const name = parts.at(-1) ?? ''
  const owner = parts.slice(0, -1)
  if (owner.length === 0 || !parts.every((part) => partOfName.test(part)))
    throw new UserError('change-request-unknown', 'the repository has a name that cannot be')
  return { kind, host, webUrl, apiUrl, owner, name, number }
}

const pagesOf = { github: 'pull', gitlab: '-/merge_requests', forgejo: 'pulls' } as const

export function addressText({ kind, webUrl }: HostConnection, name: string, number: number): string {
  return `${webUrl}/${name}/${pagesOf[kind]}/${number}`
}
