/** What the change does, in the review's words: folded away, since findings come first. */
import { Badge, SeverityBadge } from '../../parts/badges.tsx'
import { Foreign, Name } from '../../parts/foreign.tsx'
import { countOf } from '../../parts/format.ts'
import { Link } from '../../router.tsx'
import { atOf, type FindingsAnswer, type RunDetail } from './shared.ts'

export function Overview({ detail, found }: { detail: RunDetail; found: FindingsAnswer }) {
  const { walkthrough, keyChanges, files, signals, criteria, companions, row } = detail
  const steps = walkthrough.length > 0
  if (!steps && keyChanges.length === 0 && files.length === 0 && criteria.length === 0) return null
  return (
    <details className="box overview" open={found.findings.length === 0}>
      <summary>What the change does: {countOf(files.length, 'file')}</summary>
      <div className="overview-body">
        <div>
          <h2>{steps ? 'Walkthrough' : 'Changes'}</h2>
          <ul className="plain-list">
            {walkthrough.map(({ text, places }) => (
              <li key={text}>
                <Foreign text={text} hasCode />{' '}
                {places.slice(0, 3).map(({ path, side, line }) => (
                  <Link
                    key={`${path}${side}${line}`}
                    to={`/runs/${row.run}?at=${atOf(path, side, line)}`}
                    className="place"
                  >
                    <Name text={`${path}:${line}`} />
                  </Link>
                ))}
              </li>
            ))}
            {!steps && keyChanges.map((text) => <li key={text}>{<Foreign text={text} hasCode />}</li>)}
            {!steps &&
              keyChanges.length === 0 &&
              files.slice(0, 30).map(({ path, summary, added, removed }) => (
                <li key={path}>
                  <Name text={path} />{' '}
                  <span className="quiet">
                    +{added} −{removed}
                  </span>{' '}
                  <Foreign text={summary} cutAt={200} hasCode />
                </li>
              ))}
          </ul>
        </div>
        <div>
          {signals.length > 0 && (
            <>
              <h2>Planes</h2>
              <ul className="plain-list signals">
                {signals.map(({ plane, severity, findings }) => (
                  <li key={plane}>
                    <span>{plane}</span>
                    {severity ? <SeverityBadge severity={severity} /> : <span className="quiet">none</span>}
                    <span className="quiet">{findings > 0 && countOf(findings, 'finding')}</span>
                  </li>
                ))}
              </ul>
            </>
          )}
          {companions.length > 0 && (
            <>
              <h2>Companion changes</h2>
              <ul className="plain-list">
                {companions.map(({ name, url, words }) => (
                  <li key={url}>
                    <a href={url} rel="noreferrer">
                      <Name text={name} />
                    </a>{' '}
                    <Foreign text={words} hasCode />
                  </li>
                ))}
              </ul>
            </>
          )}
          {criteria.length > 0 && (
            <>
              <h2>Acceptance criteria</h2>
              <ul className="plain-list">
                {criteria.map(({ ticket, id, text, state, reason }) => (
                  <li key={ticket + id} title={reason}>
                    <Badge tone={state === 'covered' ? 'good' : state === 'not-covered' ? 'warn' : 'plain'}>
                      {state.replace('-', ' ')}
                    </Badge>{' '}
                    <Foreign text={text} cutAt={300} />
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      </div>
    </details>
  )
}
