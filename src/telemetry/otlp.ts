/** Spans and histograms in the JSON of OTLP 1.x: ids in hexadecimal, times and 64-bit numbers as text, enums as numbers. */
import { packageVersion } from '../base/package-root.ts'
import { type Measure, type MeasureName, measures } from './measures.ts'
import type { Attributes, AttributeValue, Span } from './spans.ts'

const resource = resourceOf()
export const scope = { name: 'sightline', version: packageVersion }

const spanKinds = { internal: 1, client: 3 } as const
const failedStatus = 2
/** Each export says what happened since the one before. */
const delta = 1

export function traceBody(spans: readonly Span[]): object {
  return {
    resourceSpans: [
      {
        resource,
        scopeSpans: [
          {
            scope,
            spans: spans.map((span) => ({
              traceId: span.traceId,
              spanId: span.spanId,
              ...(span.parentSpanId === null ? {} : { parentSpanId: span.parentSpanId }),
              name: span.name,
              kind: spanKinds[span.kind],
              startTimeUnixNano: nanoseconds(span.startMs),
              endTimeUnixNano: nanoseconds(span.endMs),
              attributes: attributesOf(span.attributes),
              status: span.isFailed ? { code: failedStatus } : {},
            })),
          },
        ],
      },
    ],
  }
}

/** `from`, `to`: milliseconds since 1970. */
export function metricsBody(found: readonly Measure[], from: number, to: number): object {
  const times = { startTimeUnixNano: nanoseconds(from), timeUnixNano: nanoseconds(to) }
  const metrics = [...Map.groupBy(found, ({ name }) => name)].map(([name, own]) => {
    const points = Map.groupBy(own, ({ attributes }) => JSON.stringify(attributes))
    const { unit, description } = measures[name]
    const dataPoints = [...points.values()].map((point) => ({
      attributes: attributesOf(point[0]?.attributes ?? {}),
      ...times,
      ...histogramOf(
        name,
        point.map(({ value }) => value),
      ),
    }))
    return { name, unit, description, histogram: { aggregationTemporality: delta, dataPoints } }
  })
  return { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] }
}

function histogramOf(name: MeasureName, values: readonly number[]) {
  const { bounds } = measures[name]
  const counts = new Array<number>(bounds.length + 1).fill(0)
  for (const value of values) {
    const at = bounds.findIndex((bound) => value <= bound)
    const bucket = at < 0 ? bounds.length : at
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  return {
    count: String(values.length),
    sum: values.reduce((sum, value) => sum + value, 0),
    min: Math.min(...values),
    max: Math.max(...values),
    bucketCounts: counts.map(String),
    explicitBounds: bounds,
  }
}

/** Who exports: this program. `more`: what tells one process from another. */
export function resourceOf(more: Attributes = {}): object {
  const attributes = attributesOf({
    'service.name': 'sightline',
    'service.version': packageVersion,
    'telemetry.sdk.name': 'sightline',
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.version': packageVersion,
    ...more,
  })
  return { attributes }
}

export function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n)
}

export function attributesOf(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValueOf(value) }))
}

function anyValueOf(value: AttributeValue): object {
  switch (typeof value) {
    case 'string':
      return { stringValue: value }
    case 'boolean':
      return { boolValue: value }
    case 'number':
      return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
    default:
      return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } }
  }
}
