/**
 * What Prometheus reads. Labels have few fixed values: no tenant, repository, person or path is ever one, so that whoever
 * reads the metrics does not learn who works on what, and their number stays bounded.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { packageVersion } from '../base/package-root.ts'
import { Families } from '../telemetry/families.ts'
import { type MeasureName, measures } from '../telemetry/measures.ts'
import type { Attributes } from '../telemetry/spans.ts'

/** Attributes that are labels: the operator's settings name models, so there are few of each. */
const ownLabels = [
  'gen_ai.operation.name',
  'gen_ai.provider.name',
  'gen_ai.request.model',
  'gen_ai.token.type',
  'error.type',
]

export type Metrics = ReturnType<typeof openMetrics>

/** `readQueue` is called at each scrape; what it cannot find out is left out. */
export function openMetrics({
  readQueue = async () => null,
}: {
  readQueue?: () => Promise<{ jobs: Readonly<Record<string, number>>; oldestSeconds: number } | null>
} = {}) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'sightline_build_info',
    help: 'Always 1; the version is a label.',
    labelNames: ['version'],
    registers,
  }).set({ version: packageVersion }, 1)
  const jobs = new Gauge({
    name: 'sightline_jobs',
    help: 'Jobs in the queue by state.',
    labelNames: ['state'],
    registers,
  })
  const oldest = new Gauge({
    name: 'sightline_oldest_job_seconds',
    help: 'Age of the oldest job that waits for a worker.',
    registers,
  })
  const histogram = (name: MeasureName): Histogram =>
    new Histogram({
      name: name.replaceAll('.', '_'),
      help: measures[name].description,
      labelNames: name.startsWith('sightline.run')
        ? []
        : ownLabels.map((label) => label.replaceAll('.', '_')),
      buckets: [...measures[name].bounds],
      registers,
    })
  const histograms: Readonly<Record<MeasureName, Histogram>> = {
    'gen_ai.client.token.usage': histogram('gen_ai.client.token.usage'),
    'gen_ai.client.operation.duration': histogram('gen_ai.client.operation.duration'),
    'sightline.call.cost': histogram('sightline.call.cost'),
    'sightline.run.duration': histogram('sightline.run.duration'),
  }
  const measureQueue = async (): Promise<void> => {
    const queue = await readQueue().catch(() => null)
    jobs.reset()
    for (const [state, count] of Object.entries(queue?.jobs ?? {})) jobs.set({ state }, count)
    oldest.set(queue?.oldestSeconds ?? 0)
  }
  return {
    webhooks: new Counter({
      name: 'sightline_webhooks_total',
      help: 'Webhooks that arrived, by kind of host and by what became of them.',
      labelNames: ['kind', 'result'],
      registers,
    }),
    webhookSeconds: new Histogram({
      name: 'sightline_webhook_seconds',
      help: 'Time from the first byte of a webhook to its answer, after the durable write.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    commands: new Counter({
      name: 'sightline_commands_total',
      help: 'Commands in comments, by name and whether they were carried out.',
      labelNames: ['name', 'outcome'],
      registers,
    }),
    triggers: new Counter({
      name: 'sightline_triggers_total',
      help: 'Triggers by what was decided on them.',
      labelNames: ['decision'],
      registers,
    }),
    requests: new Counter({
      name: 'sightline_http_requests_total',
      help: 'HTTP requests by route and status.',
      labelNames: ['route', 'status'],
      registers,
    }),
    reviews: new Counter({
      name: 'sightline_reviews_total',
      help: 'Jobs that ended in this process, by their visible state.',
      labelNames: ['state', 'reason'],
      registers,
    }),
    dollars: new Counter({
      name: 'sightline_model_dollars_total',
      help: 'What models cost in this process, in US dollars.',
      registers,
    }),
    telemetry: new Counter({
      name: 'sightline_telemetry_total',
      help: 'Spans, metrics, scores and exceptions for the collectors, by whether they were taken.',
      labelNames: ['what', 'result'],
      registers,
    }),
    /** Of a run that ended in this process: `gen_ai.client.token.usage` is `gen_ai_client_token_usage` here. */
    measure(name: MeasureName, value: number, attributes: Attributes): void {
      const labels = ownLabels.flatMap((label) => {
        const given = attributes[label]
        return given === undefined ? [] : [[label.replaceAll('.', '_'), String(given)] as const]
      })
      histograms[name].observe(Object.fromEntries(labels), value)
    },
    reconciled: new Counter({
      name: 'sightline_reconciled_total',
      help: 'What the reconciler found that no webhook had reported.',
      labelNames: ['what'],
      registers,
    }),
    /** The text format of Prometheus, and its content type. */
    async show(): Promise<{ text: string; type: string }> {
      await measureQueue()
      return { text: await registry.metrics(), type: registry.contentType }
    },
    /** The same for whoever sends it elsewhere. */
    async list(): Promise<Families> {
      await measureQueue()
      return Families.parse(await registry.getMetricsAsJSON())
    },
  }
}
