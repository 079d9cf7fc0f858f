/**
 * A recorded run as spans, one for each entry of its timeline below one for the run, with the names of OpenTelemetry's GenAI
 * conventions. They follow from the record alone, so exporting a run again gives the same spans with the same ids. No prompt,
 * answer, code or reason is part of them, and whatever name remains is searched for secrets.
 */
import { redactText } from '../base/secrets/redact.ts'
import { visibleText } from '../base/visible-text.ts'
import type { Review } from '../domain/review.ts'
import type { RunRow } from '../storage/catalog/contract.ts'
import type { StoredRun } from '../storage/runs/stored-run.ts'
import { type TimelineSpan, timelineOf } from './timeline.ts'

export type AttributeValue = string | number | boolean | readonly string[]
export type Attributes = Readonly<Record<string, AttributeValue>>

export type Span = {
  traceId: string
  spanId: string
  /** Null for the run itself. */
  parentSpanId: string | null
  name: string
  kind: 'internal' | 'client'
  /** Milliseconds since 1970. */
  startMs: number
  endMs: number
  attributes: Attributes
  isFailed: boolean
}

export type DescribedRun = { run: StoredRun; row: RunRow; review: Review | null }

/** A name says enough with so many characters. */
const longestText = 200
const mostFindings = 500

/** `dashboardUrl`: where the run can be looked at; null when that is not known. */
export function spansOf({ run, row, review }: DescribedRun, dashboardUrl: string | null): Span[] {
  const { spans, durationMs, trace } = timelineOf(run)
  const { traceId } = trace
  const startMs = Date.parse(row.startedAt)
  const shared = { 'sightline.run.id': row.run }
  const ids = new Map(spans.map(({ id, spanId }) => [id, spanId]))
  const root: Span = {
    ...{ traceId, spanId: trace.spanId, parentSpanId: null, name: row.kind, kind: 'internal' },
    ...{ startMs, endMs: startMs + durationMs, isFailed: row.state === 'killed' },
    attributes: { ...shared, ...runAttributes(row, review, dashboardUrl) },
  }
  return [
    root,
    ...spans.map(
      (span): Span => ({
        traceId,
        spanId: span.spanId,
        parentSpanId: (span.parent === null ? null : ids.get(span.parent)) ?? trace.spanId,
        ...shapeOf(span),
        startMs: startMs + span.startMs,
        endMs: startMs + span.startMs + span.durationMs,
        attributes: { ...shared, 'sightline.span.id': span.id, ...attributesOf(span) },
        isFailed: span.outcome === 'failed',
      }),
    ),
  ].map(withoutSecrets)
}

function runAttributes(row: RunRow, review: Review | null, dashboardUrl: string | null): Attributes {
  const findings = (review?.findings ?? []).slice(0, mostFindings)
  return {
    'sightline.repository': row.repository,
    'sightline.depth': row.depth,
    'sightline.state': row.state,
    ...(row.change === null ? {} : { 'sightline.change': row.change }),
    ...(row.url === null ? {} : { 'sightline.review.url': row.url }),
    ...(dashboardUrl === null
      ? {}
      : { 'sightline.dashboard.url': `${dashboardUrl.replace(/\/$/, '')}/runs/${row.run}` }),
    ...(row.word === null ? {} : { 'sightline.conclusion': row.word }),
    ...(row.complete === null ? {} : { 'sightline.complete': row.complete }),
    'sightline.findings': findings.length,
    'sightline.finding.ids': findings.map(({ fingerprint }) => fingerprint),
    'sightline.candidates': row.candidates,
    'sightline.model.calls': row.calls,
    'sightline.model.cached_calls': row.cachedCalls,
    'sightline.cost.usd': row.usd,
  }
}

function shapeOf({ kind, name, model }: TimelineSpan): Pick<Span, 'name' | 'kind'> {
  if (kind === 'model' || kind === 'embedding' || kind === 'rerank') {
    const { request } = modelParts(model)
    return { name: request === '' ? operations[kind] : `${operations[kind]} ${request}`, kind: 'client' }
  }
  if (kind === 'host-fetch') return { name: 'host request', kind: 'client' }
  return { name: kind === 'tool' ? `execute_tool ${name}` : `${kind} ${name}`, kind: 'internal' }
}

/** Values of `gen_ai.operation.name`. The conventions have no word for ranking. */
const operations = { model: 'chat', embedding: 'embeddings', rerank: 'rerank' } as const

function attributesOf(span: TimelineSpan): Attributes {
  const { kind, name, call, served, role, outcome } = span
  const failed: Attributes =
    outcome === 'failed' ? { 'error.type': kind === 'retry' ? 'retried' : 'failed' } : {}
  const ofCall: Attributes = {
    ...(call === null ? {} : { 'sightline.call': call }),
    ...(served === null ? {} : { 'sightline.cache_hit': served === 'record' }),
    ...(role === null ? {} : { 'sightline.role': role }),
    ...failed,
  }
  if (kind === 'tool') return { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name, ...ofCall }
  if (kind === 'model' || kind === 'embedding' || kind === 'rerank')
    return { ...genAiAttributes(span, operations[kind]), 'sightline.address': name, ...ofCall }
  return { 'sightline.kind': kind, 'sightline.name': name, ...ofCall }
}

function genAiAttributes({ model, usage, usd }: TimelineSpan, operation: string): Attributes {
  const { provider, request } = modelParts(model)
  return {
    'gen_ai.operation.name': operation,
    ...(provider === '' ? {} : { 'gen_ai.provider.name': providerNames[provider] ?? provider }),
    ...(request === '' ? {} : { 'gen_ai.request.model': request }),
    ...(usage === null
      ? {}
      : {
          'gen_ai.usage.input_tokens': usage.input,
          'gen_ai.usage.output_tokens': usage.output,
          'gen_ai.usage.cache_read.input_tokens': usage.cacheRead,
          'gen_ai.usage.cache_creation.input_tokens': usage.cacheWrite,
          'gen_ai.usage.reasoning.output_tokens': usage.reasoning,
        }),
    ...(usd === null ? {} : { 'sightline.cost.usd': usd }),
  }
}

/** `provider/model`, of which the model may have slashes too. */
export function modelParts(model: string | null): { provider: string; request: string } {
  const at = model?.indexOf('/') ?? -1
  return model === null || at < 0
    ? { provider: '', request: model ?? '' }
    : { provider: model.slice(0, at), request: model.slice(at + 1) }
}

/** As the conventions spell them, where that is not as we do. */
export const providerNames: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  google: 'gcp.gemini',
}

function withoutSecrets(span: Span): Span {
  const attributes = Object.entries(span.attributes).map(([key, value]) => [key, cleanValue(value)])
  return { ...span, name: clean(span.name), attributes: Object.fromEntries(attributes) }
}

function cleanValue(value: AttributeValue): AttributeValue {
  if (typeof value === 'string') return clean(value)
  return typeof value === 'object' ? value.map(clean) : value
}

/** What may leave of a text: without secrets first, since half of one is not found. */
export function clean(text: string): string {
  return visibleText(redactText(text)).slice(0, longestText)
}
