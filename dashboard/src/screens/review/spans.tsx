/** The same run twice: each entry of its timeline beside the span that telemetry exports for it. */
import { useEffect, useRef } from 'react'
import type { AnswerOf } from '../../api/contract.ts'
import { useResource } from '../../api/use-resource.ts'
import { Badge } from '../../parts/badges.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { ExportButtons } from '../../parts/data-table.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { countOf } from '../../parts/format.ts'
import { Heads } from '../../parts/heads.tsx'
import { When } from '../../parts/states.tsx'
import { Link, usePlace, withQuery } from '../../router.tsx'

type Entry = AnswerOf<'/runs/{run}/timeline'>['spans'][number]
type Exported = AnswerOf<'/runs/{run}/spans'>['spans'][number]

export function Spans({ run, entries }: { run: string; entries: readonly Entry[] }) {
  const loaded = useResource('/runs/{run}/spans', { parameters: { run } })
  const bySpan = new Map(entries.map((entry) => [entry.spanId, entry]))
  const chosen = usePlace().query.get('span')
  return (
    <When what="the spans" loaded={loaded}>
      {({ traceId, traceUrl, spans }) => (
        <>
          <div className="data-head">
            <p className="trace">
              Trace <code>{traceId}</code> <CopyButton text={traceId} label="Copy the trace id" />
              {traceUrl && (
                <a href={traceUrl} rel="noreferrer">
                  Open in the collector
                </a>
              )}
            </p>
            <ExportButtons file={`${run}-spans`} columns={columns} rows={spans.map(toRow)} />
          </div>
          <p className="quiet">
            These are the spans of this run as <code>telemetry</code> exports them: ids, names, times and
            counts, without prompts, answers or code. In a collector, <code>sightline.span.id</code> leads
            back to the entry of the timeline.
          </p>
          <table className="table spans">
            <Heads columns={['In the timeline', 'Exported as', 'Span']} />
            <tbody>
              {spans.map((span) => (
                <Row
                  key={span.spanId}
                  span={span}
                  entry={bySpan.get(span.spanId)}
                  isChosen={span.spanId === chosen}
                />
              ))}
            </tbody>
          </table>
        </>
      )}
    </When>
  )
}

const columns = ['Span', 'Parent', 'Name', 'Kind', 'Failed', 'Attributes']

function toRow({ spanId, parentSpanId, name, kind, isFailed, attributes }: Exported) {
  return [spanId, parentSpanId, name, kind, isFailed ? 'yes' : 'no', JSON.stringify(attributes)]
}

type RowProps = { span: Exported; entry: Entry | undefined; isChosen: boolean }

function Row({ span, entry, isChosen }: RowProps) {
  const place = usePlace()
  const row = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'center' })
  }, [isChosen])
  const { spanId, name, kind, isFailed, attributes } = span
  const names = Object.entries(attributes)
  return (
    <tr ref={row} className={isChosen ? 'row-chosen' : undefined}>
      <td className="cell-main">
        {entry ? <EntryName entry={entry} /> : 'the whole run'}{' '}
        {entry && <span className="kind">{entry.kind}</span>}
      </td>
      <td>
        <Foreign text={name} cutAt={120} /> {kind === 'client' && <span className="kind">client</span>}{' '}
        {isFailed && <Badge tone="bad">failed</Badge>}
        <details className="attributes" open={isChosen}>
          <summary>{countOf(names.length, 'attribute')}</summary>
          <dl>
            {names.map(([key, value]) => (
              <div key={key}>
                <dt>{key}</dt>
                <dd>
                  <Foreign text={Array.isArray(value) ? value.join(', ') : String(value)} cutAt={200} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      </td>
      <td>
        <Link to={withQuery(place, { span: spanId })} data-keys="row">
          <code>{spanId}</code>
        </Link>
      </td>
    </tr>
  )
}

/** A call opens as it was sent. */
function EntryName({ entry: { name, call } }: { entry: Entry }) {
  const place = usePlace()
  const shown = <Foreign text={name} cutAt={120} />
  return call === null ? shown : <Link to={withQuery(place, { call: String(call) })}>{shown}</Link>
}
