/** What each way of searching found, side by side. Choosing a piece of code shows its rank in every list. */
import type { AnswerOf } from '../../api/contract.ts'
import { useResource } from '../../api/use-resource.ts'
import { ExportButtons } from '../../parts/data-table.tsx'
import { Foreign, Name } from '../../parts/foreign.tsx'
import { countOf } from '../../parts/format.ts'
import { Empty, When } from '../../parts/states.tsx'
import { Link, usePlace, withQuery } from '../../router.tsx'
import type { RunDetail } from './shared.ts'

type Unit = AnswerOf<'/runs/{run}/retrieval'>['lists'][number]['units'][number]

export function Retrieval({ detail }: { detail: RunDetail }) {
  const { run } = detail.row
  const loaded = useResource('/runs/{run}/retrieval', { parameters: { run } })
  const chosen = usePlace().query.get('unit')
  return (
    <When what="the retrieval" loaded={loaded}>
      {({ lists, cuts }) => {
        const found = lists.flatMap(({ title: list, units }) => units.map((unit) => ({ list, unit })))
        if (found.length === 0)
          return (
            <Empty title="This review searched for nothing around the change.">
              <p>
                Code around the change, tickets and history are gathered at depth standard and deep; this run
                has depth {detail.row.depth}.
              </p>
              <Cuts cuts={cuts} />
            </Empty>
          )
        return (
          <>
            <div className="data-head">
              <p className="quiet">Choose a piece of code to find it in every list.</p>
              <ExportButtons
                file={`${run}-retrieval`}
                columns={[
                  'List',
                  'Rank',
                  'Path',
                  'First line',
                  'Last line',
                  'Title',
                  'Score',
                  'Evidence',
                  'Left out',
                ]}
                rows={found.map(({ list, unit }) => [
                  list,
                  unit.rank,
                  unit.path,
                  unit.startLine,
                  unit.endLine,
                  unit.title,
                  unit.score,
                  unit.evidence,
                  unit.cut,
                ])}
              />
            </div>
            <section className="lists" aria-label="Lists side by side">
              {lists.map(({ family, title, units }) => (
                <section key={family + title}>
                  <h2>
                    {family} <span className="quiet">{units.length}</span>
                  </h2>
                  <p className="quiet list-title">{title}</p>
                  <ol>
                    {units.slice(0, 200).map((unit) => (
                      <UnitRow key={keyOf(unit)} run={run} unit={unit} isChosen={keyOf(unit) === chosen} />
                    ))}
                  </ol>
                  {units.length === 0 && <p className="quiet">Nothing found, or not asked.</p>}
                </section>
              ))}
            </section>
            <Cuts cuts={cuts} />
          </>
        )
      }}
    </When>
  )
}

const keyOf = ({ path, startLine, title }: Unit) =>
  `${path}:${startLine ?? ''}:${startLine === null ? title : ''}`

function UnitRow({ run, unit, isChosen }: { run: string; unit: Unit; isChosen: boolean }) {
  const place = usePlace()
  const { rank, path, startLine, title, evidence, cut, ranks } = unit
  return (
    <li className={`unit${isChosen ? ' is-chosen' : ''}${cut === null ? '' : ' is-cut'}`}>
      <Link
        to={withQuery(place, { unit: isChosen ? null : keyOf(unit) })}
        data-keys="row"
        aria-current={isChosen ? 'true' : undefined}
      >
        <span className="unit-rank">{rank}</span>
        <span className="unit-name">
          <Name text={startLine === null ? path : `${path}:${startLine}`} />
        </span>
      </Link>
      <span className="row-detail">
        <Foreign text={title} cutAt={120} hasCode />
      </span>
      {evidence && (
        <Link className="unit-evidence" to={`/runs/${run}?evidence=${evidence}`}>
          became {evidence}
        </Link>
      )}
      {cut !== null && (
        <span className="row-detail warn-text">
          left out: <Foreign text={cut} cutAt={160} />
        </span>
      )}
      {isChosen && (
        <span className="row-detail">
          {Object.entries(ranks)
            .map(([list, at]) => `${list} ${at}`)
            .join(', ')}
        </span>
      )}
    </li>
  )
}

function Cuts({ cuts }: { cuts: readonly string[] }) {
  if (cuts.length === 0) return null
  return (
    <details className="box">
      <summary>{countOf(cuts.length, 'thing')} not searched or left out</summary>
      <ul className="plain-list">
        {cuts.map((cut) => (
          <li key={cut}>
            <Foreign text={cut} cutAt={300} hasCode />
          </li>
        ))}
      </ul>
    </details>
  )
}
