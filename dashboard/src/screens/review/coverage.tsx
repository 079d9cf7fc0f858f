/** What was reviewed, what was not, and why: files, planes, and questions that were not asked on purpose. */
import { useResource } from '../../api/use-resource.ts'
import { Badge, type Tone } from '../../parts/badges.tsx'
import { Foreign, Name } from '../../parts/foreign.tsx'
import { countOf } from '../../parts/format.ts'
import { Heads } from '../../parts/heads.tsx'
import { Empty, When } from '../../parts/states.tsx'
import type { RunDetail } from './shared.ts'

const tones: Record<string, Tone> = {
  reviewed: 'good',
  ran: 'good',
  partly: 'warn',
  'left-out': 'warn',
  'not-reviewed': 'bad',
  failed: 'bad',
}

function lookedBy(byModel = false, readers: readonly unknown[] = []): string {
  if (!byModel) return ''
  return readers.length > 1 ? ', read by two readers independently' : ', a model looked'
}

export function CoverageView({ detail }: { detail: RunDetail }) {
  const loaded = useResource('/runs/{run}/coverage', { parameters: { run: detail.row.run } })
  return (
    <When what="coverage" loaded={loaded}>
      {({ coverage, trimmed }) => {
        if (!coverage) return <Empty title="The review has not finished, so its coverage is not known." />
        const notes = [...coverage.limits, ...trimmed]
        return (
          <>
            <p>
              {coverage.complete
                ? 'Everything that was to be reviewed was reviewed.'
                : 'Part of the change was not reviewed; the reasons are below.'}
            </p>
            {coverage.stopped && (
              <p className="notice notice-bad">
                The review was stopped in the stage {coverage.stopped.stage}: {coverage.stopped.reason}.
              </p>
            )}
            <div className="columns">
              <section>
                <h2>{countOf(coverage.files.length, 'file')}</h2>
                <States
                  rows={coverage.files.map(({ path, state, reason }) => ({
                    name: path,
                    state,
                    reason,
                    note: '',
                  }))}
                />
                {coverage.unlisted && (
                  <p className="quiet">
                    {countOf(coverage.unlisted.files, 'more file')}: {coverage.unlisted.reason}
                  </p>
                )}
              </section>
              <section>
                <h2>{countOf(coverage.planes.length, 'plane')}</h2>
                <States
                  rows={coverage.planes.map(({ plane, state, reason, candidates, byModel, readers }) => ({
                    name: plane,
                    state,
                    reason,
                    note: `${countOf(candidates, 'candidate')}${lookedBy(byModel, readers)}`,
                  }))}
                />
                {notes.length > 0 && (
                  <>
                    <h2>Limits</h2>
                    <ul className="plain-list">
                      {notes.map((note) => (
                        <li key={note}>
                          <Foreign text={note} cutAt={400} hasCode />
                        </li>
                      ))}
                    </ul>
                  </>
                )}
              </section>
            </div>
          </>
        )
      }}
    </When>
  )
}

function States({ rows }: { rows: { name: string; state: string; reason: string | null; note: string }[] }) {
  return (
    <table className="table states">
      <Heads columns={['Name', 'State']} />
      <tbody>
        {rows.map(({ name, state, reason, note }) => (
          <tr key={`${name}${note}${state}`}>
            <td className="cell-main">
              <Name text={name} />
              {note && <span className="row-detail">{note}</span>}
            </td>
            <td>
              <Badge tone={tones[state] ?? 'plain'}>{state.replace('-', ' ')}</Badge>
              {reason && (
                <span className="row-detail">
                  <Foreign text={reason} cutAt={300} />
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
