/**
 * What a server counts, in the JSON of OTLP: the same names and figures as at `/metrics`, since the server began. Histograms
 * of runs are left out; each run exports its own.
 */
import { z } from 'zod'
import { measures } from './measures.ts'
import { attributesOf, nanoseconds, resourceOf, scope } from './otlp.ts'

/** As the registry of the server lists them. */
export const Families = z.array(
  z.object({
    name: z.string(),
    help: z.string(),
    type: z.enum(['counter', 'gauge', 'histogram', 'summary']),
    values: z.array(
      z.object({
        /** Not a number: nothing was measured yet. */
        value: z.union([z.number(), z.nan()]),
        labels: z.record(z.string(), z.union([z.string(), z.number()])),
        /** Of histograms: the name with `_bucket`, `_sum` or `_count` at its end. */
        metricName: z.string().optional(),
      }),
    ),
  }),
)
export type Families = z.infer<typeof Families>
type Value = Families[number]['values'][number]

/** Sums and histograms count since the process began. */
const cumulative = 2
const ofRuns: ReadonlySet<string> = new Set(Object.keys(measures).map((name) => name.replaceAll('.', '_')))

/** Times in milliseconds since 1970. `instance`: of the process, since each counts for itself. */
export function familiesBody(
  families: Families,
  { from, to, instance }: { from: number; to: number; instance: string },
): { metrics: number; body: object } {
  const times = { startTimeUnixNano: nanoseconds(from), timeUnixNano: nanoseconds(to) }
  const metrics = families
    .filter(({ name }) => !ofRuns.has(name))
    .flatMap(({ name, help, type, values: all }) => {
      const values = all.filter(({ value }) => Number.isFinite(value))
      // OTLP has summaries for old programs only.
      return type === 'summary' || values.length === 0
        ? []
        : [{ name, description: help, ...dataOf(type, values, times) }]
    })
  const resource = resourceOf({ 'service.instance.id': instance })
  return {
    metrics: metrics.length,
    body: { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] },
  }
}

type Times = { startTimeUnixNano: string; timeUnixNano: string }

function dataOf(type: 'counter' | 'gauge' | 'histogram', values: readonly Value[], times: Times): object {
  if (type === 'histogram')
    return { histogram: { aggregationTemporality: cumulative, dataPoints: histogramPoints(values, times) } }
  const dataPoints = values.map(({ labels, value }) => ({
    attributes: attributesOf(textsOf(labels)),
    ...times,
    asDouble: value,
  }))
  return type === 'gauge'
    ? { gauge: { dataPoints } }
    : { sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints } }
}

/** Prometheus counts what is at most a bound; OTLP what lies between two. */
function histogramPoints(values: readonly Value[], times: Times): object[] {
  const points = Map.groupBy(values, ({ labels: { le: _, ...labels } }) => JSON.stringify(textsOf(labels)))
  return [...points].map(([labels, own]) => {
    const buckets = own
      .filter(({ metricName = '' }) => metricName.endsWith('_bucket'))
      .map(({ labels: { le }, value }) => ({ bound: le === '+Inf' ? Infinity : Number(le), value }))
      .sort((a, b) => a.bound - b.bound)
    const of = (end: string) => own.find(({ metricName = '' }) => metricName.endsWith(end))?.value ?? 0
    return {
      attributes: attributesOf(JSON.parse(labels)),
      ...times,
      count: String(of('_count')),
      sum: of('_sum'),
      bucketCounts: buckets.map(({ value }, at) => String(value - (buckets[at - 1]?.value ?? 0))),
      explicitBounds: buckets.map(({ bound }) => bound).filter(Number.isFinite),
    }
  })
}

function textsOf(labels: Value['labels']): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))
}
