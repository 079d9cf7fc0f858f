/** A change request of a host, opened by its address: where its change comes from, and where its review goes. */
import type { ChangeSource } from '../hosts/contract.ts'
import { hostedSource, nameOf } from '../hosts/remote/source.ts'
import type { TicketOrigin } from './fetch-tickets.ts'
import { openHost } from './open-host.ts'
import type { Services } from './services.ts'

export type OpenedChangeRequest = {
  /** For people: `owner/repo#12`. */
  name: string
  source: ChangeSource
  /** Tickets that its author points to are looked up with the same access; null where no source of tickets fits. */
  ticket: TicketOrigin | null
}

/** Nothing is asked of the host yet. Throws `host-unknown`, and `usage` for an address of something else. */
export function openChangeRequest(
  url: string,
  services: Pick<Services, 'settings' | 'environment'>,
): OpenedChangeRequest {
  const { host, address, access } = openHost(url, services)
  const repository = [...address.owner, address.name].join('/')
  return {
    name: nameOf(address),
    source: hostedSource(address, host.openReader(address, access)),
    // An App's token exists only while it is used.
    ticket:
      address.kind === 'github' && !access.app
        ? {
            kind: 'github',
            repository,
            branch: null,
            access: { apiUrl: address.apiUrl, token: access.token },
          }
        : null,
  }
}
