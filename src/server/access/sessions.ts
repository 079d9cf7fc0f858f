/**
 * Sessions of browsers. One ends when it was not used for a while, after its hours whatever happens, when it is ended by hand,
 * with the token it was begun with, and when its person may do something else than before. What a person may do is believed
 * for some minutes; then the provider is asked again, by one process at a time.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { recordChange } from '../api/audit.ts'
import type { Role } from '../api/contract/operation.ts'
import type { Sealer } from '../connections/sealed-secrets.ts'
import type { Database, Queries } from '../database/contract.ts'
import { hashOf, type TokenOwner, type TokenScope } from '../http/access.ts'
import { Refused } from '../http/contract.ts'
import type { Log } from '../log.ts'
import type { ServerSettings } from '../settings/schema.ts'
import { Rights, rightsOf, type TenantRights } from './rights.ts'
import {
  ProviderUnavailable,
  type SignedInPerson,
  type SignInFlow,
  SignInRefused,
} from './sign-in/contract.ts'

/** Who is behind a request of a browser. */
export type WebSession = {
  hash: string
  tenant: string
  csrf: string
  expiresAt: Date
} & (
  | { kind: 'token'; name: string; scopes: readonly TokenScope[] }
  | { kind: 'person'; name: string; login: string; provider: string; rights: Rights; own: TenantRights }
)

export type SessionParts = {
  database: Database
  settings: ServerSettings
  sealer: Sealer
  flows: ReadonlyMap<string, SignInFlow>
  log: Log
}

export type BegunSession = { key: string; session: WebSession; seconds: number }

type Row = {
  hash: string
  tenant: string
  csrf: string
  expires_at: Date
  checked_at: Date
  seen_at: Date
  provider: string | null
  subject: string | null
  login: string | null
  rights: unknown
  provider_tokens: string | null
  token_name: string | null
  scopes: string | null
}

type PersonRow = Row & { provider: string; subject: string; login: string; provider_tokens: string }

const ProviderTokens = z.object({
  access: z.string(),
  refresh: z.string().nullable(),
  expiresAt: z.number().nullable(),
  claims: z.record(z.string(), z.unknown()),
})

/** So often it is noted that a session was used. */
const seenMs = 60_000
/** One process has so long to ask the provider. */
const checkSeconds = 45
/** While a provider does not answer, what was last known is believed for so many times the usual. */
const graceFactor = 4

export class Sessions {
  private readonly parts: SessionParts

  constructor(parts: SessionParts) {
    this.parts = parts
  }

  /** Null when it has ended. Throws `Refused` with 503 when the provider does not answer for too long. */
  async find(key: string, signal: AbortSignal): Promise<WebSession | null> {
    const { database, settings } = this.parts
    const hash = hashOf(key)
    const [row] = await database.query<Row>(
      `select s.hash, s.tenant, s.csrf, s.expires_at, s.checked_at, s.seen_at, s.provider, s.subject, s.login, s.rights,
         s.provider_tokens, t.name as token_name, t.scopes
       from web_session s left join api_token t on t.hash = s.token and t.tenant = s.tenant
       where s.hash = $1 and s.expires_at > now() and s.seen_at > now() - make_interval(mins => $2)
         and (s.token is null or (t.hash is not null and (t.expires_at is null or t.expires_at > now())))`,
      [hash, settings.signIn.idleMinutes],
    )
    if (!row) return null
    if (Date.now() - row.seen_at.getTime() > seenMs)
      await database.query('update web_session set seen_at = now() where hash = $1', [hash])
    if (!isPerson(row)) return sessionOf(row)
    const isOld = Date.now() - row.checked_at.getTime() > settings.signIn.recheckMinutes * 60_000
    return isOld ? await this.recheck(row, signal) : sessionOf(row)
  }

  async beginWithToken({ tenant, name, scopes, hash: token }: TokenOwner): Promise<BegunSession> {
    return await this.begin({ tenant, token, actor: { kind: 'token', name } }, (own) => ({
      ...own,
      kind: 'token',
      name,
      scopes,
    }))
  }

  /** `earlier`: the key of the session that this browser had, which ends. Null when they may see nothing. */
  async beginWithPerson(
    flow: SignInFlow,
    person: SignedInPerson,
    earlier: string,
  ): Promise<BegunSession | null> {
    const { database, settings } = this.parts
    const rights = await rightsOf(database, settings, person.allowed)
    const [tenant] = Object.keys(rights).sort()
    const own = tenant === undefined ? undefined : rights[tenant]
    if (tenant === undefined || !own) return null
    if (earlier !== '') await database.query('delete from web_session where hash = $1', [hashOf(earlier)])
    const name = personName(person.login, flow.name)
    return await this.begin(
      {
        tenant,
        token: null,
        actor: { kind: 'person', name },
        person: { ...person, provider: flow.name, rights },
      },
      (session) => ({
        ...session,
        kind: 'person',
        name,
        login: person.login,
        provider: flow.name,
        rights,
        own,
      }),
    )
  }

  /** Shows another tenant. Null when the person has no rights there. */
  async switchTenant(session: WebSession, tenant: string): Promise<WebSession | null> {
    const own = session.kind === 'person' ? session.rights[tenant] : undefined
    if (session.kind !== 'person' || !own) return null
    await this.parts.database.transaction(async (queries) => {
      await queries.query('update web_session set tenant = $2 where hash = $1', [session.hash, tenant])
      await recordChange(queries, { ...session, tenant }, { action: 'session.switch', target: session.name })
    })
    return { ...session, tenant, own }
  }

  async end(session: WebSession): Promise<void> {
    await this.parts.database.transaction((queries) => endWith(queries, session, { why: 'signed out' }))
  }

  private async begin(
    {
      tenant,
      token,
      actor,
      person,
    }: {
      tenant: string
      token: string | null
      actor: { kind: 'token' | 'person'; name: string }
      person?: SignedInPerson & { provider: string; rights: Rights }
    },
    sessionWith: (own: Pick<WebSession, 'hash' | 'tenant' | 'csrf' | 'expiresAt'>) => WebSession,
  ): Promise<BegunSession> {
    const { database, settings, sealer } = this.parts
    const [key, csrf] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
    const seconds = settings.signIn.hours * 3_600
    const own = { hash: hashOf(key), tenant, csrf, expiresAt: new Date(Date.now() + seconds * 1000) }
    await database.transaction(async (queries) => {
      await queries.query(
        `insert into web_session
           (hash, tenant, token, csrf, expires_at, provider, subject, login, rights, provider_tokens)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10)`,
        [
          ...[own.hash, tenant, token, csrf, own.expiresAt],
          ...(person
            ? [
                ...[person.provider, person.subject, person.login, JSON.stringify(person.rights)],
                sealer.seal(JSON.stringify(person.tokens), purposeOf(own.hash)),
              ]
            : [null, null, null, null, null]),
        ],
      )
      const detail = person ? { provider: person.provider, role: person.rights[tenant]?.role } : {}
      await recordChange(
        queries,
        { tenant, ...actor },
        { action: 'session.begin', target: actor.name, detail },
      )
    })
    return { key, session: sessionWith(own), seconds }
  }

  private async recheck(row: PersonRow, signal: AbortSignal): Promise<WebSession | null> {
    const { database, settings, sealer, flows, log } = this.parts
    const before = sessionOf(row)
    const grace = graceFactor * settings.signIn.recheckMinutes * 60_000
    const isBelieved = Date.now() - row.checked_at.getTime() <= grace
    const [claimed] = await database.query(
      `update web_session set checking_until = now() + make_interval(secs => $2)
       where hash = $1 and (checking_until is null or checking_until < now()) returning hash`,
      [row.hash, checkSeconds],
    )
    if (!claimed) return isBelieved ? before : unknownNow()
    const flow = flows.get(row.provider)
    try {
      // People of a provider that was taken out of the settings do not stay signed in.
      if (!flow) throw new SignInRefused('failed', 'the provider was removed')
      const tokens = ProviderTokens.parse(JSON.parse(sealer.open(row.provider_tokens, purposeOf(row.hash))))
      const person = await flow.recheck(row.subject, tokens, signal)
      if (person.subject !== row.subject) throw new SignInRefused('failed', 'the tokens are of somebody else')
      const rights = await rightsOf(database, settings, person.allowed)
      const own = rights[row.tenant]
      const change = { from: roleIn(before, row.tenant), to: own?.role ?? null }
      if (!own || change.from !== change.to)
        return await this.endFor(before, { why: 'role changed', ...change })
      const sealed = sealer.seal(JSON.stringify(person.tokens), purposeOf(row.hash))
      await database.query(
        `update web_session set rights = $2::jsonb, provider_tokens = $3, checked_at = now(), checking_until = null
         where hash = $1`,
        [row.hash, JSON.stringify(rights), sealed],
      )
      return sessionOf({ ...row, rights })
    } catch (error) {
      if (error instanceof SignInRefused)
        return await this.endFor(before, { why: 'the provider no longer accepts this person' })
      if (!(error instanceof ProviderUnavailable)) throw error
      log.warn('recheck-failed', { provider: row.provider, why: error.message })
      await database.query(
        "update web_session set checking_until = now() + interval '30 seconds' where hash = $1",
        [row.hash],
      )
      return isBelieved ? before : unknownNow()
    }
  }

  private async endFor(session: WebSession | null, detail: Record<string, unknown>): Promise<null> {
    if (session) await this.parts.database.transaction((queries) => endWith(queries, session, detail))
    return null
  }
}

/** Those of a tenant, latest used first. */
export async function listSessions(queries: Queries, tenant: string, offset: number, limit: number) {
  const rows = await queries.query<{
    id: string
    name: string
    provider: string | null
    begun_at: Date
    seen_at: Date
    expires_at: Date
  }>(
    `select left(s.hash, 16) as id, coalesce(s.login, t.name, '') as name, s.provider, s.begun_at, s.seen_at, s.expires_at
     from web_session s left join api_token t on t.hash = s.token
     where s.tenant = $1 and s.expires_at > now() order by s.seen_at desc, s.hash offset $2 limit $3`,
    [tenant, offset, limit],
  )
  return rows.map(({ begun_at, seen_at, expires_at, ...row }) => ({
    ...row,
    begunAt: begun_at.toISOString(),
    seenAt: seen_at.toISOString(),
    expiresAt: expires_at.toISOString(),
  }))
}

async function endWith(
  queries: Queries,
  session: WebSession,
  detail: Record<string, unknown>,
): Promise<void> {
  const [ended] = await queries.query('delete from web_session where hash = $1 returning hash', [
    session.hash,
  ])
  if (ended) await recordChange(queries, session, { action: 'session.end', target: session.name, detail })
}

function isPerson(row: Row): row is PersonRow {
  return row.provider !== null && row.subject !== null && row.login !== null && row.provider_tokens !== null
}

function sessionOf(row: Row): WebSession | null {
  const { hash, tenant, csrf, expires_at: expiresAt, token_name, scopes } = row
  const shared = { hash, tenant, csrf, expiresAt }
  if (token_name !== null && scopes !== null)
    return { ...shared, kind: 'token', name: token_name, scopes: scopes.split(' ') as TokenScope[] }
  if (!isPerson(row)) return null
  const { provider, login } = row
  const rights = Rights.parse(row.rights)
  const own = rights[tenant]
  return own
    ? { ...shared, kind: 'person', name: personName(login, provider), login, provider, rights, own }
    : null
}

function roleIn(session: WebSession | null, tenant: string): Role | null {
  return session?.kind === 'person' ? (session.rights[tenant]?.role ?? null) : null
}

/** For the audit log: names of two providers are not one person's. */
function personName(login: string, provider: string): string {
  return `${login} (${provider})`
}

/** What is sealed for one session opens in no other. */
function purposeOf(hash: string): string {
  return `provider tokens of session ${hash}`
}

function unknownNow(): never {
  throw new Refused(503, 'It cannot be checked now what you may do: your sign-in provider does not answer.')
}
