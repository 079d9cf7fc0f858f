/** A real OpenTelemetry Collector as a child process, and what it handed on of what it took. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import { z } from 'zod'
import { freePort } from '../helpers/free-port.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'

const Attributes = z
  .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
  .default([])
  .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, plainValue(value)])))
const Resource = z.object({ attributes: Attributes })
/** What JSON may leave out is filled in, so that what was sent and what arrived can be compared. */
const Span = z.object({
  ...{ traceId: z.string(), spanId: z.string(), parentSpanId: z.string().default('') },
  ...{ name: z.string(), kind: z.number(), startTimeUnixNano: z.string(), endTimeUnixNano: z.string() },
  attributes: Attributes,
  status: z.object({ code: z.number().default(0) }).default({ code: 0 }),
})
const Point = z.object({
  attributes: Attributes,
  ...{ startTimeUnixNano: z.string(), count: z.string().optional(), asDouble: z.number().optional() },
  ...{ sum: z.number().optional(), min: z.number().optional(), max: z.number().optional() },
  bucketCounts: z.array(z.string()).optional(),
  explicitBounds: z.array(z.number()).optional(),
})
const points = z.object({
  aggregationTemporality: z.number().optional(),
  isMonotonic: z.boolean().optional(),
  dataPoints: z.array(Point),
})
const Metric = z.object({
  ...{ name: z.string(), unit: z.string().default(''), description: z.string().default('') },
  ...{ sum: points.optional(), gauge: points.optional(), histogram: points.optional() },
})
const Body = z.object({
  resourceSpans: z
    .array(z.object({ resource: Resource, scopeSpans: z.array(z.object({ spans: z.array(Span) })) }))
    .default([]),
  resourceMetrics: z
    .array(z.object({ resource: Resource, scopeMetrics: z.array(z.object({ metrics: z.array(Metric) })) }))
    .default([]),
})

export type SentSpan = z.infer<typeof Span> & { resource: Record<string, unknown> }
export type SentMetric = z.infer<typeof Metric> & { resource: Record<string, unknown> }

export function spansIn(body: object): SentSpan[] {
  return Body.parse(body).resourceSpans.flatMap(({ resource: { attributes: resource }, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, resource }))),
  )
}

/** Without the time at which they were sent. */
export function metricsIn(body: object): SentMetric[] {
  return Body.parse(body).resourceMetrics.flatMap(({ resource: { attributes: resource }, scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) => metrics.map((metric) => ({ ...metric, resource }))),
  )
}

function plainValue(value: Record<string, unknown>): unknown {
  const [kind, held] = Object.entries(value)[0] ?? []
  if (kind === 'intValue') return Number(held)
  return kind === 'arrayValue'
    ? z.object({ values: z.array(z.unknown()).default([]) }).parse(held).values
    : held
}

export async function startCollector(program: string, signals: readonly ('traces' | 'metrics')[]) {
  const spans: SentSpan[] = []
  const metrics: SentMetric[] = []
  const next = await listen((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString())
      spans.push(...spansIn(body))
      metrics.push(...metricsIn(body))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  const port = await freePort()
  const pipeline = { receivers: ['otlp'], exporters: ['otlphttp'] }
  const file = join(temporaryFolder(), 'collector.yaml')
  writeFileSync(
    file,
    stringify({
      receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
      exporters: { otlphttp: { endpoint: urlOf(next), encoding: 'json', compression: 'none' } },
      service: {
        telemetry: { metrics: { level: 'none' } },
        pipelines: Object.fromEntries(signals.map((signal) => [signal, pipeline])),
      },
    }),
  )
  const child = spawn(program, ['--config', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const ended = once(child, 'exit')
  // Also when a test fails.
  onTestFinished(() => void child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(url).catch(() => null))) {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${log}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    ...{ url, spans, metrics },
    complaints: () => log.split('\n').filter((line) => line.split('\t')[1] === 'error'),
    async stop() {
      child.kill('SIGTERM')
      await ended
      await close(next)
    },
  }
}

async function listen(onRequest: RequestListener): Promise<Server> {
  const server = createServer(onRequest)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
