/** Who calls the API, and what they may do. */
import type { Call } from '../http/contract.ts'
import type { Role, Session, TokenScope } from './contract/operation.ts'

export type Caller = {
  kind: 'local' | 'person' | 'token'
  /** For the audit log: a login, the name of a token. */
  name: string
  tenant: string
  /** In the tenant as a whole. */
  scopes: ReadonlySet<TokenScope>
  /** By name (`github.com/owner/name`); null: all repositories, with `scopes`. Others do not exist for this caller. */
  repositories: ReadonlyMap<string, Role> | null
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
  /**
   * What the caller may do with what the parts of a path name. Null when that does not exist for them. Without this method,
   * `scopes` hold everywhere.
   */
  scopesOn?(
    caller: Caller,
    parameters: Readonly<Record<string, string>>,
  ): Promise<ReadonlySet<TokenScope> | null>
}

/** The names that lists are kept to; null: all. */
export function namesWithin({ repositories }: Pick<Caller, 'repositories'>): readonly string[] | null {
  return repositories && [...repositories.keys()]
}

export const csrfHeader = 'x-sightline-csrf'
