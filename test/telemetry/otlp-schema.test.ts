/**
 * What is exported, against the published schema of OTLP, which refuses a field that it does not have. On Debian 13: `apt
 * install protobuf-compiler libopentelemetry-proto-dev`, then SIGHTLINE_OTLP_PROTO=/usr/include.
 */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { openMetrics } from '../../src/server/metrics.ts'
import { describeRun } from '../../src/storage/catalog/describe-run.ts'
import { familiesBody } from '../../src/telemetry/families.ts'
import { measuresOf } from '../../src/telemetry/measures.ts'
import { metricsBody, traceBody } from '../../src/telemetry/otlp.ts'
import { spansOf } from '../../src/telemetry/spans.ts'
import { timelineOf } from '../../src/telemetry/timeline.ts'
import { needs } from '../helpers/needs/needs.ts'
import { recordedRun } from './recorded-run.ts'

const { SIGHTLINE_OTLP_PROTO: schemas } = process.env

async function counted() {
  const metrics = openMetrics({ readQueue: async () => ({ jobs: { queued: 3 }, oldestSeconds: 12 }) })
  metrics.requests.inc({ route: '/healthz', status: '200' }, 5)
  for (const seconds of [0.004, 0.2, 0.2, 30]) metrics.webhookSeconds.observe(seconds)
  return await metrics.list()
}

test(
  'traces and metrics are of the published schema, field by field',
  needs('the schema of OTLP (SIGHTLINE_OTLP_PROTO)'),
  async () => {
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
  },
)

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
