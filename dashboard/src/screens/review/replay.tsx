/** Repeat the run from its record, let another model play one role, or set it beside another run. */
import { useEffect, useRef, useState } from 'react'
import { ApiFailure, stream } from '../../api/client.ts'
import type { AnswerOf } from '../../api/contract.ts'
import { useResource } from '../../api/use-resource.ts'
import { Foreign, Name } from '../../parts/foreign.tsx'
import { formatAgo, formatUsd } from '../../parts/format.ts'
import { Empty, Loading } from '../../parts/states.tsx'
import { Link } from '../../router.tsx'
import { mayAct, useSession } from '../../shell/session.tsx'
import { ComparisonView } from '../comparison-view.tsx'
import type { RunDetail } from './shared.ts'

type Event = AnswerOf<'/runs/{run}/replay', 'POST'>
type Swap = { role: 'scout' | 'reviewer' | 'judge'; model: string }
type Work = {
  progress: string
  result: Extract<Event, { event: 'result' }>['data'] | null
  failed: string | null
}

export function Replay({ detail }: { detail: RunDetail }) {
  const session = useSession()
  const mayReplay = session.features.replay && mayAct(session, 'reviewer') && detail.row.state === 'finished'
  return (
    <div className="columns">
      <section>
        <h2>Replay</h2>
        {mayReplay ? (
          <ReplayForm run={detail.row.run} />
        ) : (
          <Empty title="This run cannot be replayed here.">
            <p>
              {detail.row.state === 'finished'
                ? 'Replaying needs the role reviewer, and an installation that keeps the texts of runs.'
                : 'Only finished runs can be replayed.'}
            </p>
          </Empty>
        )}
      </section>
      <section>
        <h2>Compare</h2>
        <Others detail={detail} />
      </section>
    </div>
  )
}

function ReplayForm({ run }: { run: string }) {
  const [swap, setSwap] = useState<Swap>({ role: 'reviewer', model: '' })
  const [work, setWork] = useState<Work | null>(null)
  const ended = useRef<AbortController | null>(null)
  useEffect(() => () => ended.current?.abort(), [])
  const begin = async (body: object) => {
    const controller = new AbortController()
    ended.current = controller
    setWork({ progress: 'started', result: null, failed: null })
    try {
      for await (const event of stream('/runs/{run}/replay', {
        parameters: { run },
        body,
        signal: controller.signal,
      })) {
        const each = event as Event
        if (each.event === 'progress')
          setWork({ progress: `${each.data.stage} ${each.data.detail}`, result: null, failed: null })
        if (each.event === 'result') setWork({ progress: '', result: each.data, failed: null })
        if (each.event === 'error') setWork({ progress: '', result: null, failed: each.data.message })
      }
    } catch (error) {
      if (!controller.signal.aborted)
        setWork({
          progress: '',
          result: null,
          failed: error instanceof ApiFailure ? error.message : String(error),
        })
    }
  }
  const isBusy = work !== null && work.progress !== ''
  return (
    <>
      <p>A replay reviews the same change again and takes every answer from the record. It costs nothing.</p>
      <button type="button" className="button button-main" disabled={isBusy} onClick={() => void begin({})}>
        Replay from the record
      </button>
      <form
        className="swap"
        onSubmit={(event) => {
          event.preventDefault()
          void begin({ swap })
        }}
      >
        <h3>Swap a model</h3>
        <p className="quiet">The model is asked live; all other answers come from the record.</p>
        <label>
          <span>Role</span>
          <select
            value={swap.role}
            onChange={(event) => setSwap({ ...swap, role: event.target.value as Swap['role'] })}
          >
            <option>scout</option>
            <option>reviewer</option>
            <option>judge</option>
          </select>
        </label>
        <label className="grow">
          <span>Model</span>
          <input
            required
            minLength={3}
            placeholder="provider/model"
            value={swap.model}
            onChange={(event) => setSwap({ ...swap, model: event.target.value })}
          />
        </label>
        <button type="submit" className="button" disabled={isBusy}>
          Swap and replay
        </button>
      </form>
      {isBusy && (
        <p className="notice" role="status">
          {work.progress}
        </p>
      )}
      {work?.failed && (
        <p className="notice notice-bad" role="alert">
          <Foreign text={work.failed} />
        </p>
      )}
      {work?.result && (
        <>
          <p className="notice" role="status">
            {work.result.isIdentical ? 'Identical, byte for byte. ' : ''}
            <Foreign text={work.result.headline} cutAt={300} />{' '}
            {work.result.usd !== null && `Cost: ${formatUsd(work.result.usd)}.`}
          </p>
          <ComparisonView comparison={work.result.comparison} />
        </>
      )}
    </>
  )
}

/** Other runs of the same change first, then of the same repository. */
function Others({ detail: { row } }: { detail: RunDetail }) {
  const loaded = useResource('/runs', { query: { repository: row.repository, state: 'finished', limit: 50 } })
  if (!loaded.data) return <Loading what="other runs" />
  const others = loaded.data.items
    .filter(({ run }) => run !== row.run)
    .sort((a, b) => Number(b.place === row.place) - Number(a.place === row.place))
  if (others.length === 0)
    return (
      <Empty title="There is no other review of this repository.">
        <p>Review the same change again, with another model or depth, to compare the two.</p>
      </Empty>
    )
  return (
    <ul className="plain-list">
      {others.slice(0, 15).map((other) => {
        const [before, after] = other.startedAt < row.startedAt ? [other, row] : [row, other]
        return (
          <li key={other.run}>
            <Link to={`/compare/${before.run}/${after.run}`} data-keys="row">
              <Name text={other.title || other.label} />
            </Link>
            <span className="row-detail">
              {other.place === row.place ? 'the same change' : 'another change'} · {other.depth} ·{' '}
              {formatAgo(other.startedAt)}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
