/** Where the operator's settings want telemetry to go, with the keys from the environment. */
import type { TelemetrySettings } from '../config/settings/telemetry.ts'
import type { Destination } from './post.ts'

export type Destinations = {
  traces: Destination[]
  metrics: Destination[]
  /** Langfuse alone takes scores. */
  scores: Destination[]
  exceptions: (Destination & { environment: string })[]
  /** What cannot be used, in words. */
  unusable: string[]
}

/** Langfuse refuses spans of older shapes without it. */
const langfuseVersion = { 'x-langfuse-ingestion-version': '4' }

export function destinationsOf(settings: TelemetrySettings, environment: NodeJS.ProcessEnv): Destinations {
  const found: Destinations = { traces: [], metrics: [], scores: [], exceptions: [], unusable: [] }
  const read = (name: string): string => {
    const value = environment[name] ?? ''
    if (value === '') found.unusable.push(`$${name} is not set`)
    return value
  }
  const { otlp, langfuse, sentry } = settings
  if (otlp) {
    const headers = Object.fromEntries(
      Object.entries(otlp.headersFrom).map(([name, variable]) => [name, read(variable)]),
    )
    const base = otlp.url.replace(/\/$/, '')
    const at = (path: string) => ({ name: new URL(base).host, url: `${base}${path}`, headers })
    if (otlp.signals.includes('traces')) found.traces.push(at('/v1/traces'))
    if (otlp.signals.includes('metrics')) found.metrics.push(at('/v1/metrics'))
  }
  if (langfuse) {
    const keys = [read(langfuse.publicKeyFrom), read(langfuse.secretKeyFrom)]
    const authorization = `Basic ${Buffer.from(keys.join(':')).toString('base64')}`
    const base = langfuse.url.replace(/\/$/, '')
    const at = (path: string) => ({ name: 'Langfuse', url: `${base}${path}`, headers: { authorization } })
    if (!keys.includes('')) {
      const traces = at('/api/public/otel/v1/traces')
      found.traces.push({ ...traces, headers: { ...traces.headers, ...langfuseVersion } })
      found.scores.push(at('/api/public/ingestion'))
    }
  }
  if (sentry) {
    const dsn = read(sentry.dsnFrom)
    const place = dsn === '' ? null : placeOfDsn(dsn)
    if (place) found.exceptions.push({ ...place, environment: sentry.environment })
    else if (dsn !== '') found.unusable.push(`$${sentry.dsnFrom} is not a DSN of Sentry`)
  }
  return found
}

/** `https://KEY@HOST/PATH/PROJECT`. */
function placeOfDsn(dsn: string): Destination | null {
  const url = URL.parse(dsn)
  const [, path = '', project = ''] = /^(.*)\/(\d+)\/?$/.exec(url?.pathname ?? '') ?? []
  if (!url || !/^https?:$/.test(url.protocol) || url.username === '' || project === '') return null
  return {
    name: 'Sentry',
    url: `${url.protocol}//${url.host}${path}/api/${project}/envelope/`,
    headers: {
      'x-sentry-auth': `Sentry sentry_version=7, sentry_client=sightline, sentry_key=${url.username}`,
    },
  }
}

/** For whoever only wants to know whether there is anything to do. */
export function isTelemetryOn({ otlp, langfuse, sentry }: TelemetrySettings): boolean {
  return otlp !== null || langfuse !== null || sentry !== null
}
