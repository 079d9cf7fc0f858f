/** A listener for webhooks of every host, whose connections ask no host and whose disk is a list. */
import { createHmac, randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { BuiltInHostKind } from '../../../src/domain/host-kind.ts'
import type { HostConnection } from '../../../src/server/connections/connections.ts'
import { openListener } from '../../../src/server/http/listen.ts'
import { webhookRoutes } from '../../../src/server/http/webhook-routes.ts'
import type { NewDelivery } from '../../../src/server/intake/deliveries.ts'
import { openLog } from '../../../src/server/log.ts'
import { openMetrics } from '../../../src/server/metrics.ts'

export const secret = 'a secret of the connection'
export const older = 'the secret before this one'
export const signing = `whsec_${Buffer.from('another secret of this host').toString('base64')}`
export const head = 'a'.repeat(40)
export const now = () => new Date().toISOString()

export type Sent = { path?: string; headers: Record<string, string>; body: string }

function connectionOf(
  name: string,
  kind: BuiltInHostKind,
  secrets: string[],
  webUrl = 'https://git.example.org',
): HostConnection {
  const unused = () => Promise.reject(new Error('a webhook must not ask the host'))
  return {
    ...{ name, kind, host: 'git.example.org', webUrl, apiUrl: '' },
    webhookSecrets: async () => secrets,
    markerKeys: async () => [],
    missingRights: async () => [],
    ...{ hasToken: false, named: [] },
    ...{ tenantOf: unused, open: unused, app: unused, refreshInstallations: unused },
  }
}

/** A listener whose disk is a list: the same unique keys, nothing else. */
export async function openTestListener(limits: Partial<{ bodyBytes: number; perSecond: number }> = {}) {
  const stored: NewDelivery[] = []
  const lines: string[] = []
  const metrics = openMetrics()
  const log = openLog({ level: 'debug', write: (line) => lines.push(line) })
  const connections = [
    connectionOf('github', 'github', [secret, older]),
    connectionOf('gitlab', 'gitlab', [secret, older, signing]),
    connectionOf('forgejo', 'forgejo', [secret, older]),
    connectionOf('bitbucket', 'bitbucket', [secret, older]),
    connectionOf('bitbucket-dc', 'bitbucket-dc', [secret, older]),
    connectionOf('azure', 'azure', [secret, older], 'https://dev.azure.com'),
    connectionOf('tfs', 'azure', [secret], 'https://tfs.example.org/tfs'),
    connectionOf('collection', 'azure', [secret], 'https://tfs.example.org/tfs/Our%20Team'),
    connectionOf('fresh', 'github', []),
  ]
  const write = async (delivery: NewDelivery) => {
    const isKnown = stored.some(
      (one) =>
        one.connection === delivery.connection && (one.id === delivery.id || one.hash === delivery.hash),
    )
    if (!isKnown) stored.push(delivery)
    return !isKnown
  }
  const listener = await openListener({
    routes: webhookRoutes({
      connections: new Map(connections.map((one) => [one.name, one])),
      writer: { write },
      limits: { bodyBytes: 100_000, perSecond: 1000, replayHours: 96, ...limits },
      metrics,
      log,
    }),
    ...{ host: '127.0.0.1', port: 0, proxies: 0, strangersPerMinute: 1000, metrics, log },
  })
  onTestFinished(() => listener.close(0))
  const send = async ({ path = '/webhooks/github', headers, body }: Sent): Promise<number> => {
    const answer = await fetch(`${listener.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    await answer.text()
    return answer.status
  }
  return { send, stored, metrics, lines, url: listener.url }
}

export function mac(text: string, key = secret, algorithm = 'sha256'): string {
  return createHmac(algorithm, key).update(text).digest('hex')
}

export function pull(updatedAt = now(), title = 'a change'): string {
  return JSON.stringify({
    action: 'opened',
    number: 7,
    pull_request: { head: { sha: head }, title, updated_at: updatedAt },
    repository: { id: 11, full_name: 'acme/shop' },
    installation: { id: 5 },
  })
}

export function signed(body: string, key = secret, id: string = randomUUID()): Sent {
  return {
    body,
    headers: {
      'x-github-event': 'pull_request',
      'x-github-delivery': id,
      'x-hub-signature-256': `sha256=${mac(body, key)}`,
    },
  }
}

export const without = (sent: Sent, name: string): Sent => ({
  ...sent,
  headers: Object.fromEntries(Object.entries(sent.headers).filter(([key]) => key !== name)),
})
export const withHeader = (sent: Sent, name: string, value: string): Sent => ({
  ...sent,
  headers: { ...sent.headers, [name]: value },
})
export const signatureOf = 'x-hub-signature-256'
