/** A row for each change request, the last reviewed first, and for each local review; filters are part of the address. */
import { useState } from 'react'
import { repositoryName } from '../../../src/domain/repository-name.ts'
import type { AnswerOf } from '../api/contract.ts'
import { usePages, useResource } from '../api/use-resource.ts'
import { conclusionTitles, OutcomeBadge, SeverityCounts } from '../parts/badges.tsx'
import { changeAddress } from '../parts/change-address.ts'
import { Foreign, Name } from '../parts/foreign.tsx'
import { countOf, formatAgo, formatDuration, formatTime, formatUsd } from '../parts/format.ts'
import { Heads } from '../parts/heads.tsx'
import { Empty, Failed, Loading, LoadMore } from '../parts/states.tsx'
import { Link, navigate, usePlace, withQuery } from '../router.tsx'

const filters = ['text', 'repository', 'word', 'depth', 'state', 'kind', 'from', 'to'] as const
const depths = ['offline', 'quick', 'standard', 'deep']
const states = ['finished', 'running', 'killed']

export function Runs() {
  const place = usePlace()
  const query = Object.fromEntries(filters.map((name) => [name, place.query.get(name) ?? undefined]))
  const { items, state, failure, more } = usePages('/changes', { query })
  const isFiltered = filters.some((name) => query[name] !== undefined)
  return (
    <>
      <div className="head">
        <h1>Reviews</h1>
      </div>
      <Filters />
      {failure && <Failed failure={failure} />}
      {!failure && items.length === 0 && state === 'loading' && <Loading what="reviews" />}
      {!failure && items.length === 0 && state === 'ready' && (
        <Empty title={isFiltered ? 'No review fits these filters.' : 'No reviews yet.'}>
          {isFiltered ? (
            <p>
              <Link to="/runs">Clear all filters</Link>
            </p>
          ) : (
            <p>
              Run <code>sightline review</code> in a repository; the review appears here while it runs.
            </p>
          )}
        </Empty>
      )}
      {items.length > 0 && <RunTable rows={items} />}
      <LoadMore more={more} />
    </>
  )
}

function Filters() {
  const place = usePlace()
  const facets = useResource('/runs/facets')
  const value = (name: string) => place.query.get(name) ?? ''
  const set = (name: string, to: string) => navigate(withQuery(place, { [name]: to }), { replace: true })
  const [text, setText] = useState(value('text'))
  return (
    <form
      className="filters"
      onSubmit={(event) => {
        event.preventDefault()
        set('text', text.trim())
      }}
    >
      <label className="grow">
        <span>Search</span>
        <input
          type="search"
          data-keys="search"
          placeholder="Title, branch, repository or run"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            if (event.target.value === '') set('text', '')
          }}
        />
      </label>
      <Choice title="Repository" value={value('repository')} set={(to) => set('repository', to)}>
        {(facets.data?.repositories ?? []).map(({ name }) => ({ value: name, title: name }))}
      </Choice>
      <Choice title="Result" value={value('word')} set={(to) => set('word', to)}>
        {conclusionTitles.map(({ word, title }) => ({ value: word, title }))}
      </Choice>
      <Choice title="Depth" value={value('depth')} set={(to) => set('depth', to)}>
        {depths.map((depth) => ({ value: depth, title: depth }))}
      </Choice>
      <Choice title="State" value={value('state')} set={(to) => set('state', to)}>
        {states.map((each) => ({ value: each, title: each === 'killed' ? 'stopped early' : each }))}
      </Choice>
    </form>
  )
}

function Choice({
  title,
  value,
  set,
  children,
}: {
  title: string
  value: string
  set: (to: string) => void
  children: { value: string; title: string }[]
}) {
  const isKnown = value === '' || children.some((each) => each.value === value)
  return (
    <label>
      <span>{title}</span>
      <select value={value} onChange={(event) => set(event.target.value)}>
        <option value="">All</option>
        {!isKnown && <option value={value}>{value}</option>}
        {children.map((each) => (
          <option key={each.value} value={each.value}>
            {each.title}
          </option>
        ))}
      </select>
    </label>
  )
}

type Row = AnswerOf<'/changes'>['items'][number]

function RunTable({ rows }: { rows: readonly Row[] }) {
  return (
    <table className="table runs">
      <Heads
        columns={['Change', 'Result', 'Findings', 'Cost', 'Time', 'When']}
        numbers={['Cost', 'Time', 'When']}
      />
      <tbody>
        {rows.map(({ newest: row, reviews, usd }) => (
          <tr key={row.run}>
            <td className="cell-main">
              <Link to={addressOf(row)} data-keys="row" className="row-title">
                <Name text={row.title || row.label} />
              </Link>
              <span className="row-detail">
                <Name text={repositoryName(row.repository)} />
                {row.change !== null && ` #${row.change}`} · {row.depth}
                {reviews > 1 && ` · ${countOf(reviews, 'review')}`}
                {row.title !== '' && row.change === null && (
                  <>
                    {' · '}
                    <Name text={row.label} />
                  </>
                )}
              </span>
              {row.damage && (
                <span className="row-detail warn-text">
                  <Foreign text={row.damage} />
                </span>
              )}
            </td>
            <td>
              <OutcomeBadge row={row} />
            </td>
            <td>
              {row.state === 'finished' && row.kind === 'review' ? (
                <SeverityCounts counts={row.findings} />
              ) : (
                <span className="quiet">–</span>
              )}
            </td>
            <td className="number" title={callsOf(row)}>
              {usd === 0 && row.calls === 0 ? <span className="quiet">no model</span> : formatUsd(usd)}
            </td>
            <td className="number">{formatDuration(row.durationMs)}</td>
            <td className="number" title={formatTime(row.startedAt)}>
              <time dateTime={row.startedAt}>{formatAgo(row.startedAt)}</time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function addressOf({ repository, change, run }: Row['newest']): string {
  return change === null ? `/runs/${run}` : changeAddress({ repository, change })
}

function callsOf({ calls, cachedCalls }: Row['newest']): string {
  return `${countOf(calls, 'model call')}, ${cachedCalls} of them from the record`
}
