/** One change request: its findings through all pushes, what was reviewed and asked, and what it cost. */
import type { AnswerOf } from '../api/contract.ts'
import { useResource } from '../api/use-resource.ts'
import { Badge, OutcomeBadge, SeverityBadge, SeverityCounts, type Tone } from '../parts/badges.tsx'
import { Fact } from '../parts/fact.tsx'
import { Foreign, Name } from '../parts/foreign.tsx'
import { countOf, formatAgo, formatCount, formatTime, formatUsd } from '../parts/format.ts'
import { Heads } from '../parts/heads.tsx'
import { Empty, When } from '../parts/states.tsx'
import { Link, usePlace } from '../router.tsx'

type Detail = AnswerOf<'/change'>
type Finding = Detail['findings'][number]
type Move = Finding['moves'][number]

const isPush = ({ kind, isReplay }: Detail['runs'][number]) => kind === 'review' && !isReplay

export function Change() {
  const { query } = usePlace()
  const [repository, change] = [query.get('repository') ?? '', query.get('change') ?? '']
  const loaded = useResource('/change', { query: { repository, change } })
  return (
    <When what="the change request" loaded={loaded}>
      {(detail) => (
        <>
          <Head detail={detail} />
          <section aria-labelledby="findings">
            <h2 id="findings">Findings</h2>
            {detail.damage && (
              <p className="notice notice-bad">
                <Foreign text={detail.damage} />
              </p>
            )}
            {detail.findings.length === 0 ? (
              <Empty title="No findings in any push." />
            ) : (
              <Findings findings={detail.findings} />
            )}
          </section>
          <section aria-labelledby="pushes">
            <h2 id="pushes">Pushes</h2>
            <Reviews runs={detail.runs.filter(isPush)} />
          </section>
          <Conversation runs={detail.runs.filter((row) => !isPush(row))} />
        </>
      )}
    </When>
  )
}

function Head({ detail }: { detail: Detail }) {
  const { repository, change, title, url, counts, runs, usd, unpricedCalls } = detail
  const reviews = runs.filter(isPush)
  return (
    <div className="review-head">
      <p className="crumbs">
        <Link to="/runs">Reviews</Link>
        {' / '}
        <Link to={`/runs?repository=${encodeURIComponent(repository)}`}>
          <Name text={repository} />
        </Link>
        {` / #${change}`}
      </p>
      <h1>
        <Name text={title || `#${change}`} />
      </h1>
      {url?.startsWith('https://') && (
        <p>
          <a href={url} rel="noreferrer">
            On the host
          </a>
        </p>
      )}
      <dl className="facts">
        <Fact title="Open findings">{formatCount(counts.open)}</Fact>
        <Fact title="Fixed">{formatCount(counts.fixed)}</Fact>
        <Fact title="Dismissed">{formatCount(counts.dismissed)}</Fact>
        <Fact title="Reviews">{formatCount(reviews.length)}</Fact>
        <Fact title="Cost">
          {formatUsd(usd)}
          {unpricedCalls > 0 && ` and ${countOf(unpricedCalls, 'call')} without a price`}
        </Fact>
      </dl>
    </div>
  )
}

const states: Record<Finding['state'], { title: string; tone: Tone }> = {
  open: { title: 'Open', tone: 'warn' },
  reopened: { title: 'Open again', tone: 'warn' },
  fixed: { title: 'Fixed', tone: 'good' },
  dismissed: { title: 'Dismissed', tone: 'plain' },
  outdated: { title: 'Outdated', tone: 'plain' },
}

const asides: Record<NonNullable<Finding['aside']>, string> = {
  hidden: 'Hidden by a filter',
  'pre-existing': 'There before the change',
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  return (
    <table className="table">
      <Heads columns={['Finding', 'State', 'What happened']} />
      <tbody>
        {findings.map((finding) => (
          <tr key={finding.id}>
            <td className="cell-main">
              <span className="row-title">
                <Foreign text={finding.title} cutAt={200} />
              </span>
              <span className="row-detail">
                <SeverityBadge severity={finding.severity} />{' '}
                <Name text={`${finding.path}:${finding.line}`} />
              </span>
            </td>
            <td>
              <Badge tone={states[finding.state].tone}>{states[finding.state].title}</Badge>
              {finding.aside && <span className="row-detail">{asides[finding.aside]}</span>}
            </td>
            <td>
              <ol className="moves">
                {finding.moves.map((move) => (
                  <li key={`${move.at} ${move.what}`}>
                    <MoveLine move={move} />
                  </li>
                ))}
              </ol>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const deeds: Record<Move['what'], string> = {
  found: 'Found',
  changed: 'Found again, changed',
  fixed: 'Fixed',
  outdated: 'Code removed',
  reopened: 'Found again',
  dismissed: 'Dismissed',
  restored: 'Dismissal taken back',
  reacted: 'Reaction',
}

function MoveLine({ move: { at, what, by, why, head, run } }: { move: Move }) {
  const word = head === null ? deeds[what] : `${deeds[what]} in ${head.slice(0, 12)}`
  return (
    <>
      {run === null ? word : <Link to={`/runs/${run}/findings`}>{word}</Link>}
      {by !== null && (
        <>
          {' by '}
          <Name text={by} />
        </>
      )}{' '}
      <time dateTime={at} title={formatTime(at)} className="quiet">
        {formatAgo(at)}
      </time>
      {why && (
        <span className="row-detail">
          <Foreign text={why} cutAt={200} />
        </span>
      )}
    </>
  )
}

function Reviews({ runs }: { runs: Detail['runs'] }) {
  return (
    <table className="table">
      <Heads columns={['Review', 'Result', 'Findings', 'Cost']} numbers={['Cost']} />
      <tbody>
        {runs.map((row) => (
          <tr key={row.run}>
            <td className="cell-main">
              <Link to={`/runs/${row.run}`} data-keys="row" className="row-title">
                <time dateTime={row.startedAt}>{formatTime(row.startedAt)}</time>
              </Link>
              <span className="row-detail">{row.depth}</span>
            </td>
            <td>
              <OutcomeBadge row={row} />
            </td>
            <td>
              <SeverityCounts counts={row.findings} />
            </td>
            <td className="number">{formatUsd(row.usd)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Questions, proofs and replays. */
function Conversation({ runs }: { runs: Detail['runs'] }) {
  if (runs.length === 0) return null
  return (
    <section aria-labelledby="conversation">
      <h2 id="conversation">Questions, proofs and replays</h2>
      <ul className="about">
        {runs.map((row) => (
          <li key={row.run}>
            <Link to={`/runs/${row.run}`}>
              <Name text={row.label} />
            </Link>{' '}
            <span className="quiet">
              {formatUsd(row.usd)}, {formatAgo(row.startedAt)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
