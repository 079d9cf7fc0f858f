/**
 * What is exported, taken by others than our stand-ins: Prometheus as a receiver of OTLP, and the published schema of OTLP,
 * which refuses a field that it does not have. On Debian 13: `apt install prometheus protobuf-compiler
 * libopentelemetry-proto-dev`, then SIGHTLINE_PROMETHEUS=/usr/bin/prometheus SIGHTLINE_OTLP_PROTO=/usr/include.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { TelemetrySettings } from '../../src/config/settings/telemetry.ts'
import { openMetrics } from '../../src/server/metrics.ts'
import { describeRun } from '../../src/storage/catalog/describe-run.ts'
import { describeExport, exportFamilies, exportStoredRun } from '../../src/telemetry/export-run.ts'
import { familiesBody } from '../../src/telemetry/families.ts'
import { measuresOf } from '../../src/telemetry/measures.ts'
import { metricsBody, traceBody } from '../../src/telemetry/otlp.ts'
import { spansOf } from '../../src/telemetry/spans.ts'
import { timelineOf } from '../../src/telemetry/timeline.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { recordedRun } from './recorded-run.ts'

const { SIGHTLINE_PROMETHEUS: prometheus, SIGHTLINE_OTLP_PROTO: schemas } = process.env

async function counted() {
  const metrics = openMetrics({ readQueue: async () => ({ jobs: { queued: 3 }, oldestSeconds: 12 }) })
  metrics.requests.inc({ route: '/healthz', status: '200' }, 5)
  for (const seconds of [0.004, 0.2, 0.2, 30]) metrics.webhookSeconds.observe(seconds)
  return await metrics.list()
}

test.skipIf(!prometheus)(
  'Prometheus takes what a server counts, and shows the same figures',
  async () => {
    const url = await startPrometheus(prometheus ?? '')
    const settings = TelemetrySettings.parse({ otlp: { url: `${url}/api/v1/otlp` }, seconds: 10 })
    const { signal } = new AbortController()
    const parts = { settings, environment: {}, now: () => new Date(), signal }
    const origin = { from: Date.now() - 1_000, instance: 'one' }
    expect(describeExport(await exportFamilies(await counted(), origin, parts))).toEqual([])
    const value = async (query: string): Promise<unknown> => {
      const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`)
      const { data } = (await answer.json()) as { data: { result: { value: [number, string] }[] } }
      return Number(data.result[0]?.value[1])
    }
    expect(await value('sightline_http_requests_total{route="/healthz",status="200"}')).toBe(5)
    expect(await value('sightline_jobs{state="queued"}')).toBe(3)
    expect(await value('sightline_oldest_job_seconds')).toBe(12)
    expect(await value('sightline_webhook_seconds_count')).toBe(4)
    expect(await value('sightline_webhook_seconds_bucket{le="0.25"}')).toBe(3)
    // It keeps no histograms of what happened since the export before; a collector in front of it adds them up.
    const ofRun = await exportStoredRun(recordedRun(), { ...parts, ledger: [] })
    console.log(describeExport(ofRun))
  },
  60_000,
)

test.skipIf(!schemas)('traces and metrics are of the published schema, field by field', async () => {
  const run = recordedRun()
  const { row } = await describeRun(run)
  const families = familiesBody(await counted(), { from: 1, to: 2, instance: 'one' })
  for (const [type, body] of [
    ['trace', traceBody(spansOf({ run, row, review: null }, 'https://sightline.example.org'))],
    ['metrics', metricsBody(measuresOf(timelineOf(run)), 1, 2)],
    ['metrics', families.body],
  ] as const) {
    const name = type === 'trace' ? 'Trace' : 'Metrics'
    const file = `opentelemetry/proto/collector/${type}/v1/${type}_service.proto`
    const message = `opentelemetry.proto.collector.${type}.v1.Export${name}ServiceRequest`
    const args = [`--proto_path=${schemas}`, `--encode=${message}`, file]
    const encode = (input: string) => spawnSync('protoc', args, { input })
    const { status, stderr, stdout } = encode(textFormat(body))
    expect([status, stderr.toString()]).toEqual([0, ''])
    expect(stdout.length).toBeGreaterThan(500)
    expect(encode(`${textFormat(body)} unheard_of: 1`).status).not.toBe(0)
  }
})

/** A JSON body in the text format of protocol buffers; ids are bytes there. */
function textFormat(value: object): string {
  return Object.entries(value)
    .flatMap(([key, held]) => (Array.isArray(held) ? held : [held]).map((each) => [key, each] as const))
    .map(([key, each]) => {
      const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      if (typeof each === 'object') return `${name} { ${textFormat(each)} }`
      if (/_id$/.test(name)) return `${name}: "${each.replace(/../g, '\\x$&')}"`
      // Numbers of 64 bits are texts in JSON.
      if (/nano$|^count$|^int_value$|^bucket_counts$/.test(name)) return `${name}: ${each}`
      return `${name}: ${JSON.stringify(each)}`
    })
    .join(' ')
}

async function startPrometheus(command: string): Promise<string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'prometheus.yml'), 'scrape_configs: []\n')
  const address = `127.0.0.1:${await freePort()}`
  const child = spawn(
    command,
    [
      '--web.enable-otlp-receiver',
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  )
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  })
  const isReady = async () => (await fetch(`http://${address}/-/ready`).catch(() => null))?.status
  await expect.poll(isReady, { timeout: 30_000 }).toBe(200)
  return `http://${address}`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
