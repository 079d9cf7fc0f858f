/** What runs, how far it is, and why something waits; the server says so whenever it changes. */
import { useEffect, useState } from 'react'
import { ApiFailure, stream } from '../api/client.ts'
import type { AnswerOf } from '../api/contract.ts'
import { useResource } from '../api/use-resource.ts'
import { Badge, type Tone } from '../parts/badges.tsx'
import { Foreign, Name } from '../parts/foreign.tsx'
import { countOf, formatAgo, formatDuration, formatTime, formatUsd } from '../parts/format.ts'
import { Heads } from '../parts/heads.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { Link } from '../router.tsx'
import { useSession } from '../shell/session.tsx'

type State = AnswerOf<'/queue'>
type Item = State['items'][number]

export function Queue() {
  const first = useResource('/queue')
  const live = useLiveQueue()
  const { mode } = useSession()
  const queue = live.queue ?? first.data
  return (
    <>
      <div className="head">
        <h1>Queue</h1>
        {queue && (
          <p className="quiet" role="status">
            {queue.running} running, {queue.queued} waiting{live.isConnected ? ', live' : ''}
          </p>
        )}
      </div>
      {!queue && first.failure && <Failed failure={first.failure} again={first.again} />}
      {!queue && !first.failure && <Loading what="the queue" />}
      {queue && queue.items.length === 0 && (
        <Empty title="Nothing runs and nothing waits.">
          <p>
            {mode === 'local' ? (
              <>
                A review that is started on this machine with <code>sightline review</code> shows up here
                while it runs.
              </>
            ) : (
              'A change request that is opened or updated in an enabled repository shows up here at once.'
            )}
          </p>
        </Empty>
      )}
      {queue && queue.items.length > 0 && <QueueTable items={queue.items} />}
    </>
  )
}

const reconnectMs = 3000

function useLiveQueue(): { queue: State | null; isConnected: boolean } {
  const [queue, setQueue] = useState<State | null>(null)
  const [isConnected, setIsConnected] = useState(false)
  useEffect(() => {
    const ended = new AbortController()
    const follow = async () => {
      while (!ended.signal.aborted) {
        try {
          for await (const event of stream('/queue/events', { signal: ended.signal })) {
            const { event: name, data } = event as AnswerOf<'/queue/events'>
            setIsConnected(true)
            if (name === 'queue') setQueue(data)
          }
        } catch (error) {
          if (error instanceof ApiFailure && error.status >= 400 && error.status < 500) return
        }
        setIsConnected(false)
        await new Promise((resolve) => setTimeout(resolve, reconnectMs))
      }
    }
    void follow()
    return () => ended.abort()
  }, [])
  return { queue, isConnected }
}

const states: Record<Item['state'], { title: string; tone: Tone }> = {
  queued: { title: 'Waiting', tone: 'plain' },
  running: { title: 'Running', tone: 'accent' },
  reviewed: { title: 'Reviewed', tone: 'good' },
  partly: { title: 'Partly reviewed', tone: 'warn' },
  'not-reviewed': { title: 'Not reviewed', tone: 'bad' },
  superseded: { title: 'Superseded', tone: 'plain' },
  skipped: { title: 'Skipped', tone: 'plain' },
}

function QueueTable({ items }: { items: readonly Item[] }) {
  return (
    <table className="table">
      <Heads columns={['Change', 'State', 'Progress', 'Time', 'Asked']} numbers={['Time', 'Asked']} />
      <tbody>
        {items.map((item) => (
          <tr key={item.id}>
            <td className="cell-main">
              <ItemName item={item} />
              <span className="row-detail">
                {item.trigger}
                {item.attempt > 1 && ` · attempt ${item.attempt}`}
              </span>
            </td>
            <td>
              <Badge tone={states[item.state].tone}>{states[item.state].title}</Badge>
            </td>
            <td>
              <Progress item={item} />
            </td>
            <td className="number">{formatDuration(durationOf(item))}</td>
            <td className="number" title={formatTime(item.createdAt)}>
              {formatAgo(item.createdAt)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function ItemName({ item: { repository, change, run, title } }: { item: Item }) {
  const name = change === null ? repository : `${repository} #${change}`
  const shown = <Name text={title || name} />
  return (
    <>
      {run === null ? (
        <span className="row-title">{shown}</span>
      ) : (
        <Link to={`/runs/${run}`} data-keys="row" className="row-title">
          {shown}
        </Link>
      )}
      {title !== '' && (
        <span className="row-detail">
          <Name text={name} />
        </span>
      )}
    </>
  )
}

function Progress({ item }: { item: Item }) {
  const { stage, progress, files, calls, usd, ahead, why, state } = item
  const figures = [
    files && `${files.done} of ${countOf(files.total, 'file')}`,
    calls && countOf(calls, 'call'),
    usd && formatUsd(usd),
  ].filter((each) => typeof each === 'string')
  return (
    <>
      {state === 'running' && (
        <span className="progress">
          {progress !== null && (
            <progress value={progress} max={1} aria-label={`Progress of ${stage ?? 'the review'}`} />
          )}
          <span>
            {stage}
            {figures.length > 0 && <span className="row-detail">{figures.join(', ')}</span>}
          </span>
        </span>
      )}
      {state === 'queued' && ahead !== null && ahead > 0 && <span>{countOf(ahead, 'review')} ahead </span>}
      {why && (
        <span className="quiet">
          <Foreign text={why} cutAt={300} />
        </span>
      )}
    </>
  )
}

function durationOf({ startedAt, endedAt }: Item): number | null {
  if (startedAt === null) return null
  return new Date(endedAt ?? Date.now()).getTime() - new Date(startedAt).getTime()
}
