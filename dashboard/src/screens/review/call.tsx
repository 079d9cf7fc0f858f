/** One exchange as it was sent and received, without secrets, over the timeline. */
import { useEffect, useRef } from 'react'
import type { AnswerOf } from '../../api/contract.ts'
import { useResource } from '../../api/use-resource.ts'
import { Badge } from '../../parts/badges.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { formatCount, formatDuration, formatUsd } from '../../parts/format.ts'
import { When } from '../../parts/states.tsx'
import { Link, navigate } from '../../router.tsx'

/** Characters of one text that are drawn at first. */
const cutAt = 4000

type Props = {
  run: string
  call: string
  /** Of the exported span; undefined for a call that is none of this run. */
  spanId: string | undefined
  /** The address without the panel. */
  close: string
}

export function CallPanel({ run, call, spanId, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const loaded = useResource('/runs/{run}/calls/{call}', { parameters: { run, call } })
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="panel" aria-label={`Call ${call}`} onClose={() => navigate(close)}>
      <header>
        <h2>
          Call {call} {loaded.data && <Foreign text={loaded.data.address} cutAt={120} />}
        </h2>
        <form method="dialog">
          <button type="submit" className="button">
            Close
          </button>
        </form>
      </header>
      <When what="the call" loaded={loaded}>
        {(data) => <Exchange call={data} span={spanId && <SpanLink run={run} spanId={spanId} />} />}
      </When>
    </dialog>
  )
}

function SpanLink({ run, spanId }: { run: string; spanId: string }) {
  return (
    <span>
      span <Link to={`/runs/${run}/timeline?as=spans&span=${spanId}`}>{spanId}</Link>
    </span>
  )
}

type ExchangeProps = { call: AnswerOf<'/runs/{run}/calls/{call}'>; span: React.ReactNode }

function Exchange({ call, span }: ExchangeProps) {
  const { messages, answer, request, response, usage } = call
  return (
    <>
      <p className="call-facts">
        <Badge>{call.kind}</Badge>
        {call.role && <span>{call.role}</span>}
        <Foreign text={call.model ?? call.target} cutAt={120} />
        <span>{formatDuration(call.durationMs)}</span>
        {call.status >= 400 && <Badge tone="bad">status {call.status}</Badge>}
        {call.served === 'record' && <Badge>from the record</Badge>}
        {usage && (
          <span>
            {formatCount(usage.input)} tokens in ({formatCount(usage.cacheRead)} cached),{' '}
            {formatCount(usage.output)} out
          </span>
        )}
        {usage && <span>{formatUsd(call.usd)}</span>}
        {span}
      </p>
      {messages.map((message, at) => (
        <Text key={at} title={message.role} text={message} isOpen={at > 0 || messages.length === 1} />
      ))}
      {answer && <Text title="answer" text={answer} isOpen />}
      {request && <Text title="request, as sent" text={request} isOpen={messages.length === 0} />}
      {response && (
        <Text title="response, as received" text={response} isOpen={messages.length === 0 && !answer} />
      )}
      {!request && <p className="quiet">The texts of this run were not kept (journal.texts: hashes).</p>}
    </>
  )
}

function Text({
  title,
  text,
  isOpen,
}: {
  title: string
  text: { text: string; omitted: number }
  isOpen: boolean
}) {
  return (
    <details className="box" open={isOpen}>
      <summary>
        {title} <span className="quiet">{formatCount(text.text.length + text.omitted)} characters</span>
      </summary>
      <div className="code">
        <Foreign text={text.text} omitted={text.omitted} cutAt={cutAt} />
      </div>
    </details>
  )
}
