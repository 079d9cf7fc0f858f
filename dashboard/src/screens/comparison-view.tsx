/** Two reviews finding by finding, with a score of how alike they are. */
import type { Comparison } from '../../../src/domain/comparison.ts'
import { Badge, SeverityBadge, type Tone } from '../parts/badges.tsx'
import { ExportButtons } from '../parts/data-table.tsx'
import { Foreign, Name } from '../parts/foreign.tsx'
import { formatShare } from '../parts/format.ts'
import { Heads } from '../parts/heads.tsx'

type Kind = Comparison['findings'][number]['kind']

const kinds: Record<Kind, { title: string; tone: Tone }> = {
  lost: { title: 'lost', tone: 'bad' },
  new: { title: 'new', tone: 'accent' },
  moved: { title: 'moved', tone: 'plain' },
  'severity-changed': { title: 'severity changed', tone: 'warn' },
  kept: { title: 'kept', tone: 'good' },
}

export function ComparisonView({ comparison }: { comparison: Comparison }) {
  return (
    <>
      <dl className="facts">
        <div>
          <dt>Fidelity</dt>
          <dd>{formatShare(comparison.fidelity)}</dd>
        </div>
        {(Object.keys(kinds) as Kind[]).map((kind) => (
          <div key={kind}>
            <dt>{kinds[kind].title}</dt>
            <dd>{comparison.counts[kind] ?? 0}</dd>
          </div>
        ))}
      </dl>
      {comparison.findings.length === 0 && <p className="quiet">Neither review has findings.</p>}
      {comparison.findings.length > 0 && (
        <div className="data-head">
          <h2>Findings</h2>
          <ExportButtons
            file="comparison"
            columns={['Outcome', 'Finding', 'Rule', 'Path', 'Line', 'Severity before', 'Severity after']}
            rows={comparison.findings.map(({ kind, before, after }) => {
              const { title = '', rule = '', path = '', startLine = null } = after ?? before ?? {}
              return [
                ...[kinds[kind].title, title, rule, path, startLine],
                ...[before?.severity ?? null, after?.severity ?? null],
              ]
            })}
          />
        </div>
      )}
      {comparison.findings.length > 0 && (
        <table className="table">
          <Heads columns={['What became of it', 'Finding', 'Severity']} />
          <tbody>
            {comparison.findings.map(({ kind, before, after }) => {
              const finding = after ?? before
              if (!finding) return null
              return (
                <tr key={`${kind}${before?.fingerprint}${after?.fingerprint}`}>
                  <td>
                    <Badge tone={kinds[kind].tone}>{kinds[kind].title}</Badge>
                  </td>
                  <td className="cell-main">
                    <Foreign text={finding.title} cutAt={300} hasCode />
                    <span className="row-detail">
                      {kind === 'moved' && before && <Name text={`${before.path}:${before.startLine} → `} />}
                      <Name text={`${finding.path}:${finding.startLine}`} /> · {finding.rule}
                    </span>
                  </td>
                  <td>
                    {kind === 'severity-changed' && before && (
                      <>
                        <SeverityBadge severity={before.severity} /> →{' '}
                      </>
                    )}
                    <SeverityBadge severity={finding.severity} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </>
  )
}
