import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { defaultSettings } from '../../src/config/settings/schema.ts'
import { TelemetrySettings } from '../../src/config/settings/telemetry.ts'
import { openServices } from '../../src/index.ts'
import { openMetrics } from '../../src/server/metrics.ts'
import { describeRun } from '../../src/storage/catalog/describe-run.ts'
import { openStoredRun } from '../../src/storage/runs/stored-run.ts'
import { exportFamilies } from '../../src/telemetry/export-run.ts'
import { familiesBody } from '../../src/telemetry/families.ts'
import { measuresOf } from '../../src/telemetry/measures.ts'
import { metricsBody, traceBody } from '../../src/telemetry/otlp.ts'
import { spansOf } from '../../src/telemetry/spans.ts'
import { timelineOf } from '../../src/telemetry/timeline.ts'
import { asks, quiet, shopRepo, withQuietRest, wrongSum } from '../e2e/deep-world.ts'
import { fakeEnvironment } from '../e2e/quick-world.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'
import { sightline } from '../helpers/sightline.ts'
import { metricsIn, type SentSpan, spansIn, startCollector } from './real-collector.ts'

const program = process.env.SIGHTLINE_OTELCOL ?? ''
const { signal } = new AbortController()

/** Reviews by code alone and with the two readers of a scripted model export to `otlp`. */
async function world(otlp: object) {
  const repo = shopRepo()
  const steps = withQuietRest([
    { answer: 'good', if: asks('first'), value: { ...quiet, findings: [wrongSum] } },
  ])
  const fake = await startFakeProvider('anthropic', { steps })
  const env = {
    ...fakeEnvironment(fake, { settings: stringify({ telemetry: { otlp, seconds: 20 } }) }),
    XDG_STATE_HOME: temporaryFolder(),
    XDG_CACHE_HOME: temporaryFolder(),
  }
  return {
    env,
    async review(depth: 'offline' | 'deep') {
      const args = ['review', 'HEAD', '--repo', repo.path, '--depth', depth, '--json']
      const { code, stdout, stderr } = await sightline(args, { env })
      if (code === null || code > 1) throw new Error(stderr)
      return {
        run: String(JSON.parse(stdout).run.trace.run),
        said: /^sightline: telemetry:.*$/m.exec(stderr),
      }
    },
  }
}

/** What should have been sent, from the record of the run. */
async function recorded(environment: Record<string, string>, name: string) {
  const services = await openServices({ environment, cacheFolder: null, signal })
  const run = await openStoredRun(services.runs, name)
  const { row } = await describeRun(run)
  const end = run.entries.find((entry) => entry.type === 'end')
  const review = end?.review ? JSON.parse((await run.object(end.review)) ?? '') : null
  await services.close()
  return {
    spans: spansIn(traceBody(spansOf({ run, row, review }, null))),
    metrics: metricsIn(metricsBody(measuresOf(timelineOf(run)), Date.parse(row.startedAt), 0)),
  }
}

const inOrder = (spans: readonly SentSpan[]) => spans.toSorted((a, b) => (a.spanId < b.spanId ? -1 : 1))

test('a collector hands on every span and histogram of two reviews as the record has them', {
  ...needs('an OpenTelemetry Collector (SIGHTLINE_OTELCOL)'),
  timeout: 300_000,
}, async () => {
  const collector = await startCollector(program, ['traces', 'metrics'])
  const { env, review } = await world({ url: collector.url })
  for (const depth of ['offline', 'deep'] as const) {
    const { run, said } = await review(depth)
    expect(said).toBeNull()
    const expected = await recorded(env, run)
    const arrived = () => collector.spans.filter(({ attributes }) => attributes['sightline.run.id'] === run)
    await expect.poll(arrived).toHaveLength(expected.spans.length)
    expect(inOrder(arrived())).toEqual(inOrder(expected.spans))
    await expect.poll(() => collector.metrics).toEqual(expected.metrics)
    collector.metrics.length = 0
    // From the run to its spans: `show` names the ids under which they arrived.
    const shown = JSON.parse((await sightline(['show', run, '--json'], { env })).stdout)
    const ids = [shown.trace, ...shown.spans].map(({ spanId }: SentSpan) => spanId)
    expect(new Set(arrived().map(({ spanId }) => spanId))).toEqual(new Set(ids))
    expect(new Set(arrived().map(({ traceId }) => traceId))).toEqual(new Set([shown.trace.traceId]))
    const parents = arrived().map(({ parentSpanId }) => parentSpanId)
    expect(parents.filter((id) => id !== '' && !ids.includes(id))).toEqual([])
    if (depth === 'offline') continue
    const call = arrived().find(({ name }) => name === 'chat claude-sonnet-5-5')
    expect(call).toMatchObject({
      kind: 3,
      resource: { 'service.name': 'sightline' },
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'fake',
        'gen_ai.request.model': 'claude-sonnet-5-5',
        'gen_ai.usage.input_tokens': expect.any(Number),
        'sightline.cache_hit': false,
      },
    })
  }
  expect(collector.complaints()).toEqual([])
  await collector.stop()
})

test('a collector takes the sums, gauges and histograms of a server', {
  ...needs('an OpenTelemetry Collector (SIGHTLINE_OTELCOL)'),
  timeout: 120_000,
}, async () => {
  const collector = await startCollector(program, ['traces', 'metrics'])
  const counted = openMetrics({ readQueue: async () => ({ jobs: { queued: 3 }, oldestSeconds: 12 }) })
  counted.requests.inc({ route: '/healthz', status: '200' }, 5)
  for (const seconds of [0.004, 0.2, 30]) counted.webhookSeconds.observe(seconds)
  const families = await counted.list()
  const origin = { from: 1_000, instance: 'one' }
  const settings = TelemetrySettings.parse({ ...defaultSettings.telemetry, otlp: { url: collector.url } })
  const now = new Date()
  const [sent] = await exportFamilies(families, origin, {
    settings,
    environment: {},
    now: () => now,
    signal,
  })
  const expected = metricsIn(familiesBody(families, { ...origin, to: now.getTime() }).body)
  expect(sent).toMatchObject({ sent: expected.length, dropped: 0, why: null })
  await expect.poll(() => collector.metrics).toEqual(expected)
  await collector.stop()
})

test('one that takes traces only, as Jaeger does, gets traces only where the settings say so', {
  ...needs('an OpenTelemetry Collector (SIGHTLINE_OTELCOL)'),
  timeout: 120_000,
}, async () => {
  const collector = await startCollector(program, ['traces'])
  const both = await world({ url: collector.url })
  expect((await both.review('offline')).said?.[0]).toMatch(/1 metrics for .* dropped: it answered 404/)
  const traces = await world({ url: collector.url, signals: ['traces'] })
  const { run, said } = await traces.review('offline')
  expect(said).toBeNull()
  await expect
    .poll(() => collector.spans.map(({ attributes }) => attributes['sightline.run.id']))
    .toContain(run)
  await collector.stop()
})
