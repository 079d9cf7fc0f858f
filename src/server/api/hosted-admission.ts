/**
 * Who calls the API of a server: a program with a token, or a browser that was signed in with one. A session knows its
 * tenant and what its token may do, ends after half a day or with its token, and changes nothing without its second token,
 * which no other site can read.
 */
import { randomBytes } from 'node:crypto'
import { packageVersion } from '../../base/package-root.ts'
import type { Database } from '../database/contract.ts'
import { hashOf, ownerOfToken, type TokenScope } from '../http/access.ts'
import { type Call, Refused } from '../http/contract.ts'
import { isSame } from '../webhooks/contract.ts'
import { recordChange } from './audit.ts'
import { type Admission, type Caller, cookieIn, csrfHeader } from './caller.ts'
import type { Role, Session } from './contract/operation.ts'
import { type Handlers, WithHeaders } from './routes.ts'

const sessionHours = 12

type SessionRow = { tenant: string; name: string; scopes: string; csrf: string; expiresAt: Date }

export class HostedAdmission implements Admission {
  private readonly database: Database
  /** Browsers reach the server by TLS; then its cookie has the name that only such a server can set. */
  private readonly isSecure: boolean

  constructor(database: Database, url: string | null) {
    this.database = database
    this.isSecure = url?.startsWith('https:') ?? false
  }

  async identify({ headers }: Call, isChange: boolean): Promise<Caller | null> {
    const [, token = ''] = /^Bearer ([\x21-\x7e]{1,500})$/.exec(headers.authorization ?? '') ?? []
    if (token !== '') {
      const owner = await ownerOfToken(this.database, token)
      return owner && callerOf({ ...owner, csrf: '', expiresAt: null })
    }
    const key = cookieIn(headers.cookie, this.cookie)
    if (key === '') return null
    const site = headers['sec-fetch-site'] ?? 'none'
    if (site !== 'same-origin' && site !== 'none') throw new Refused(403, 'Another site may not ask this.')
    const [found] = await this.database.query<SessionRow>(
      `select s.tenant, t.name, t.scopes, s.csrf, s.expires_at as "expiresAt"
       from web_session s join api_token t on t.hash = s.token and t.tenant = s.tenant
       where s.hash = $1 and s.expires_at > now() and (t.expires_at is null or t.expires_at > now())`,
      [hashOf(key)],
    )
    if (!found) return null
    if (isChange && !isSame(headers[csrfHeader] ?? '', found.csrf))
      throw new Refused(403, `Send the header ${csrfHeader} with the value from /api/v1/session.`)
    return callerOf({ ...found, scopes: found.scopes.split(' ') as TokenScope[] })
  }

  handlers(): Pick<Handlers, 'session' | 'providers' | 'beginLocalSession' | 'endSession'> {
    return {
      session: async ({ caller }) => sessionOf(caller),
      providers: async () => ({ providers: [] }),
      beginLocalSession: async ({ body: { token } }) => {
        const owner = await ownerOfToken(this.database, token)
        if (!owner) throw new Refused(401, 'This token is wrong, was revoked, or has ended.')
        const [key, csrf] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
        const expiresAt = new Date(Date.now() + sessionHours * 3_600_000)
        const caller = callerOf({ ...owner, csrf, expiresAt })
        await this.database.transaction(async (queries) => {
          await queries.query(
            'insert into web_session (hash, tenant, token, csrf, expires_at) values ($1, $2, $3, $4, $5)',
            [hashOf(key), owner.tenant, owner.hash, csrf, expiresAt],
          )
          await recordChange(queries, caller, { action: 'session.begin', target: owner.name })
        })
        return new WithHeaders(sessionOf(caller), this.setCookie(key, sessionHours * 3_600))
      },
      endSession: async ({ caller }) => {
        await this.database.transaction(async (queries) => {
          await queries.query('delete from web_session where tenant = $1 and csrf = $2', [
            caller.tenant,
            caller.session.csrf,
          ])
          await recordChange(queries, caller, { action: 'session.end', target: caller.name })
        })
        return new WithHeaders({ done: true }, this.setCookie('', 0))
      },
    }
  }

  private get cookie(): string {
    return this.isSecure ? '__Host-sightline' : 'sightline'
  }

  private setCookie(value: string, seconds: number): Record<string, string> {
    const secure = this.isSecure ? '; Secure' : ''
    return {
      'set-cookie': `${this.cookie}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${secure}`,
    }
  }
}

type Known = {
  tenant: string
  name: string
  scopes: readonly TokenScope[]
  csrf: string
  expiresAt: Date | null
}

function callerOf({ tenant, name, scopes, csrf, expiresAt }: Known): Caller {
  const role: Role = scopes.includes('admin') ? 'admin' : scopes.includes('review') ? 'reviewer' : 'viewer'
  return {
    kind: 'token',
    name,
    tenant,
    scopes: new Set(scopes),
    session: {
      tenants: [tenant],
      user: null,
      role,
      csrf,
      expiresAt: expiresAt?.toISOString() ?? null,
    },
  }
}

function sessionOf({ tenant, session }: Pick<Caller, 'tenant' | 'session'>): Session {
  return {
    mode: 'server',
    version: packageVersion,
    tenant,
    ...session,
    // Whoever reads code and asks models holds no other right; the web process is not where that happens.
    features: { ask: false, replay: false, queue: true, installations: true },
  }
}
