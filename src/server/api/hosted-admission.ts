/**
 * Who calls the API of a server: a program with a token, or a browser with the session of a token or a person. A browser
 * changes nothing without its second token, which no other site can read. What a path names must be in a repository that the
 * caller may see, else it does not exist for them.
 */
import { packageVersion } from '../../base/package-root.ts'
import { openSqlCatalog } from '../../storage/catalog/sql-catalog.ts'
import { listSessions, type Sessions, type WebSession } from '../access/sessions.ts'
import type { SignInFlow } from '../access/sign-in/contract.ts'
import type { Database } from '../database/contract.ts'
import { ownerOfToken, type TokenScope } from '../http/access.ts'
import type { CallHead } from '../http/caller.ts'
import { type Admission, bearerToken, type Caller, scopesOf } from '../http/caller.ts'
import { Refused } from '../http/contract.ts'
import { cookieIn, type SessionCookies } from '../http/cookies.ts'
import { refuseForged, refuseOtherSites } from '../http/same-site.ts'
import { recordChange } from './audit.ts'
import type { Role, Session } from './contract/operation.ts'
import { shownBefore } from './cursors.ts'
import { type Handlers, WithCookie } from './routes.ts'

export type AdmissionParts = {
  database: Database
  sessions: Sessions
  flows: ReadonlyMap<string, SignInFlow>
  cookies: SessionCookies
  /** `github.com/owner/name` of a repository of this tenant; null when there is none. */
  nameOf(tenant: string, connection: string, id: string): Promise<string | null>
}

/** Parts of paths that are names of runs. */
const runParameters = ['run', 'before', 'after']

type HostedCaller = Caller & { web: WebSession | null }

export class HostedAdmission implements Admission {
  private readonly parts: AdmissionParts

  constructor(parts: AdmissionParts) {
    this.parts = parts
  }

  async identify(head: CallHead, isChange: boolean): Promise<HostedCaller | null> {
    const { database, sessions, cookies } = this.parts
    const { headers, signal } = head
    const token = bearerToken(head)
    if (token !== '') {
      const owner = await ownerOfToken(database, token)
      return owner && callerOfToken(owner, null)
    }
    const key = cookieIn(headers.cookie, cookies.name)
    if (key === '') return null
    refuseOtherSites(head)
    const found = await sessions.find(key, signal)
    if (!found) return null
    if (isChange) refuseForged(head, found.csrf)
    return callerOf(found)
  }

  async scopesOn(
    caller: Caller,
    parameters: Readonly<Record<string, string>>,
  ): Promise<ReadonlySet<TokenScope> | null> {
    const { repositories, tenant } = caller
    if (!repositories) return caller.scopes
    const catalog = openSqlCatalog(this.parts.database, tenant)
    const runs = runParameters.flatMap((name) => parameters[name] ?? [])
    const names = await Promise.all(runs.map(async (run) => (await catalog.get(run))?.repository ?? null))
    if (parameters.connection !== undefined)
      names.push(await this.parts.nameOf(tenant, parameters.connection, parameters.id ?? ''))
    const roles = names.map((name) => (name === null ? undefined : repositories.get(name)))
    if (roles.length === 0) return caller.scopes
    // What is allowed in each of them.
    const shared = scopesOf.admin.filter((scope) =>
      roles.every((role) => role !== undefined && scopesOf[role].includes(scope)),
    )
    return shared.length === 0 ? null : new Set(shared)
  }

  handlers(): Pick<
    Handlers,
    | ('session' | 'providers' | 'beginLocalSession' | 'changeSession' | 'endSession')
    | ('sessions' | 'revokeSession')
  > {
    const { database, sessions, flows, cookies } = this.parts
    return {
      session: async ({ caller }) => sessionOf(caller),
      providers: async () => ({
        mode: 'server' as const,
        providers: [...flows.values()].map(({ name, title }) => ({ name, title, url: `/auth/${name}` })),
      }),
      async beginLocalSession({ body: { token } }) {
        const owner = await ownerOfToken(database, token)
        if (!owner) throw new Refused(401, 'This token is wrong, was revoked, or has ended.')
        const { key, session, seconds } = await sessions.beginWithToken(owner)
        return new WithCookie(sessionOf(callerOf(session)), cookies.session(key, seconds))
      },
      async changeSession({ caller, body: { tenant } }) {
        const web = webOf(caller)
        const changed = web && (await sessions.switchTenant(web, tenant))
        if (!changed) throw new Refused(404, 'There is no such tenant.')
        return sessionOf(callerOf(changed))
      },
      async endSession({ caller }) {
        const web = webOf(caller)
        if (web) await sessions.end(web)
        return new WithCookie({ done: true as const }, cookies.session('', 0))
      },
      async sessions({ caller, query: { cursor, limit } }) {
        const shown = shownBefore(cursor)
        const found = await listSessions(database, caller.tenant, shown, limit + 1)
        const next = found.length > limit ? String(shown + limit) : null
        return { items: found.slice(0, limit), next }
      },
      async revokeSession({ caller, parameters: { id = '' } }) {
        await database.transaction(async (queries) => {
          const [gone] = await queries.query<{ name: string | null }>(
            'delete from web_session where tenant = $1 and left(hash, 16) = $2 returning login as name',
            [caller.tenant, id],
          )
          if (!gone) throw new Refused(404, 'There is no such session.')
          await recordChange(queries, caller, { action: 'session.revoke', target: gone.name ?? id })
        })
        return { done: true }
      },
    }
  }
}

function webOf(caller: Caller): WebSession | null {
  return 'web' in caller ? (caller as HostedCaller).web : null
}

function callerOf(web: WebSession): HostedCaller {
  if (web.kind === 'token') return callerOfToken(web, web)
  const { tenant, name, login, rights, own, csrf, expiresAt, provider } = web
  return {
    kind: 'person',
    name,
    tenant,
    scopes: new Set(scopesOf[own.role]),
    repositories: own.repositories && new Map(Object.entries(own.repositories)),
    session: {
      tenants: Object.keys(rights).sort(),
      user: { name: login, provider },
      role: own.role,
      csrf,
      expiresAt: expiresAt.toISOString(),
    },
    web,
  }
}

function callerOfToken(
  { tenant, name, scopes }: { tenant: string; name: string; scopes: readonly TokenScope[] },
  web: WebSession | null,
): HostedCaller {
  const role: Role = scopes.includes('admin') ? 'admin' : scopes.includes('review') ? 'reviewer' : 'viewer'
  return {
    kind: 'token',
    name,
    tenant,
    scopes: new Set(scopes),
    repositories: null,
    session: {
      tenants: [tenant],
      user: null,
      role,
      csrf: web?.csrf ?? '',
      expiresAt: web?.expiresAt.toISOString() ?? null,
    },
    web,
  }
}

function sessionOf({ tenant, session }: Pick<Caller, 'tenant' | 'session'>): Session {
  return {
    mode: 'server',
    version: packageVersion,
    tenant,
    ...session,
    features: { ask: true, replay: true, queue: true, installations: true },
  }
}
