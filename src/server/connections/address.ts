/** The address of a change request of a connection. */
import { UserError } from '../../base/errors.ts'
import { namePart, partsOf } from '../../domain/repository-name.ts'
import type { ChangeAddress } from '../../hosts/remote/contract.ts'
import { pageOf } from '../../hosts/remote/facts.ts'
import type { HostConnection } from './connections.ts'

/** Throws `change-request-unknown` for a name that no host could have. */
export function addressOf(
  { kind, host, webUrl, apiUrl }: HostConnection,
  { id: repositoryId, fullName }: { id: string; fullName: string },
  number: number,
): ChangeAddress {
  const { owner, name } = partsOf(fullName)
  if (owner.length === 0 || ![...owner, name].every((part) => namePart.test(part)))
    throw new UserError('change-request-unknown', 'the repository has a name that cannot be')
  return { kind, host, webUrl, apiUrl, owner, name, repositoryId, number }
}

export function addressText({ kind, webUrl }: HostConnection, name: string, number: number): string {
  return pageOf({ kind, webUrl, ...partsOf(name), number })
}
