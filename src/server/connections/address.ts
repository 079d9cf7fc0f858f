/** The address of a change request of a connection. */
import { UserError } from '../../base/errors.ts'
import { namePart } from '../../domain/repository-name.ts'
import type { ChangeAddress } from '../../hosts/remote/contract.ts'
import { pageOf } from '../../hosts/remote/facts.ts'
import type { HostConnection } from './connections.ts'

/** Throws `change-request-unknown` for a name that no host could have. */
export function addressOf(
  { kind, host, webUrl, apiUrl }: HostConnection,
  { id: repositoryId, fullName }: { id: string; fullName: string },
  number: number,
): ChangeAddress {
  const parts = fullName.split('/')
  const name = parts.at(-1) ?? ''
  const owner = parts.slice(0, -1)
  if (owner.length === 0 || !parts.every((part) => namePart.test(part)))
    throw new UserError('change-request-unknown', 'the repository has a name that cannot be')
  return { kind, host, webUrl, apiUrl, owner, name, repositoryId, number }
}

export function addressText({ kind, webUrl }: HostConnection, name: string, number: number): string {
  const parts = name.split('/')
  return pageOf({ kind, webUrl, owner: parts.slice(0, -1), name: parts.at(-1) ?? '', number })
}
