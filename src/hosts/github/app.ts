/**
 * A GitHub App from the side of its owner: who installed it, tokens for one installation, deliveries that failed, and the
 * exchange that turns a manifest into an App. Needs the App's key, or nothing at all for the exchange.
 */
import { z } from 'zod'
import { type Answer, withQuery } from '../remote/api.ts'
import type { HostAccess } from '../remote/contract.ts'
import { appJwt, type MintedToken, mintToken, openRoot, type Permissions, perPage } from './client.ts'

export type AppAccess = {
  readonly apiUrl: string
  readonly app: NonNullable<HostAccess['app']>
  readonly fetch: typeof globalThis.fetch
}

export type Installation = {
  id: string
  /** Of the person or organization that installed it; the id survives renames. */
  account: { id: string; login: string }
  isSuspended: boolean
  /** What whoever installed it agreed to; the App may ask for more by now. */
  permissions: Permissions
}

export type FailedDelivery = {
  /** What it is sent again by. */
  id: number
  /** What it arrives under. */
  guid: string
  event: string
  deliveredAt: number
  /** What it was answered with; 0 when it was not answered. */
  status: number
}

export interface GitHubApp {
  listInstallations(signal: AbortSignal): Promise<Installation[]>
  /** The repositories that an installation may see. */
  listRepositories(installation: string, signal: AbortSignal): Promise<AppRepository[]>
  /**
   * A token that lasts an hour and may do no more than this, in one repository (or in all of the installation for null).
   * Throws `change-request-unknown` and `host-refused`.
   */
  mintToken(
    wanted: { installation: string; repositoryId: string | null; permissions: Permissions },
    signal: AbortSignal,
  ): Promise<MintedToken>
  /** Deliveries since then (milliseconds) that did not end in success and were not delivered since. */
  listFailedDeliveries(since: number, signal: AbortSignal): Promise<FailedDelivery[]>
  redeliver(id: number, signal: AbortSignal): Promise<void>
}

export type AppRepository = { id: string; fullName: string; isPrivate: boolean }

const mostPages = 20

const InstallationRow = z.object({
  id: z.number(),
  // An enterprise has no login.
  account: z.object({ id: z.number(), login: z.string().default('') }).nullable(),
  suspended_at: z.string().nullish(),
  permissions: z
    .record(
      z.string(),
      z.string().transform((access) => (access === 'read' ? access : 'write')),
    )
    .default({}),
})
const RepositoryRow = z.object({ id: z.number(), full_name: z.string(), private: z.boolean() })
const DeliveryRow = z.object({
  id: z.number(),
  guid: z.string(),
  event: z.string(),
  delivered_at: z.string(),
  status_code: z.number(),
})

export function openGitHubApp({ apiUrl, app, fetch }: AppAccess): GitHubApp {
  const access: HostAccess = { token: null, tokenName: null, app, fetch }
  const api = openRoot(apiUrl, access, async () => appJwt(app))
  const mint: GitHubApp['mintToken'] = ({ installation, repositoryId, permissions }, signal) => {
    const repositories = repositoryId === null ? {} : { repository_ids: [Number(repositoryId)] }
    return mintToken(api, installation, { permissions, ...repositories }, signal)
  }
  return {
    mintToken: mint,
    async listInstallations(signal) {
      const rows = await api.list('/app/installations', { pages: mostPages }, signal)
      return z
        .array(InstallationRow)
        .parse(rows)
        .flatMap(({ id, account, suspended_at: suspended, permissions }) => {
          if (account === null) return []
          const isSuspended = typeof suspended === 'string'
          const { login } = account
          return [{ id: String(id), account: { id: String(account.id), login }, isSuspended, permissions }]
        })
    },
    async listRepositories(installation, signal) {
      const permissions = { metadata: 'read' } as const
      const { token } = await mint({ installation, repositoryId: null, permissions }, signal)
      const own = openRoot(apiUrl, access, async () => token)
      const listIn = (page: unknown) => z.object({ repositories: z.unknown() }).parse(page).repositories
      const rows = await own.list('/installation/repositories', { pages: mostPages }, signal, listIn)
      return z
        .array(RepositoryRow)
        .parse(rows)
        .map((row) => ({ id: String(row.id), fullName: row.full_name, isPrivate: row.private }))
    },
    async listFailedDeliveries(since, signal) {
      const failed = new Map<string, FailedDelivery>()
      const arrived = new Set<string>()
      let cursor: string | null = null
      for (let page = 0; page < mostPages; page++) {
        const query = { per_page: perPage, ...(cursor === null ? {} : { cursor }) }
        const path = withQuery('/app/hook/deliveries', query)
        const { text, headers }: Answer = await api.ask('GET', path, null, signal)
        // The newest first: whoever arrived later than a failure needs no other attempt.
        const rows = z.array(DeliveryRow).parse(JSON.parse(text))
        for (const { id, guid, event, delivered_at: at, status_code: status } of rows) {
          const deliveredAt = Date.parse(at)
          if (status >= 200 && status < 300) arrived.add(guid)
          else if (deliveredAt >= since && !failed.has(guid))
            failed.set(guid, { id, guid, event, deliveredAt, status })
        }
        const isOld = rows.some((row) => Date.parse(row.delivered_at) < since)
        cursor = nextCursor(headers.get('link') ?? '')
        if (cursor === null || isOld) break
      }
      return [...failed.values()].filter(({ guid }) => !arrived.has(guid))
    },
    async redeliver(id, signal) {
      await api.ask('POST', `/app/hook/deliveries/${id}/attempts`, null, signal)
    },
  }
}

/** From `<https://…?cursor=v1_2>; rel="next", <…>; rel="prev"`. */
function nextCursor(links: string): string | null {
  const next = links.split(',').find((link) => link.includes('rel="next"'))
  const [address = ''] = (next ?? '').trim().replace('<', '').split('>')
  return URL.parse(address)?.searchParams.get('cursor') ?? null
}

export type MadeApp = {
  id: string
  slug: string
  webUrl: string
  /** PEM. */
  privateKey: string
  webhookSecret: string
}

const Conversion = z.object({
  id: z.number(),
  slug: z.string().regex(/^[\w-]{1,100}$/),
  html_url: z.url({ protocol: /^https?$/ }),
  pem: z.string().includes('-----BEGIN'),
  webhook_secret: z.string().min(16),
})

/** Exchanges the code that GitHub sends a browser back with; it works once and for an hour. Throws `host-refused`. */
export async function convertManifest(
  { apiUrl, fetch }: Pick<AppAccess, 'apiUrl' | 'fetch'>,
  code: string,
  signal: AbortSignal,
): Promise<MadeApp> {
  const access: HostAccess = { token: null, tokenName: null, fetch }
  const api = openRoot(apiUrl, access, async () => null)
  const data = await api.send('POST', `/app-manifests/${encodeURIComponent(code)}/conversions`, null, signal)
  const { id, slug, html_url: webUrl, pem, webhook_secret: webhookSecret } = Conversion.parse(data)
  return { id: String(id), slug, webUrl, privateKey: pem, webhookSecret }
}
