/** Tokens of tenants: shown once, stored as hashes, so that a copy of the database gives no access. */
import { createHash, randomBytes } from 'node:crypto'
import type { Queries } from '../database/contract.ts'

const prefix = 'slt_'

export async function makeToken(queries: Queries, tenant: string, name: string): Promise<string> {
  const token = `${prefix}${randomBytes(32).toString('base64url')}`
  await queries.query('insert into api_token (hash, tenant, name) values ($1, $2, $3)', [
    hashOf(token),
    tenant,
    name,
  ])
  return token
}

/** Null for one that is not valid. */
export async function tenantOfToken(queries: Queries, token: string): Promise<string | null> {
  // Nothing else is worth a question; a token has 256 random bits, so its plain hash cannot be searched for.
  if (!token.startsWith(prefix)) return null
  const [row] = await queries.query<{ tenant: string }>('select tenant from api_token where hash = $1', [
    hashOf(token),
  ])
  return row?.tenant ?? null
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
