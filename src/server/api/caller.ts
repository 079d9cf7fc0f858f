/** Who calls the API, and what they may do. */
import type { Call } from '../http/contract.ts'
import type { Role, Session, TokenScope } from './contract/operation.ts'

export type Caller = {
  kind: 'local' | 'person' | 'token'
  /** For the audit log: a login, the name of a token. */
  name: string
  tenant: string
  scopes: ReadonlySet<TokenScope>
  /** What they are told about themselves. */
  session: Pick<Session, 'tenants' | 'user' | 'role' | 'csrf' | 'expiresAt'>
}

/** What a role may do. */
export const scopesOf: Readonly<Record<Role, readonly TokenScope[]>> = {
  viewer: ['read'],
  reviewer: ['read', 'review'],
  admin: ['read', 'review', 'admin'],
}

export interface Admission {
  /**
   * Null for nobody. Throws `Refused` for a request that must not be answered at all: from another site, without the
   * token against forged requests, for another host.
   */
  identify(call: Call, isChange: boolean): Promise<Caller | null>
}

export const csrfHeader = 'x-sightline-csrf'

/** The value of a cookie; empty without it. */
export function cookieIn(header: string | undefined, name: string): string {
  const found = (header ?? '').split(/;\s*/).find((each) => each.startsWith(`${name}=`))
  return found?.slice(name.length + 1) ?? ''
}
