/** One review: what it came to, and a tab for each way of looking into it. */

import { lazy, Suspense } from 'react'
import { repositoryName } from '../../../../src/domain/repository-name.ts'
import { useResource } from '../../api/use-resource.ts'
import { Badge, Headline, OutcomeBadge, SeverityCounts } from '../../parts/badges.tsx'
import { changeAddress } from '../../parts/change-address.ts'
import { Fact } from '../../parts/fact.tsx'
import { Foreign, Name } from '../../parts/foreign.tsx'
import { countOf, formatDuration, formatTime, formatUsd } from '../../parts/format.ts'
import { Empty, Loading, When } from '../../parts/states.tsx'
import { Link } from '../../router.tsx'
import { Findings } from './findings.tsx'
import type { RunDetail } from './shared.ts'

type View = React.ComponentType<{ detail: RunDetail }>

const views: { name: string; title: string; view: View }[] = [
  { name: '', title: 'Findings', view: Findings },
  {
    name: 'candidates',
    title: 'Candidates',
    view: lazy(() => import('./candidates.tsx').then(({ Candidates }) => ({ default: Candidates }))),
  },
  {
    name: 'coverage',
    title: 'Coverage',
    view: lazy(() => import('./coverage.tsx').then(({ CoverageView }) => ({ default: CoverageView }))),
  },
  {
    name: 'cost',
    title: 'Cost',
    view: lazy(() => import('./cost.tsx').then(({ Cost }) => ({ default: Cost }))),
  },
  {
    name: 'timeline',
    title: 'Timeline',
    view: lazy(() => import('./timeline.tsx').then(({ Timeline }) => ({ default: Timeline }))),
  },
  {
    name: 'retrieval',
    title: 'Retrieval',
    view: lazy(() => import('./retrieval.tsx').then(({ Retrieval }) => ({ default: Retrieval }))),
  },
  {
    name: 'ask',
    title: 'Ask',
    view: lazy(() => import('./ask.tsx').then(({ Ask }) => ({ default: Ask }))),
  },
  {
    name: 'replay',
    title: 'Replay and compare',
    view: lazy(() => import('./replay.tsx').then(({ Replay }) => ({ default: Replay }))),
  },
]

/** While a run is going on, its page is read again this often. */
const refreshMs = 2000

export function Review({ parts }: { parts: Record<string, string> }) {
  const { run = '', view = '' } = parts
  const loaded = useResource('/runs/{run}', { parameters: { run } })
  const isRunning = loaded.data?.row.state === 'running'
  const live = useResource('/runs/{run}', { parameters: { run }, everyMs: isRunning ? refreshMs : undefined })
  const current = views.find(({ name }) => name === view)
  return (
    <When what="the review" loaded={isRunning ? live : loaded}>
      {(detail) => (
        <>
          <Head detail={detail} />
          <nav className="tabs" aria-label="Review">
            {views.map(({ name, title }) => (
              <Link
                key={name}
                to={`/runs/${run}${name && `/${name}`}`}
                data-keys="tab"
                aria-current={name === view ? 'page' : undefined}
              >
                {title}
              </Link>
            ))}
          </nav>
          {current ? (
            <Suspense fallback={<Loading what="the tab" />}>
              <current.view detail={detail} />
            </Suspense>
          ) : (
            <Empty title="This review has no such tab." />
          )}
        </>
      )}
    </When>
  )
}

function Head({ detail }: { detail: RunDetail }) {
  const { row, notices, confidence } = detail
  return (
    <div className="review-head">
      <p className="crumbs">
        <Link to="/runs">Reviews</Link>
        {' / '}
        <Link to={`/runs?repository=${encodeURIComponent(row.repository)}`}>
          <Name text={repositoryName(row.repository)} />
        </Link>
        {row.change !== null && (
          <>
            {' / '}
            <Link to={changeAddress({ repository: row.repository, change: row.change })}>#{row.change}</Link>
          </>
        )}
      </p>
      <h1>
        <Name text={row.title || row.label} />
      </h1>
      <p className="review-result">
        <OutcomeBadge row={row} />
        {row.headline && <Headline text={row.headline} />}
      </p>
      {notices.map((notice) => (
        <p key={notice} className="notice">
          <Foreign text={notice} />
        </p>
      ))}
      {row.damage && (
        <p className="notice notice-bad">
          <Foreign text={row.damage} />
        </p>
      )}
      <dl className="facts">
        <Fact title="Findings">
          <SeverityCounts counts={row.findings} />
        </Fact>
        {confidence?.score != null && (
          <Fact title="Confidence">
            <span title={confidence.reasons.join('; ')}>{confidence.score} of 5</span>
          </Fact>
        )}
        <Fact title="Coverage">
          {row.complete === null ? '–' : row.complete ? 'complete' : <Badge tone="warn">incomplete</Badge>}
        </Fact>
        <Fact title="Depth">{row.depth}</Fact>
        <Fact title="Model calls">
          {row.calls === 0
            ? 'none'
            : `${row.calls}${row.cachedCalls > 0 ? `, ${row.cachedCalls} from the record` : ''}`}
        </Fact>
        <Fact title="Cost">{row.calls === 0 ? '$0' : formatUsd(row.usd)}</Fact>
        <Fact title="Time">{formatDuration(row.durationMs)}</Fact>
        <Fact title="Started">
          <time dateTime={row.startedAt}>{formatTime(row.startedAt)}</time>
        </Fact>
        <Fact title="Commits">
          <code>{detail.base?.slice(0, 9) ?? 'uncommitted'}</code> →{' '}
          <code>{detail.head?.slice(0, 9) ?? 'uncommitted'}</code>
        </Fact>
        {row.url?.startsWith('https://') && (
          <Fact title="Change request">
            <a href={row.url} rel="noreferrer">
              #{row.change}
            </a>
          </Fact>
        )}
      </dl>
      {row.state === 'running' && <Progress detail={detail} />}
    </div>
  )
}

function Progress({ detail }: { detail: RunDetail }) {
  const now = detail.stages.find(({ state }) => state === 'running')
  const finished = detail.stages.filter(({ state }) => state === 'finished').length
  return (
    <p className="notice" role="status">
      Running{now && `: ${now.name}`}. {countOf(finished, 'stage')} finished.
    </p>
  )
}
