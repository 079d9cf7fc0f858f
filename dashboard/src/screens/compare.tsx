/** Two runs side by side; the address names both. */
import type { RunRow } from '../../../src/server/api/contract/runs.ts'
import { useResource } from '../api/use-resource.ts'
import { Headline, OutcomeBadge } from '../parts/badges.tsx'
import { Name } from '../parts/foreign.tsx'
import { formatDuration, formatTime, formatUsd } from '../parts/format.ts'
import { When } from '../parts/states.tsx'
import { Link } from '../router.tsx'
import { ComparisonView } from './comparison-view.tsx'

export function Compare({ parts }: { parts: Record<string, string> }) {
  const { before = '', after = '' } = parts
  const loaded = useResource('/compare/{before}/{after}', { parameters: { before, after } })
  return (
    <>
      <div className="head">
        <h1>Compare two reviews</h1>
        <Link className="button" to={`/compare/${after}/${before}`}>
          Swap sides
        </Link>
      </div>
      <When what="the comparison" loaded={loaded}>
        {(found) => (
          <>
            <div className="columns">
              <Side title="Before" row={found.before} />
              <Side title="After" row={found.after} />
            </div>
            <ComparisonView comparison={found.comparison} />
          </>
        )}
      </When>
    </>
  )
}

function Side({ title, row }: { title: string; row: RunRow }) {
  return (
    <section className="box side-box">
      <h2>{title}</h2>
      <p>
        <Link to={`/runs/${row.run}`}>
          <Name text={row.title || row.label} />
        </Link>
      </p>
      <p>
        <OutcomeBadge row={row} /> {row.headline && <Headline text={row.headline} />}
      </p>
      <p className="quiet">
        {row.depth} · {formatUsd(row.usd)} · {formatDuration(row.durationMs)} · {formatTime(row.startedAt)}
      </p>
    </section>
  )
}
