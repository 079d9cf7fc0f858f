/** How reviews do over time: outcomes, findings, cost, speed. By repository, plane and rule, never by person. */
import type { AnswerOf } from '../api/contract.ts'
import { useResource } from '../api/use-resource.ts'
import { formatCount, formatShare, formatShort, formatUsd } from '../parts/format.ts'
import { Empty, When } from '../parts/states.tsx'
import { Link, navigate, usePlace, withQuery } from '../router.tsx'
import { TrendCharts } from './trend-charts.tsx'

const ranges = [7, 30, 90] as const

export function Trends() {
  const place = usePlace()
  const query = {
    from: place.query.get('from') ?? undefined,
    to: place.query.get('to') ?? undefined,
    repository: place.query.get('repository') ?? undefined,
  }
  const loaded = useResource('/trends', { query })
  return (
    <>
      <div className="head">
        <h1>Trends</h1>
      </div>
      <Range />
      <When what="trends" loaded={loaded}>
        {(data) =>
          data.totals.runs === 0 ? (
            <Empty title="No reviews in this range.">
              <p>
                Charts appear with the first finished review.{' '}
                <Link to={withQuery(place, { from: null, to: null, repository: null })}>
                  Show the last 30 days of all repositories
                </Link>
              </p>
            </Empty>
          ) : (
            <>
              <Totals data={data} />
              <TrendCharts data={data} />
            </>
          )
        }
      </When>
    </>
  )
}

function Range() {
  const place = usePlace()
  const facets = useResource('/runs/facets')
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const from = place.query.get('from')
  return (
    <div className="filters">
      <nav className="choices" aria-label="Range">
        {ranges.map((days) => {
          const start = days === 30 ? null : day(days - 1)
          return (
            <Link
              key={days}
              to={withQuery(place, { from: start, to: null })}
              aria-current={from === start ? 'true' : undefined}
            >
              {days} days
            </Link>
          )
        })}
      </nav>
      <label>
        <span>From</span>
        <input
          type="date"
          value={from ?? ''}
          onChange={(event) => navigate(withQuery(place, { from: event.target.value }), { replace: true })}
        />
      </label>
      <label>
        <span>To</span>
        <input
          type="date"
          value={place.query.get('to') ?? ''}
          onChange={(event) => navigate(withQuery(place, { to: event.target.value }), { replace: true })}
        />
      </label>
      <label>
        <span>Repository</span>
        <select
          value={place.query.get('repository') ?? ''}
          onChange={(event) =>
            navigate(withQuery(place, { repository: event.target.value }), { replace: true })
          }
        >
          <option value="">All</option>
          {(facets.data?.repositories ?? []).map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    </div>
  )
}

function Totals({ data }: { data: AnswerOf<'/trends'> }) {
  const { totals, outcomes } = data
  const cacheShare = totals.calls > 0 ? totals.cachedCalls / totals.calls : null
  const all = outcomes.find(({ by }) => by === 'all')
  return (
    <dl className="facts facts-large">
      <Figure title="Reviews">{formatCount(totals.runs)}</Figure>
      <Figure title="Addressed">{formatShare(all?.addressed ?? null)}</Figure>
      <Figure title="Dismissed">{formatShare(all?.dismissed ?? null)}</Figure>
      <Figure title="Cost">{formatUsd(totals.usd)}</Figure>
      <Figure title="Cost for a review">{formatUsd(totals.usd / totals.runs)}</Figure>
      <Figure title="Tokens">{formatShort(totals.tokens.input + totals.tokens.output)}</Figure>
      <Figure title="Calls from the record">{formatShare(cacheShare)}</Figure>
    </dl>
  )
}

function Figure({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}
