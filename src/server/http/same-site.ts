/** What a browser sends by itself, its cookies, is no proof that a person asked: a page of another site may have. Both throw `Refused`. */
import { isSameSecret } from '../../base/secrets/same-secret.ts'
import { type CallHead, csrfHeader } from './caller.ts'
import { Refused } from './contract.ts'

export function refuseOtherSites({ headers }: Pick<CallHead, 'headers'>): void {
  const site = headers['sec-fetch-site'] ?? 'none'
  if (site !== 'same-origin' && site !== 'none') throw new Refused(403, 'Another site may not ask this.')
}

/** For changes: `csrf` is the second token of the session, which no other site can read. */
export function refuseForged({ headers }: Pick<CallHead, 'headers'>, csrf: string): void {
  if (!isSameSecret(headers[csrfHeader] ?? '', csrf))
    throw new Refused(403, `Send the header ${csrfHeader} with the value from /api/v1/session.`)
}
