/** The fate of everything that was reported: kept, merged, demoted or dropped, by which check and why. */
import type { AnswerOf } from '../../api/contract.ts'
import { useResource } from '../../api/use-resource.ts'
import { Badge, SeverityBadge, type Tone } from '../../parts/badges.tsx'
import { ExportButtons } from '../../parts/data-table.tsx'
import { Foreign, Name } from '../../parts/foreign.tsx'
import { formatCount } from '../../parts/format.ts'
import { Heads } from '../../parts/heads.tsx'
import { Empty, When } from '../../parts/states.tsx'
import { Link, usePlace, withQuery } from '../../router.tsx'
import type { RunDetail } from './shared.ts'

type Fate = AnswerOf<'/runs/{run}/candidates'>['candidates'][number]['fate']

const tones: Record<Fate, Tone> = { kept: 'good', demoted: 'warn', merged: 'plain', dropped: 'bad' }
const fates = Object.keys(tones) as Fate[]

export function Candidates({ detail }: { detail: RunDetail }) {
  const { run } = detail.row
  const loaded = useResource('/runs/{run}/candidates', { parameters: { run } })
  return (
    <When what="candidates" loaded={loaded}>
      {({ candidates, unfit }) =>
        candidates.length + unfit.length === 0 ? (
          <Empty title="No plane and no model reported anything.">
            <p>
              What they looked at is under <Link to={`/runs/${run}/coverage`}>Coverage</Link>.
            </p>
          </Empty>
        ) : (
          <>
            <div className="data-head">
              <FateFilter candidates={candidates} />
              <ExportButtons
                file={`${run}-candidates`}
                columns={['Outcome', 'Severity', 'Candidate', 'Path', 'Plane', 'Decided by', 'Reason']}
                rows={candidates.map(({ candidate, fate, step, reason }) => [
                  ...[fate, candidate.severity, candidate.title, candidate.anchor.path, candidate.plane],
                  ...[step, reason],
                ])}
              />
            </div>
            <CandidateTable run={run} candidates={candidates} />
            {unfit.length > 0 && (
              <>
                <h2>Unusable parts of answers</h2>
                <table className="table">
                  <Heads columns={['Call', 'What the model said', 'Why it was not used']} />
                  <tbody>
                    {unfit.map(({ address, what, reason }, at) => (
                      <tr key={`${address}${at}${what.slice(0, 40)}`}>
                        <td>{address}</td>
                        <td>
                          <Foreign text={what} cutAt={300} />
                        </td>
                        <td>
                          <Foreign text={reason} cutAt={300} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </>
            )}
          </>
        )
      }
    </When>
  )
}

function FateFilter({ candidates }: { candidates: readonly { fate: Fate }[] }) {
  const place = usePlace()
  const chosen = place.query.get('fate')
  const count = (fate: Fate) => candidates.filter((each) => each.fate === fate).length
  return (
    <nav className="choices" aria-label="Filter by outcome">
      <Link to={withQuery(place, { fate: null })} aria-current={chosen === null ? 'true' : undefined}>
        All {formatCount(candidates.length)}
      </Link>
      {fates.map((fate) => (
        <Link key={fate} to={withQuery(place, { fate })} aria-current={chosen === fate ? 'true' : undefined}>
          {fate} {formatCount(count(fate))}
        </Link>
      ))}
    </nav>
  )
}

function CandidateTable({
  run,
  candidates,
}: {
  run: string
  candidates: AnswerOf<'/runs/{run}/candidates'>['candidates']
}) {
  const chosen = usePlace().query.get('fate')
  return (
    <table className="table candidates">
      <Heads columns={['Outcome', 'Candidate', 'Decided by', 'Reason']} />
      <tbody>
        {candidates
          .filter(({ fate }) => chosen === null || fate === chosen)
          .map(({ candidate, fate, step, reason, finding }) => (
            <tr key={candidate.id}>
              <td>
                <Badge tone={tones[fate]}>{fate}</Badge>
              </td>
              <td className="cell-main">
                <SeverityBadge severity={candidate.severity} />{' '}
                {finding ? (
                  <Link to={`/runs/${run}?finding=${encodeURIComponent(finding)}`} data-keys="row">
                    <Foreign text={candidate.title} cutAt={300} hasCode />
                  </Link>
                ) : (
                  <Foreign text={candidate.title} cutAt={300} hasCode />
                )}
                <span className="row-detail">
                  <Name text={candidate.anchor.path} /> · {candidate.rule}
                  {candidate.byModel && ' · reported by a model'}
                </span>
              </td>
              <td>{step}</td>
              <td>
                <Foreign text={reason} cutAt={400} hasCode />
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
