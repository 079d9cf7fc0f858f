/** Who calls a route, and what they may do. */
import type { Role, Session, TokenScope } from '../api/contract/operation.ts'

/** A request before its body is read. */
export type CallHead = {
  /** Of the address, without its query. */
  readonly path: string
  /** Parts of the path in braces. */
  readonly parameters: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Milliseconds. */
  readonly receivedAt: number
  readonly signal: AbortSignal
}

export type Caller = {
  /** `operator`: whoever has the admin token of the server; belongs to no tenant. */
  kind: 'local' | 'person' | 'token' | 'operator'
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
  /** Throws `Refused` for a request that must not be answered at all: for another host, from another site. */
  refuseHead?(head: CallHead): void
  /** Null for nobody. Throws `Refused` for a session of a browser without the token against forged requests. */
  identify(head: CallHead, isChange: boolean): Promise<Caller | null>
  /**
   * What the caller may do with what the parts of a path name. Null when that does not exist for them. Without this method,
   * `scopes` hold everywhere.
   */
  scopesOn?(
    caller: Caller,
    parameters: Readonly<Record<string, string>>,
  ): Promise<ReadonlySet<TokenScope> | null>
}

/** For routes that anybody may call. */
export const nobody: Caller = {
  kind: 'person',
  name: '',
  tenant: '',
  scopes: new Set(),
  repositories: null,
  session: { tenants: [], user: null, role: 'viewer', csrf: '', expiresAt: null },
}

export const operator: Caller = { ...nobody, kind: 'operator', name: 'operator' }

/** The names that lists are kept to; null: all. */
export function namesWithin({ repositories }: Pick<Caller, 'repositories'>): readonly string[] | null {
  return repositories && [...repositories.keys()]
}

export const csrfHeader = 'x-sightline-csrf'

/** Empty without one. */
export function bearerToken({ headers }: Pick<CallHead, 'headers'>): string {
  return /^Bearer ([\x21-\x7e]{1,500})$/.exec(headers.authorization ?? '')?.[1] ?? ''
}
