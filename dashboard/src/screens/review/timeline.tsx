/** What happened when: stages with everything in them as bars on one scale, each call as it was sent, and all of it as spans. */
import { useState } from 'react'
import type { AnswerOf } from '../../api/contract.ts'
import { useResource } from '../../api/use-resource.ts'
import { Badge } from '../../parts/badges.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { ExportButtons } from '../../parts/data-table.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { countOf, formatDuration, formatShort, formatUsd } from '../../parts/format.ts'
import { Empty, When } from '../../parts/states.tsx'
import { Link, usePlace, withQuery } from '../../router.tsx'
import { CallPanel } from './call.tsx'
import type { RunDetail } from './shared.ts'
import { Spans } from './spans.tsx'

type Span = AnswerOf<'/runs/{run}/timeline'>['spans'][number]

const groups = [
  { name: 'models', title: 'Model calls', kinds: ['model', 'embedding', 'rerank'] },
  { name: 'tools', title: 'Tools and fetches', kinds: ['tool', 'host-fetch'] },
  { name: 'planes', title: 'Planes', kinds: ['plane'] },
  { name: 'retries', title: 'Retries', kinds: ['retry'] },
  { name: 'notes', title: 'Notes and events', kinds: ['note', 'event', 'clock', 'random'] },
] as const

/** Of one stage, before the rest is asked for. */
const rowsAtFirst = 40

export function Timeline({ detail }: { detail: RunDetail }) {
  const { run, state } = detail.row
  const loaded = useResource('/runs/{run}/timeline', {
    parameters: { run },
    everyMs: state === 'running' ? 2000 : undefined,
  })
  const place = usePlace()
  const call = place.query.get('call')
  const asSpans = place.query.get('as') === 'spans'
  const off = new Set(place.query.get('hide')?.split(',') ?? ['notes'])
  return (
    <When what="the timeline" loaded={loaded}>
      {({ spans, durationMs, trace }) => {
        if (spans.length === 0) return <Empty title="Nothing is on record yet." />
        const hidden = new Set<string>(groups.flatMap(({ name, kinds }) => (off.has(name) ? kinds : [])))
        const shown = spans.filter(({ kind }) => !hidden.has(kind))
        const total = Math.max(durationMs, ...spans.map(({ startMs, durationMs: own }) => startMs + own), 1)
        const called = call === null ? undefined : spans.find((span) => span.call === Number(call))
        return (
          <>
            <nav className="choices" aria-label="How the run is shown">
              <Link
                to={withQuery(place, { as: null, span: null })}
                aria-current={asSpans ? undefined : 'true'}
              >
                As a timeline
              </Link>
              <Link to={withQuery(place, { as: 'spans' })} aria-current={asSpans ? 'true' : undefined}>
                As exported spans
              </Link>
            </nav>
            {asSpans ? (
              <Spans run={run} entries={spans} />
            ) : (
              <>
                <div className="data-head">
                  <KindFilter spans={spans} off={off} />
                  <ExportButtons file={`${run}-timeline`} columns={exported} rows={spans.map(toRow)} />
                </div>
                <Bars spans={shown} totalMs={total} />
                <p className="quiet">
                  Trace <code>{trace.traceId}</code>{' '}
                  <CopyButton text={trace.traceId} label="Copy the trace id" />: the same id is in logs and in
                  exported spans.
                </p>
              </>
            )}
            {call !== null && (
              <CallPanel
                run={run}
                call={call}
                spanId={called?.spanId}
                close={withQuery(place, { call: null })}
              />
            )}
          </>
        )
      }}
    </When>
  )
}

const exported = [
  'Id',
  'Span',
  'Parent',
  'Kind',
  'Name',
  'Start (ms)',
  'Duration (ms)',
  'Outcome',
  'Served',
  'Model',
  'US dollars',
  'Detail',
]

function toRow(span: Span) {
  const { id, spanId, parent, kind, name, startMs, durationMs, outcome, served, model, usd, detail } = span
  return [id, spanId, parent, kind, name, startMs, durationMs, outcome, served, model, usd, detail]
}

function KindFilter({ spans, off }: { spans: readonly Span[]; off: ReadonlySet<string> }) {
  const place = usePlace()
  return (
    <nav className="choices" aria-label="What the timeline shows">
      {groups.map(({ name, title, kinds }) => {
        const count = spans.filter(({ kind }) => (kinds as readonly string[]).includes(kind)).length
        if (count === 0) return null
        const next = off.has(name) ? [...off].filter((each) => each !== name) : [...off, name]
        return (
          <Link
            key={name}
            to={withQuery(place, { hide: next.join(',') || 'none' })}
            aria-current={off.has(name) ? undefined : 'true'}
          >
            {title} {count}
          </Link>
        )
      })}
    </nav>
  )
}

function Bars({ spans, totalMs }: { spans: readonly Span[]; totalMs: number }) {
  const stages = spans.filter(({ parent }) => parent === null)
  const ids = new Set(stages.map(({ id }) => id))
  const within = Map.groupBy(
    spans.filter(({ parent }) => parent !== null && ids.has(parent)),
    ({ parent }) => parent,
  )
  return (
    <table className="table timeline">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">When: 0 to {formatDuration(totalMs)}</th>
          <th scope="col" className="number">
            Time
          </th>
          <th scope="col" className="number">
            Tokens
          </th>
          <th scope="col" className="number">
            Cost
          </th>
        </tr>
      </thead>
      <tbody>
        {stages.map((stage) => (
          <StageRows key={stage.id} stage={stage} inside={within.get(stage.id) ?? []} totalMs={totalMs} />
        ))}
      </tbody>
    </table>
  )
}

function StageRows({ stage, inside, totalMs }: { stage: Span; inside: readonly Span[]; totalMs: number }) {
  const [isWhole, setIsWhole] = useState(inside.length <= rowsAtFirst)
  const shown = isWhole ? inside : inside.slice(0, rowsAtFirst)
  return (
    <>
      <Row span={stage} totalMs={totalMs} />
      {shown.map((span) => (
        <Row key={span.id} span={span} totalMs={totalMs} />
      ))}
      {shown.length < inside.length && (
        <tr>
          <td colSpan={5}>
            <button type="button" className="more" onClick={() => setIsWhole(true)}>
              Show {countOf(inside.length - shown.length, 'more row')} of this stage
            </button>
          </td>
        </tr>
      )}
    </>
  )
}

function Row({ span, totalMs }: { span: Span; totalMs: number }) {
  const place = usePlace()
  const { kind, name, call, served, usage, outcome } = span
  return (
    <tr className={kind === 'stage' ? 'row-stage' : 'row-span'}>
      <td className="cell-main">
        {call === null ? (
          <Foreign text={name} cutAt={120} />
        ) : (
          <Link to={withQuery(place, { call: String(call) })} data-keys="row">
            <Foreign text={name} cutAt={120} />
          </Link>
        )}{' '}
        {kind !== 'stage' && <span className="kind">{kind}</span>}{' '}
        {served === 'record' && <Badge>from the record</Badge>}
        {outcome === 'failed' && <Badge tone="bad">failed</Badge>}
        {outcome === 'running' && <Badge tone="accent">running</Badge>}
        {span.detail && (
          <span className="row-detail">
            <Foreign text={span.detail} cutAt={200} />
          </span>
        )}
      </td>
      <td className="bar-cell">
        <Bar span={span} totalMs={totalMs} />
      </td>
      <td className="number">{formatDuration(span.durationMs)}</td>
      <td className="number">{usage ? `${formatShort(usage.input)} + ${formatShort(usage.output)}` : ''}</td>
      <td className="number">{usage && formatUsd(span.usd)}</td>
    </tr>
  )
}

/** A bar is never thinner than what can be seen. */
function Bar({
  span: { kind, served, outcome, startMs, durationMs },
  totalMs,
}: {
  span: Span
  totalMs: number
}) {
  const width = Math.max(0.4, (durationMs / totalMs) * 100)
  const left = Math.min((startMs / totalMs) * 100, 100 - width)
  const look = outcome === 'failed' ? 'failed' : served === 'record' ? 'record' : kind
  return (
    <svg className="bar" aria-hidden="true">
      <rect className={`bar-${look}`} x={`${left}%`} width={`${width}%`} y="0" height="100%" rx="2" />
    </svg>
  )
}
