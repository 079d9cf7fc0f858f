/** The change as a diff with its findings in place; the list of findings beside it leads to each of them. */
import { useEffect, useRef } from 'react'
import type { AnswerOf } from '../../api/contract.ts'
import { useAll, usePages, useResource } from '../../api/use-resource.ts'
import { SeverityBadge } from '../../parts/badges.tsx'
import { Foreign, Name } from '../../parts/foreign.tsx'
import { countOf } from '../../parts/format.ts'
import { Empty, Failed, Loading, When } from '../../parts/states.tsx'
import { Link, usePlace, withQuery } from '../../router.tsx'
import { DiffFile, type ShownFile } from './diff.tsx'
import { EvidencePanel } from './evidence.tsx'
import { FindingCard } from './finding-card.tsx'
import { Overview } from './overview.tsx'
import {
  type EvidenceItem,
  type FindingItem,
  type FindingsAnswer,
  type RunDetail,
  targetOf,
} from './shared.ts'

export function Findings({ detail }: { detail: RunDetail }) {
  const { run, state } = detail.row
  const loaded = useResource('/runs/{run}/findings', { parameters: { run } })
  if (state !== 'finished')
    return (
      <Empty
        title={
          state === 'running' ? 'The review is still running.' : 'The review was stopped before its end.'
        }
      >
        <p>
          {state === 'running'
            ? 'Findings appear here when it is finished.'
            : 'Review the same change again: it goes on from the record.'}{' '}
          <Link to={`/runs/${run}/timeline`}>See what happened so far</Link>
        </p>
      </Empty>
    )
  return (
    <When what="findings" loaded={loaded}>
      {(found) => <Loaded detail={detail} found={found} />}
    </When>
  )
}

function Loaded({ detail, found }: { detail: RunDetail; found: FindingsAnswer }) {
  const { run } = detail.row
  const place = usePlace()
  const parameters = { run }
  const diff = usePages('/runs/{run}/diff', { parameters })
  const evidence = useAll('/runs/{run}/evidence', { parameters, query: { limit: 200 } })
  const byId = new Map<string, EvidenceItem>(evidence.items.map((item) => [item.id, item]))
  const chosen = place.query.get('finding')
  const target = targetOf(place.query.get('at'))
  const shown = byId.get(place.query.get('evidence') ?? '')
  const loadedPaths = new Set(diff.items.map(({ path }) => path))
  const wanted = [...found.findings.map(({ anchor }) => anchor.path), ...(target ? [target.path] : [])]
  const elsewhere = [...new Set(wanted)].filter((path) => !loadedPaths.has(path))
  const card = (finding: FindingItem) => (
    <FindingCard
      key={finding.fingerprint}
      finding={finding}
      detail={detail}
      evidence={byId}
      isChosen={finding.fingerprint === chosen}
    />
  )
  const file = (each: ShownFile) => (
    <DiffFile
      key={each.path}
      file={each}
      findings={found.findings.filter(({ anchor }) => anchor.path === each.path)}
      target={target?.path === each.path ? target : null}
      card={card}
    />
  )
  return (
    <>
      <Overview detail={detail} found={found} />
      <div className="review">
        <FindingList found={found} chosen={chosen} />
        <section className="review-diff" aria-label="Change">
          {diff.state === 'loading' && diff.items.length === 0 && <Loading what="the change" />}
          {diff.failure && (
            <>
              <Failed failure={diff.failure} />
              {found.findings.map(card)}
            </>
          )}
          {!detail.hasTexts && (
            <>
              <Empty title="This run was recorded without texts.">
                <p>
                  The code is not on record. With <code>journal.texts: full</code> in the settings, later runs
                  show it.
                </p>
              </Empty>
              {found.findings.map(card)}
            </>
          )}
          {diff.items.map(file)}
          {diff.state === 'ready' &&
            detail.hasTexts &&
            elsewhere.map((path) => (
              <OneFile key={path} run={run} path={path} file={file}>
                {found.findings.filter(({ anchor }) => anchor.path === path).map(card)}
              </OneFile>
            ))}
          {diff.more && (
            <button type="button" className="button" onClick={diff.more}>
              Load more files
            </button>
          )}
          {diff.first && <Beyond diff={diff.first} />}
        </section>
      </div>
      {shown && <EvidencePanel item={shown} detail={detail} close={withQuery(place, { evidence: null })} />}
    </>
  )
}

/** A file that is further down the diff than what is loaded; its findings alone when it is not in the diff. */
function OneFile({
  run,
  path,
  file,
  children,
}: {
  run: string
  path: string
  file: (file: ShownFile) => React.ReactNode
  children: React.ReactNode
}) {
  const loaded = useResource('/runs/{run}/diff', { parameters: { run }, query: { path } })
  if (loaded.state === 'loading' && !loaded.data) return <Loading what={path} />
  const [found] = loaded.data?.items ?? []
  return found ? file(found) : children
}

function Beyond({ diff }: { diff: AnswerOf<'/runs/{run}/diff'> }) {
  const beyond = diff.overflow.length + diff.unlisted
  if (beyond === 0) return null
  return (
    <details className="box">
      <summary>{countOf(beyond, 'more changed file')} beyond the limit of one review</summary>
      <ul className="plain-list">
        {diff.overflow.slice(0, 200).map((path) => (
          <li key={path}>
            <Name text={path} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function FindingList({ found, chosen }: { found: FindingsAnswer; chosen: string | null }) {
  const place = usePlace()
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    if (chosen === null) return
    list.current?.querySelector(`[aria-current="true"]`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <nav className="finding-list" aria-label="Findings" ref={list}>
      <h2>{countOf(found.findings.length, 'finding')}</h2>
      {found.findings.length === 0 && <p className="quiet">Nothing that was reported passed all checks.</p>}
      <ol>
        {found.findings.map((finding) => (
          <li key={finding.fingerprint}>
            <Link
              to={withQuery(place, { finding: finding.fingerprint, at: null, evidence: null })}
              data-keys="row"
              aria-current={finding.fingerprint === chosen ? 'true' : undefined}
            >
              <span className="finding-list-head">
                <SeverityBadge severity={finding.severity} />
                {finding.preExisting && <span className="quiet">existed before</span>}
                {finding.contested !== undefined && <span className="quiet">contested</span>}
              </span>
              <span className="finding-list-title">
                <Foreign text={finding.title} cutAt={160} hasCode />
              </span>
              <span className="finding-list-place">
                <Name text={`${finding.anchor.path}:${finding.startLine}`} />
              </span>
            </Link>
          </li>
        ))}
      </ol>
      <Aside found={found} />
    </nav>
  )
}

/** What was reported and is not among the findings, and what the author is asked. */
function Aside({ found }: { found: FindingsAnswer }) {
  return (
    <>
      {found.hidden.length > 0 && (
        <p className="quiet">
          {countOf(found.hidden.length, 'finding')} hidden by{' '}
          {[...new Set(found.hidden.map(({ by }) => by))].join(', ')}
        </p>
      )}
      {found.dismissed.length > 0 && (
        <details>
          <summary>{countOf(found.dismissed.length, 'dismissed finding')}</summary>
          <ul className="plain-list">
            {found.dismissed.map(({ finding, by, because }) => (
              <li key={finding.fingerprint}>
                <Foreign text={finding.title} cutAt={160} hasCode />
                <span className="row-detail">
                  <Foreign text={because ? `${by}: ${because}` : by} cutAt={200} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {found.questions.length > 0 && (
        <>
          <h3>Questions to the author</h3>
          <ul className="plain-list">
            {found.questions.map(({ text, path, line }) => (
              <li key={text}>
                <Foreign text={text} cutAt={300} hasCode />
                {path && (
                  <span className="row-detail">
                    <Name text={line ? `${path}:${line}` : path} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
