/** Tokens of tenants: shown once, stored as hashes, so that a copy of the database gives no access. */
import { createHash, randomBytes } from 'node:crypto'
import type { Queries } from '../database/contract.ts'

const prefix = 'slt_'

export type TokenScope = 'read' | 'review' | 'admin'

export type NewToken = {
  name: string
  scopes: readonly TokenScope[]
  /** Null: until it is revoked. */
  days: number | null
  /** Null: the operator. */
  madeBy?: string | null
}

export async function makeToken(
  queries: Queries,
  tenant: string,
  { name, scopes, days, madeBy = null }: NewToken,
): Promise<string> {
  const token = `${prefix}${randomBytes(32).toString('base64url')}`
  await queries.query(
    `insert into api_token (hash, tenant, name, scopes, expires_at, made_by)
     values ($1, $2, $3, $4, now() + $5::int * interval '1 day', $6)`,
    [hashOf(token), tenant, name, scopes.join(' '), days, madeBy],
  )
  return token
}

export type TokenOwner = { tenant: string; name: string; scopes: TokenScope[]; hash: string }

/** Null for one that is not valid, or has ended. */
export async function ownerOfToken(queries: Queries, token: string): Promise<TokenOwner | null> {
  // Nothing else is worth a question; a token has 256 random bits, so its plain hash cannot be searched for.
  if (!token.startsWith(prefix)) return null
  const [row] = await queries.query<{ tenant: string; name: string; scopes: string; hash: string }>(
    `update api_token set last_used_at = now()
     where hash = $1 and (expires_at is null or expires_at > now()) returning tenant, name, scopes, hash`,
    [hashOf(token)],
  )
  return row ? { ...row, scopes: row.scopes.split(' ') as TokenScope[] } : null
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
