/** A conversation about one review: answers rest on the same frozen evidence, and every citation opens. */
import { useEffect, useRef, useState } from 'react'
import { ApiFailure, stream } from '../../api/client.ts'
import type { AnswerOf } from '../../api/contract.ts'
import { useResource } from '../../api/use-resource.ts'
import { Badge } from '../../parts/badges.tsx'
import { Foreign, Name } from '../../parts/foreign.tsx'
import { formatUsd } from '../../parts/format.ts'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { Link } from '../../router.tsx'
import { mayAct, useSession } from '../../shell/session.tsx'
import type { RunDetail } from './shared.ts'

type Event = AnswerOf<'/runs/{run}/ask', 'POST'>
type Answer = Extract<Event, { event: 'answer' }>['data']
type Citation = Answer['statements'][number]['citations'][number]
type Turn = { question: string; progress: string; answer: Answer | null; failed: string | null }

export function Ask({ detail }: { detail: RunDetail }) {
  const { run, state } = detail.row
  const session = useSession()
  const mayAsk = session.features.ask && mayAct(session, 'reviewer')
  const loaded = useResource('/runs/{run}/conversation', { parameters: { run } })
  if (state !== 'finished') return <Empty title="Questions can be asked when the review has finished." />
  if (loaded.failure) return <Failed failure={loaded.failure} again={loaded.again} />
  // What an earlier visit loaded may lack the last answers.
  if (loaded.state === 'loading') return <Loading what="the conversation" />
  const { turns } = loaded.data
  if (mayAsk || turns.length > 0) return <Conversation key={run} run={run} recorded={turns} mayAsk={mayAsk} />
  return (
    <Empty title="Questions cannot be asked here.">
      <p>Asking needs a model in the settings and the role reviewer.</p>
    </Empty>
  )
}

type ConversationProps = { run: string; recorded: readonly Answer[]; mayAsk: boolean }

/** `recorded`: what was asked before this page was opened; the next question continues it. */
function Conversation({ run, recorded, mayAsk }: ConversationProps) {
  const [turns, setTurns] = useState<Turn[]>(() =>
    recorded.map((answer) => ({ question: answer.question, progress: '', answer, failed: null })),
  )
  const [question, setQuestion] = useState('')
  const ended = useRef<AbortController | null>(null)
  useEffect(() => () => ended.current?.abort(), [])
  const isBusy = turns.at(-1)?.progress !== undefined && turns.at(-1)?.progress !== ''
  const change = (part: Partial<Turn>) =>
    setTurns((before) => before.map((turn, at) => (at === before.length - 1 ? { ...turn, ...part } : turn)))
  const send = async (text: string) => {
    const controller = new AbortController()
    ended.current = controller
    setTurns((before) => [
      ...before,
      { question: text, progress: 'reading the evidence', answer: null, failed: null },
    ])
    setQuestion('')
    const body = { question: text, isNew: turns.length === 0 }
    try {
      for await (const event of stream('/runs/{run}/ask', {
        parameters: { run },
        body,
        signal: controller.signal,
      })) {
        const each = event as Event
        if (each.event === 'progress') change({ progress: `${each.data.stage} ${each.data.detail}`.trim() })
        if (each.event === 'answer') change({ progress: '', answer: each.data })
        if (each.event === 'error') change({ progress: '', failed: each.data.message })
      }
    } catch (error) {
      if (!controller.signal.aborted)
        change({ progress: '', failed: error instanceof ApiFailure ? error.message : String(error) })
    }
  }
  return (
    <div className="talk">
      {turns.length === 0 && (
        <p className="quiet">
          Ask why something was reported, what a change affects, or dispute a finding. Answers cite the
          evidence of this review.
        </p>
      )}
      <ol className="turns" aria-live="polite">
        {turns.map((turn, at) => (
          <li key={at}>
            <p className="question">
              <Foreign text={turn.question} cutAt={1000} />
            </p>
            {turn.progress && (
              <p className="quiet" role="status">
                {turn.progress} …
              </p>
            )}
            {turn.failed && (
              <p className="notice notice-bad">
                <Foreign text={turn.failed} />
              </p>
            )}
            {turn.answer && <AnswerView run={run} answer={turn.answer} />}
          </li>
        ))}
      </ol>
      {turns.length > 0 && mayAsk && !isBusy && (
        <div>
          <button type="button" className="button-quiet" onClick={() => setTurns([])}>
            Start a new conversation
          </button>
        </div>
      )}
      {mayAsk && <QuestionForm question={question} isBusy={isBusy} onChange={setQuestion} onSend={send} />}
    </div>
  )
}

type FormProps = {
  question: string
  isBusy: boolean
  onChange: (question: string) => void
  onSend: (question: string) => Promise<void>
}

function QuestionForm({ question, isBusy, onChange, onSend }: FormProps) {
  return (
    <form
      className="ask-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (question.trim() && !isBusy) void onSend(question.trim())
      }}
    >
      <label className="grow">
        <span>Question</span>
        <textarea
          rows={2}
          maxLength={4000}
          data-keys="search"
          value={question}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
        />
      </label>
      <button type="submit" className="button button-main" disabled={isBusy || !question.trim()}>
        Ask
      </button>
    </form>
  )
}

const disputes = {
  conceded: 'The finding was taken back',
  held: 'The finding holds',
  undecided: 'Undecided',
} as const

/** Evidence of the review opens beside the change; what was found for the answer opens here. */
function CitationView({ run, citation }: { run: string; citation: Citation }) {
  const { evidence, quote, isOfReview, title, path, startLine, text } = citation
  const name = (
    <>
      {evidence} <Foreign text={title} cutAt={120} />
    </>
  )
  return (
    <blockquote>
      <Foreign text={quote} cutAt={400} />
      <footer>
        {isOfReview ? <Link to={`/runs/${run}?evidence=${evidence}`}>{name}</Link> : name}{' '}
        {path && <Name text={startLine ? `${path}:${startLine}` : path} />}
      </footer>
      <details>
        <summary>Around it</summary>
        <pre className="code">
          <Foreign text={text.text} omitted={text.omitted} cutAt={4000} quotes={[quote]} />
        </pre>
      </details>
    </blockquote>
  )
}

function AnswerView({ run, answer }: { run: string; answer: Answer }) {
  return (
    <div className="answer">
      {answer.failed && (
        <p className="notice notice-bad">
          <Foreign text={answer.failed} />
        </p>
      )}
      {answer.statements.map(({ text, isGuess, citations }) => (
        <div key={text} className="statement">
          <p>
            <Foreign text={text} cutAt={2000} hasCode />{' '}
            {isGuess && <Badge tone="warn">no quote shows this</Badge>}
          </p>
          {citations.map((citation) => (
            <CitationView key={citation.evidence + citation.quote} run={run} citation={citation} />
          ))}
        </div>
      ))}
      {answer.cannot && (
        <p className="quiet">
          <Foreign text={answer.cannot} cutAt={1000} />
        </p>
      )}
      {answer.disputed && (
        <p>
          <Badge tone={answer.disputed.outcome === 'conceded' ? 'good' : 'plain'}>
            {disputes[answer.disputed.outcome]}
          </Badge>{' '}
          <Foreign text={answer.disputed.reason} cutAt={600} />
        </p>
      )}
      {answer.remarks.map((remark) => (
        <p key={remark} className="quiet">
          <Foreign text={remark} />
        </p>
      ))}
      {answer.usd !== null && <p className="quiet">{formatUsd(answer.usd)}</p>}
    </div>
  )
}
