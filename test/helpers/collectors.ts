/**
 * A collector of OTLP, Langfuse and Sentry on this machine, as strict as their published formats: what is not of the OTLP
 * schema, has an id or a time of another form, or lacks a key is refused, and the test that sent it is told.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'

const AnyValue = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({
    arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }),
  }),
])
const Attributes = z
  .array(z.strictObject({ key: z.string().min(1), value: AnyValue }))
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, { error: 'a key is there twice' })
const time = z.string().regex(/^\d{19}$/)
const Resource = z.strictObject({ attributes: Attributes })
const Scope = z.strictObject({ name: z.string(), version: z.string() })
const Span = z
  .strictObject({
    traceId: z.string().regex(/^(?!0{32})[0-9a-f]{32}$/),
    spanId: z.string().regex(/^(?!0{16})[0-9a-f]{16}$/),
    parentSpanId: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .optional(),
    name: z.string().min(1),
    kind: z.int().min(1).max(5),
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    attributes: Attributes,
    status: z.strictObject({ code: z.int().min(0).max(2).optional() }),
  })
  .refine((span) => BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano))
const Traces = z.strictObject({
  resourceSpans: z
    .array(
      z.strictObject({
        resource: Resource,
        scopeSpans: z.array(z.strictObject({ scope: Scope, spans: z.array(Span) })),
      }),
    )
    .min(1),
})
const Point = z
  .strictObject({
    attributes: Attributes,
    startTimeUnixNano: time,
    timeUnixNano: time,
    count: z.string().regex(/^\d+$/),
    sum: z.number(),
    // Of what was counted since the process began, nobody knows them any more.
    min: z.number().optional(),
    max: z.number().optional(),
    bucketCounts: z.array(z.string().regex(/^\d+$/)),
    explicitBounds: z.array(z.number()),
  })
  .refine(({ bucketCounts, explicitBounds }) => bucketCounts.length === explicitBounds.length + 1)
  .refine(({ bucketCounts, count }) => bucketCounts.reduce((sum, n) => sum + Number(n), 0) === Number(count))
const NumberPoint = z.strictObject({
  attributes: Attributes,
  startTimeUnixNano: time,
  timeUnixNano: time,
  asDouble: z.number(),
})
const Named = z.strictObject({ name: z.string(), description: z.string() })
const Metrics = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({
      resource: Resource,
      scopeMetrics: z.array(
        z.strictObject({
          scope: Scope,
          metrics: z.array(
            z.union([
              Named.extend({
                unit: z.string(),
                histogram: z.strictObject({
                  aggregationTemporality: z.literal(1),
                  dataPoints: z.array(Point),
                }),
              }),
              Named.extend({
                histogram: z.strictObject({
                  aggregationTemporality: z.literal(2),
                  dataPoints: z.array(Point),
                }),
              }),
              Named.extend({
                sum: z.strictObject({
                  aggregationTemporality: z.literal(2),
                  isMonotonic: z.literal(true),
                  dataPoints: z.array(NumberPoint),
                }),
              }),
              Named.extend({ gauge: z.strictObject({ dataPoints: z.array(NumberPoint) }) }),
            ]),
          ),
        }),
      ),
    }),
  ),
})
const id = z.string().min(1)
const Scores = z.strictObject({
  batch: z.array(
    z.strictObject({
      id,
      type: z.literal('score-create'),
      timestamp: z.iso.datetime(),
      body: z
        .strictObject({
          ...{ id, traceId: z.string().regex(/^[0-9a-f]{32}$/), name: id },
          value: z.union([z.number(), z.string()]),
          dataType: z.enum(['NUMERIC', 'CATEGORICAL']),
          comment: z.string().optional(),
        })
        .refine(({ value, dataType }) => (typeof value === 'number') === (dataType === 'NUMERIC')),
    }),
  ),
})
const SentryEvent = z.looseObject({
  event_id: z.string().regex(/^[0-9a-f]{32}$/),
  timestamp: z.iso.datetime(),
  platform: z.literal('node'),
  level: z.literal('error'),
  exception: z.object({
    values: z.array(
      z.object({
        type: z.string(),
        value: z.string(),
        stacktrace: z.object({
          frames: z.array(
            z.strictObject({
              function: z.string(),
              filename: z.string(),
              lineno: z.int(),
              colno: z.int(),
              in_app: z.boolean(),
            }),
          ),
        }),
      }),
    ),
  }),
})

export type SentSpan = z.infer<typeof Span>
export type Collectors = {
  url: string
  /** Of Sentry. */
  dsn: string
  /** How it behaves from the next request on. */
  mood: 'good' | 'down' | 'slow' | 'nonsense' | 'partial' | 'refusing' | 'elsewhere'
  spans: SentSpan[]
  langfuseSpans: SentSpan[]
  metrics: z.infer<typeof Metrics>[]
  scores: z.infer<typeof Scores>['batch']
  events: z.infer<typeof SentryEvent>[]
  /** Whole requests with their headers, as they came. */
  received: string[]
  /** What was not of the schema. */
  faults: string[]
  close(): Promise<void>
}

export const langfuseKeys = { LANGFUSE_PUBLIC_KEY: 'pk-lf-fake', LANGFUSE_SECRET_KEY: 'sk-lf-fake' }

export async function startCollectors(): Promise<Collectors> {
  const state: Omit<Collectors, 'close'> = {
    ...{ url: '', dsn: '', mood: 'good' },
    ...{ spans: [], langfuseSpans: [], metrics: [], scores: [], events: [], received: [], faults: [] },
  }
  const parse = <Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> => {
    const read = schema.safeParse(JSON.parse(text))
    if (!read.success) throw new Error(z.prettifyError(read.error))
    return read.data
  }
  const spansIn = (text: string) =>
    parse(Traces, text).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  const isLangfuse = ({ headers }: IncomingMessage) =>
    headers.authorization === `Basic ${Buffer.from(Object.values(langfuseKeys).join(':')).toString('base64')}`
  const take = (request: IncomingMessage, text: string): { status: number; body: object } => {
    const isJson = request.headers['content-type'] === 'application/json'
    switch (request.url) {
      case '/v1/traces': {
        if (!isJson) return { status: 415, body: {} }
        const spans = spansIn(text)
        state.spans.push(...spans)
        return state.mood === 'partial'
          ? { status: 200, body: { partialSuccess: { rejectedSpans: '2', errorMessage: 'too old' } } }
          : { status: 200, body: {} }
      }
      case '/v1/metrics':
        state.metrics.push(parse(Metrics, text))
        return { status: 200, body: {} }
      case '/api/public/otel/v1/traces':
        if (!isLangfuse(request) || request.headers['x-langfuse-ingestion-version'] !== '4')
          return { status: 401, body: {} }
        state.langfuseSpans.push(...spansIn(text))
        return { status: 200, body: {} }
      case '/api/public/ingestion':
        if (!isLangfuse(request)) return { status: 401, body: {} }
        state.scores.push(...parse(Scores, text).batch)
        return { status: 207, body: { successes: [], errors: [] } }
      case '/api/42/envelope/': {
        if (!/sentry_version=7.*sentry_key=publickey/.test(String(request.headers['x-sentry-auth'])))
          return { status: 403, body: {} }
        const [header = '', item = '', payload = ''] = text.split('\n')
        const { length } = parse(z.object({ type: z.literal('event'), length: z.int() }), item)
        if (length !== Buffer.byteLength(payload)) throw new Error('the length of the item is wrong')
        parse(z.object({ event_id: z.string() }), header)
        state.events.push(parse(SentryEvent, payload))
        return { status: 200, body: { id: 'x' } }
      }
      default:
        return { status: 404, body: {} }
    }
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
      state.received.push(`${request.url}\n${JSON.stringify(request.headers)}\n${text}`)
      // Never answered: the sender has to give up.
      if (state.mood === 'slow') return
      if (state.mood === 'elsewhere') {
        response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()
        return
      }
      if (state.mood === 'nonsense') {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>a proxy says hello')
        return
      }
      let answer = { status: state.mood === 'down' ? 503 : 400, body: {} as object }
      try {
        if (state.mood === 'good' || state.mood === 'partial') answer = take(request, text)
      } catch (error) {
        state.faults.push(`${request.url}: ${String(error)}`)
      }
      const headers = { 'content-type': 'application/json' }
      // Seconds are whole on other servers; here nobody has to wait for one.
      response
        .writeHead(answer.status, answer.status === 503 ? { ...headers, 'retry-after': '0.02' } : headers)
        .end(JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  state.url = `http://127.0.0.1:${port}`
  state.dsn = `http://publickey@127.0.0.1:${port}/42`
  return Object.assign(state, {
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}
