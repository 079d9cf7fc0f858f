/** Telemetry: what leaves, in which shape, to whom; and what never leaves, never delays and never fails. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { UserError } from '../../src/base/errors.ts'
import { defaultSettings } from '../../src/config/settings/schema.ts'
import { TelemetrySettings } from '../../src/config/settings/telemetry.ts'
import { spanIdOf, traceIdsOf } from '../../src/domain/trace-ids.ts'
import { openMetrics } from '../../src/server/metrics.ts'
import {
  describeExport,
  type Exported,
  exportEvaluation,
  exportException,
  exportFamilies,
  exportRun,
  exportStoredRun,
} from '../../src/telemetry/export-run.ts'
import { Exporter, openRunExporter } from '../../src/telemetry/exporter.ts'
import { timelineOf } from '../../src/telemetry/timeline.ts'
import { type Collectors, langfuseKeys, type SentSpan, startCollectors } from '../helpers/collectors.ts'
import { TestRepo } from '../helpers/git-repo.ts'
import { Random } from '../helpers/random.ts'
import { sightline } from '../helpers/sightline.ts'
import { drawCanaries } from '../red-team/secrets/kinds.ts'
import { leakFinder } from '../red-team/secrets/leaks.ts'
import { recordedRun, runName } from './recorded-run.ts'

let collectors: Collectors

beforeAll(async () => {
  collectors = await startCollectors()
})
afterAll(() => collectors.close())
beforeEach(() => {
  collectors.mood = 'good'
  for (const list of ['spans', 'langfuseSpans', 'metrics', 'scores', 'events', 'received', 'faults'] as const)
    collectors[list].length = 0
})

const environment = () => ({ ...langfuseKeys, SENTRY_DSN: collectors.dsn })
const parts = (seconds = 3) => ({
  settings: TelemetrySettings.parse({
    otlp: { url: collectors.url },
    langfuse: { url: collectors.url },
    sentry: {},
    dashboardUrl: 'https://sightline.example.org/',
    seconds,
  }),
  environment: environment(),
  ledger: [],
  now: () => new Date('2026-11-23T03:20:00Z'),
  signal: new AbortController().signal,
})
const attribute = ({ attributes }: Pick<SentSpan, 'attributes'>, key: string): unknown =>
  Object.values(attributes.find((each) => each.key === key)?.value ?? {})[0]

test('every entry of the timeline is one span below the run, in OTLP, with the names of the conventions', async () => {
  const run = recordedRun()
  const sent = await exportStoredRun(run, parts())
  expect(collectors.faults).toEqual([])
  expect(describeExport(sent)).toEqual([])
  const { spans, trace } = timelineOf(run)
  expect(collectors.spans.map(({ spanId }) => spanId).sort()).toEqual(
    [trace.spanId, ...spans.map(({ spanId }) => spanId)].sort(),
  )
  const ids = new Set(collectors.spans.map(({ spanId }) => spanId))
  for (const span of collectors.spans) {
    expect(span.traceId).toBe(trace.traceId)
    expect(attribute(span, 'sightline.run.id')).toBe(runName)
    expect(span.spanId === trace.spanId || ids.has(span.parentSpanId ?? '')).toBe(true)
  }
  const root = collectors.spans.find(({ spanId }) => spanId === trace.spanId)
  expect(root && attribute(root, 'sightline.dashboard.url')).toBe(
    `https://sightline.example.org/runs/${runName}`,
  )
  expect(JSON.stringify(root)).toContain('f'.repeat(64))
  const call = collectors.spans.find(({ name }) => name === 'chat amazon.nova-pro')
  expect(call).toMatchObject({ kind: 3 })
  expect(
    [
      ...['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model', 'sightline.cost.usd'],
      ...['gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens', 'sightline.cache_hit'],
    ].map((key) => call && attribute(call, key)),
  ).toEqual(['chat', 'aws.bedrock', 'amazon.nova-pro', 0.02, '1200', '80', false])
  const names = collectors.spans.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      'review',
      'stage context',
      'plane plain',
      'retry plain',
      'execute_tool find_references',
    ]),
  )
  const cached = collectors.spans.find(({ name }) => name === 'embeddings')
  expect(cached && attribute(cached, 'sightline.cache_hit')).toBe(true)
  expect(collectors.spans.find(({ name }) => name === 'execute_tool plain')?.status).toEqual({ code: 2 })
  expect(collectors.langfuseSpans).toHaveLength(collectors.spans.length)
})

test('the same run gives the same ids again, and a span leads back to its entry', () => {
  const { spans, trace } = timelineOf(recordedRun())
  expect(trace).toEqual(traceIdsOf(runName))
  for (const { id, spanId } of spans) expect(spanId).toBe(spanIdOf(runName, id))
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length)
})

test('tokens, durations and costs of calls are histograms; what came from the record is not counted again', async () => {
  await exportStoredRun(recordedRun('plain', 3), parts())
  const metrics = collectors.metrics[0]?.resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? []
  const points = new Map(
    metrics.flatMap((metric) => ('histogram' in metric ? [[metric.name, metric.histogram.dataPoints]] : [])),
  )
  expect([...points.keys()].sort()).toEqual([
    'gen_ai.client.operation.duration',
    'gen_ai.client.token.usage',
    'sightline.call.cost',
    'sightline.run.duration',
  ])
  const [input, output] = points.get('gen_ai.client.token.usage') ?? []
  expect([input?.sum, output?.sum, input?.count]).toEqual([3600, 240, '3'])
  expect(points.get('sightline.call.cost')?.[0]?.sum).toBeCloseTo(0.06)
})

test('what a server counts is sent as sums, gauges and histograms, by the names of /metrics and with its figures', async () => {
  const metrics = openMetrics({ readQueue: async () => ({ jobs: { queued: 3 }, oldestSeconds: 12 }) })
  metrics.requests.inc({ route: '/healthz', status: '200' }, 5)
  for (const seconds of [0.004, 0.2, 0.2, 30]) metrics.webhookSeconds.observe(seconds)
  // Each run exports its own.
  metrics.measure('sightline.run.duration', 7, {})
  const [sent] = await exportFamilies(await metrics.list(), { from: Date.now(), instance: 'one' }, parts())
  expect(collectors.faults).toEqual([])
  expect(sent).toMatchObject({ what: 'metrics', dropped: 0, why: null })
  const { resource, scopeMetrics } = collectors.metrics[0]?.resourceMetrics[0] ?? {}
  expect(resource && attribute(resource, 'service.instance.id')).toBe('one')
  const found = new Map(scopeMetrics?.[0]?.metrics.map((metric) => [metric.name, metric]))
  expect(sent?.sent).toBe(found.size)
  expect(found.get('sightline_http_requests_total')).toMatchObject({
    sum: {
      dataPoints: [{ asDouble: 5, attributes: [{ key: 'route', value: { stringValue: '/healthz' } }, {}] }],
    },
  })
  expect(found.get('sightline_oldest_job_seconds')).toMatchObject({
    gauge: { dataPoints: [{ asDouble: 12 }] },
  })
  expect(found.get('sightline_webhook_seconds')).toMatchObject({
    histogram: {
      dataPoints: [
        {
          ...{ count: '4', explicitBounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] },
          bucketCounts: ['1', '0', '0', '0', '0', '2', '0', '0', '0', '0', '1'],
        },
      ],
    },
  })
  expect([...found.keys()].filter((name) => /run_duration|token_usage/.test(name))).toEqual([])
})

test('Langfuse gets scores of reviews, and of what became of findings on the run that reported them', async () => {
  const finding = '0123456789abcdef'
  const common = { id: 'e1', at: '2026-11-23T03:00:00.000Z', change: '7' }
  const { sent } = {
    sent: await exportStoredRun(recordedRun(), { ...parts(), ledger: ledgerOf(finding, common) }),
  }
  expect(describeExport(sent)).toEqual([])
  const bodies = collectors.scores.map(({ body }) => body)
  expect(bodies).toMatchObject([
    { name: 'findings', value: 1, traceId: traceIdsOf(runName).traceId },
    {
      name: 'outcome',
      value: 'wrong',
      dataType: 'CATEGORICAL',
      traceId: traceIdsOf('20261120-000000-000000').traceId,
    },
  ])
})

test('Langfuse gets the scores of an evaluation, all on one trace', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'sightline-scores-')), 'settings.yaml')
  writeFileSync(file, stringify({ telemetry: { langfuse: { url: collectors.url } } }))
  const evaluation = { set: 'worlds', about: 'offline', scores: { recall: 0.5, precision: 0.75 } }
  expect(await exportEvaluation(evaluation, { ...langfuseKeys, SIGHTLINE_SETTINGS: file })).toEqual([])
  expect(collectors.faults).toEqual([])
  expect(collectors.scores.map(({ body: { name, value } }) => [name, value])).toEqual([
    ['recall', 0.5],
    ['precision', 0.75],
  ])
  expect(new Set(collectors.scores.map(({ body }) => body.traceId)).size).toBe(1)
})

test('of every kind of secret in every place of a run, nothing but a prefix of four characters leaves', async () => {
  const canaries = drawCanaries(new Random(20), 'telling')
  const find = leakFinder(canaries)
  for (const { text } of canaries) await exportStoredRun(recordedRun(text), parts())
  const all = collectors.received.join('\n')
  expect(collectors.received.length).toBeGreaterThan(canaries.length * 3)
  expect(collectors.faults).toEqual([])
  expect([...find(all, { beginnings: true })]).toEqual([])
})

test('no prompt, answer, code, title or reason leaves, and no path of the machine', async () => {
  const words = 'const launchCodes = loadTheWholeThing(everyAccount)'
  const run = recordedRun()
  const withWords = {
    ...run,
    entries: run.entries.map((entry) =>
      JSON.parse(JSON.stringify(entry), (key, value) =>
        ['reason', 'detail', 'note', 'label'].includes(key)
          ? typeof value === 'string'
            ? words
            : value
          : value,
      ),
    ),
    object: async (hash: string) => (await run.object(hash))?.replaceAll('plain', words) ?? null,
  }
  await exportStoredRun(withWords, parts())
  const all = collectors.received.join('\n')
  expect(all).not.toContain('launchCodes')
  expect(all).not.toContain('/home/somebody')
})

test.each([
  ['down', /dropped: it answered 503/],
  ['refusing', /dropped: it answered 400/],
  ['slow', /dropped: it was not reached in time/],
  ['elsewhere', /dropped: it cannot be reached/],
  ['partial', /2 spans for .* dropped: it refused some/],
] as const)('a collector that is %s costs the spans and says so', async (mood, expected) => {
  collectors.mood = mood
  const all = await exportStoredRun(recordedRun(), parts(mood === 'slow' ? 0.2 : 1))
  expect(describeExport(all).join('\n')).toMatch(expected)
})

test('a collector that answers nonsense is taken at its status, and one that is not there is reported', async () => {
  collectors.mood = 'nonsense'
  expect(describeExport(await exportStoredRun(recordedRun(), parts()))).toEqual([])
  const settings = TelemetrySettings.parse({ otlp: { url: 'http://127.0.0.1:9' }, seconds: 1 })
  const lines = describeExport(await exportStoredRun(recordedRun(), { ...parts(), settings }))
  expect(lines.join('\n')).toMatch(/telemetry: \d+ spans for 127.0.0.1:9 dropped: it cannot be reached/)
})

test('a key that is missing is named, and nothing is sent without it', async () => {
  const lines = describeExport(await exportStoredRun(recordedRun(), { ...parts(), environment: {} }))
  expect(lines.join('\n')).toContain('$LANGFUSE_SECRET_KEY is not set')
  expect(collectors.langfuseSpans).toEqual([])
})

test('a server never waits for exports: what is too much is dropped and counted, and stopping is bounded', async () => {
  const seen: Exported[] = []
  const exporter = new Exporter({ onExported: (all) => seen.push(...all), patienceMs: 50, mostWaiting: 2 })
  const stuck = (signal: AbortSignal) =>
    new Promise<Exported[]>((resolve) => signal.addEventListener('abort', () => resolve([])))
  for (let number = 0; number < 5; number++) exporter.offer(stuck)
  expect(seen.filter(({ dropped }) => dropped === 1)).toHaveLength(2)
  await exporter.stop()
  exporter.offer(stuck)
  expect(seen.filter(({ dropped }) => dropped === 1)).toHaveLength(5)
})

test('a program that goes on exports each run that ends in it, and says what was not taken', async () => {
  const lines: string[] = []
  const unknown = { read: async () => Promise.reject(new Error('no such run')) } as never
  const open = (telemetry: TelemetrySettings) =>
    openRunExporter({ ...parts(), runs: unknown, ledger: unknown, settings: { telemetry } }, (line) =>
      lines.push(line),
    )
  const off = open(defaultSettings.telemetry)
  off.runEnded(runName)
  await off.stop()
  expect(lines).toEqual([])
  const on = open(parts().settings)
  on.runEnded(runName)
  await on.stop()
  expect(lines).toEqual(['telemetry: the run could not be read, so nothing was sent'])
})

test('Sentry gets the kind and the place of a bug: no message, code or path of the machine', async () => {
  const secret = 'ghp_q7Rk2Lm9Xv4Bn8Tz1Yw6Pd3Hs5Jf0GcAeKoU'
  const cause = new TypeError(`Unexpected token in "const key = '${secret}'"`)
  const error = new Error(`cannot read /home/somebody/shop/src/a.ts: ${secret}`, { cause })
  const context = { part: 'command', where: 'review', run: runName }
  const [sent] = await exportException(error, context, parts())
  expect(sent).toMatchObject({ to: 'Sentry', sent: 1, dropped: 0 })
  const [event] = collectors.events
  expect(event).toMatchObject({
    tags: { part: 'command', where: 'review', run: runName },
    contexts: { trace: { trace_id: traceIdsOf(runName).traceId } },
  })
  expect(event?.exception.values.map(({ type }) => type)).toEqual(['TypeError', 'Error'])
  const own = event?.exception.values[1]?.stacktrace.frames.filter(({ in_app }) => in_app) ?? []
  expect(own.at(-1)?.filename).toBe('test/telemetry/export.test.ts')
  const all = collectors.received.join('\n')
  for (const text of [secret, 'const key', 'somebody', 'Unexpected']) expect(all).not.toContain(text)
  // What a user can fix is not a bug.
  await exportException(new UserError('usage', 'wrong'), context, parts())
  expect(collectors.events).toHaveLength(1)
})

test('a command exports its run after the report, with the ids of report and `show`; a dead collector changes nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-telemetry-'))
  const repository = new TestRepo(join(folder, 'shop'))
  mkdirSync(repository.path, { recursive: true })
  repository.git('init', '--quiet', '--initial-branch', 'main')
  // What a repository asks for is not what the operator set.
  const own = `telemetry: { otlp: { url: ${collectors.url}/attacker } }\n`
  repository.commit({ 'src/a.ts': 'export const a = 1\n' })
  repository.commit({ 'src/a.ts': 'export const a = 2\n', '.sightline.yaml': own })
  const file = join(folder, 'settings.yaml')
  const env = { SIGHTLINE_SETTINGS: file, XDG_STATE_HOME: join(folder, 'state') }
  const review = async (telemetry: object) => {
    writeFileSync(file, stringify({ telemetry }))
    const args = ['review', 'HEAD~1..HEAD', '--depth', 'offline', '--json']
    const result = await sightline(args, { cwd: repository.path, env })
    const { run } = JSON.parse(result.stdout) as {
      run: { trace: Record<'run' | 'traceId' | 'spanId', string> }
    }
    return { ...result, trace: run.trace }
  }
  const { code, trace } = await review({ otlp: { url: collectors.url }, seconds: 20 })
  expect(collectors.faults).toEqual([])
  const { run: name, ...ids } = trace
  expect(ids).toEqual(traceIdsOf(name))
  const { stdout } = await sightline(['show', name, '--json'], { env })
  const shown = JSON.parse(stdout) as { spans: { spanId: string }[]; trace: object }
  expect(shown.trace).toEqual(ids)
  expect(collectors.spans.map(({ spanId }) => spanId).sort()).toEqual(
    [ids.spanId, ...shown.spans.map(({ spanId }) => spanId)].sort(),
  )
  expect(collectors.received.join('\n')).not.toContain('attacker')
  collectors.mood = 'down'
  const dead = await review({ otlp: { url: collectors.url }, seconds: 0.5 })
  expect(dead.code).toBe(code)
  expect(dead.stderr).toMatch(/telemetry: \d+ spans for 127\.0\.0\.1:\d+ dropped/)
})

test('a collector gets the signals that the settings name', async () => {
  for (const [signal, paths] of [
    ['traces', ['/v1/traces']],
    ['metrics', ['/v1/metrics']],
  ] as const) {
    collectors.received.length = 0
    const settings = TelemetrySettings.parse({ otlp: { url: collectors.url, signals: [signal] }, seconds: 3 })
    expect(describeExport(await exportStoredRun(recordedRun(), { ...parts(), settings }))).toEqual([])
    expect(collectors.received.map((request) => request.split('\n')[0])).toEqual(paths)
  }
})

test('without settings nothing is sent', async () => {
  const settings = { telemetry: defaultSettings.telemetry }
  const unused = null as never
  const services = { ...parts(), runs: unused, ledger: unused, settings }
  expect(await exportRun('20261123-000000-000000', services)).toEqual([])
  const quiet = { ...parts(), settings: settings.telemetry }
  expect(await exportStoredRun(recordedRun(), quiet)).toEqual([])
  expect(await exportException(new Error('x'), { part: 'web', where: 'x', run: null }, quiet)).toEqual([])
  expect(collectors.received).toEqual([])
})

function ledgerOf(finding: string, common: object) {
  const record = { id: finding, title: '', anchor: '', rule: '' }
  const facts = { plane: 'contract', rule: 'contract/arity', severity: 'high', model: null }
  return [
    { ...common, type: 'seen', finding, record, facts, head: 'h', run: '20261120-000000-000000' },
    {
      ...{ ...common, id: 'e2', type: 'dismissed', finding, because: 'secret words', kind: 'wrong' },
      ...{ by: { kind: 'person', name: 'x' }, reach: { kind: 'here' } },
    },
  ] as never
}
