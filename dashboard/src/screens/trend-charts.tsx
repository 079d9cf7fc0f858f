/** The charts of the trends: by day, and over the whole range by name. */
import type { AnswerOf } from '../api/contract.ts'
import { ByName, Intervals } from '../charts/by-name.tsx'
import { Chart } from '../charts/chart.tsx'
import { OverTime } from '../charts/over-time.tsx'
import { severityOrder } from '../parts/badges.tsx'
import { countOf, formatDuration, formatShare, formatShort, formatUsd } from '../parts/format.ts'
import { Link, usePlace, withQuery } from '../router.tsx'

type Data = AnswerOf<'/trends'>

export function TrendCharts({ data }: { data: Data }) {
  const { days, totals } = data
  const names = days.map(({ day }) => day)
  return (
    <div className="charts">
      <Chart
        title="Reviews"
        note="Reviews by day."
        file="reviews-by-day"
        columns={['Day', 'Reviews']}
        rows={days.map(({ day, runs }) => [day, runs])}
      >
        <OverTime
          title="Reviews"
          days={names}
          kind="bars"
          format={formatShort}
          series={[{ title: 'Reviews', look: 'series-1', values: days.map(({ runs }) => runs) }]}
        />
      </Chart>
      <Chart
        title="Findings"
        note="Published findings by day and severity."
        file="findings-by-day"
        columns={['Day', ...severityOrder]}
        rows={days.map(({ day, findings }) => [day, ...severityOrder.map((severity) => findings[severity])])}
      >
        <OverTime
          title="Findings"
          days={names}
          kind="bars"
          format={formatShort}
          series={severityOrder.map((severity) => ({
            title: severity,
            look: `fill-${severity}`,
            values: days.map(({ findings }) => findings[severity]),
          }))}
        />
      </Chart>
      <Outcomes data={data} />
      <FindingsBy data={data} />
      <Chart
        title="Duration"
        note="Time that half of the reviews of a day needed (P50), and that 95 of 100 needed (P95)."
        file="duration-by-day"
        columns={['Day', 'P50 (ms)', 'P95 (ms)']}
        rows={days.map(({ day, p50Ms, p95Ms }) => [day, p50Ms, p95Ms])}
      >
        <OverTime
          title="Duration"
          days={names}
          kind="lines"
          format={formatDuration}
          series={[
            { title: 'P50', look: 'series-1', values: days.map(({ p50Ms }) => p50Ms) },
            { title: 'P95', look: 'series-2', values: days.map(({ p95Ms }) => p95Ms) },
          ]}
        />
      </Chart>
      <Chart
        title="Stages"
        note="P50 and P95 of each stage over the whole range."
        file="stages"
        columns={['Stage', 'Runs', 'P50 (ms)', 'P95 (ms)']}
        rows={data.stages.map(({ stage, runs, p50Ms, p95Ms }) => [stage, runs, p50Ms, p95Ms])}
        empty={data.stages.length === 0 ? 'No finished review has stages on record.' : null}
      >
        <ByName
          max={Math.max(...data.stages.map(({ p95Ms }) => p95Ms), 1)}
          rows={data.stages.map(({ stage, p50Ms, p95Ms }) => ({
            name: stage,
            parts: [
              { look: 'series-1', value: p50Ms },
              { look: 'series-2', value: p95Ms - p50Ms },
            ],
            label: `${formatDuration(p50Ms)} / ${formatDuration(p95Ms)}`,
          }))}
        />
      </Chart>
      <Chart
        title="Cost"
        note="US dollars by day, at the prices that were known."
        file="cost-by-day"
        columns={['Day', 'US dollars']}
        rows={days.map(({ day, usd }) => [day, usd])}
        empty={totals.usd === 0 ? 'No review in this range asked a model with a known price.' : null}
      >
        <OverTime
          title="Cost"
          days={names}
          kind="bars"
          format={formatUsd}
          series={[{ title: 'US dollars', look: 'series-1', values: days.map(({ usd }) => usd) }]}
        />
      </Chart>
      <Chart
        title="Tokens"
        note="Tokens by day: read anew, read from the provider's cache, written."
        file="tokens-by-day"
        columns={['Day', 'Input', 'Of this cached', 'Output']}
        rows={days.map(({ day, tokens }) => [day, tokens.input, tokens.cacheRead, tokens.output])}
        empty={totals.tokens.input === 0 ? 'No review in this range asked a model.' : null}
      >
        <OverTime
          title="Tokens"
          days={names}
          kind="bars"
          format={formatShort}
          series={[
            {
              title: 'input',
              look: 'series-1',
              values: days.map(({ tokens }) => tokens.input - tokens.cacheRead),
            },
            {
              title: 'input from the cache',
              look: 'series-2',
              values: days.map(({ tokens }) => tokens.cacheRead),
            },
            { title: 'output', look: 'series-3', values: days.map(({ tokens }) => tokens.output) },
          ]}
        />
      </Chart>
      <Chart
        title="Cache share"
        note="Share of calls that were answered from the record of an earlier run, by day."
        file="cache-share-by-day"
        columns={['Day', 'Calls', 'From the record']}
        rows={days.map(({ day, calls, cachedCalls }) => [day, calls, cachedCalls])}
        empty={totals.calls === 0 ? 'No review in this range asked a model.' : null}
      >
        <OverTime
          title="Cache share"
          days={names}
          kind="lines"
          format={formatShare}
          series={[
            {
              title: 'From the record',
              look: 'series-1',
              values: days.map(({ calls, cachedCalls }) => (calls > 0 ? cachedCalls / calls : null)),
            },
          ]}
        />
      </Chart>
    </div>
  )
}

function Outcomes({ data }: { data: Data }) {
  const place = usePlace()
  const by = place.query.get('outcomes') ?? 'plane'
  const rows = data.outcomes.filter((each) => each.by === by || each.by === 'all')
  const decided = rows.flatMap(({ name, by: kind, precision, tally }) =>
    precision
      ? [{ name: kind === 'all' ? 'all findings' : name, ...precision, decided: tally.right + tally.wrong }]
      : [],
  )
  return (
    <Chart
      title="Precision by outcome"
      note="Of the findings that people decided on, the share that was right, with its 95 % interval."
      file={`outcomes-by-${by}`}
      columns={['Name', 'Right', 'Wrong', 'Unimportant', 'Undecided', 'Precision', 'Addressed', 'Dismissed']}
      rows={rows.map(({ name, by: kind, tally, precision, addressed, dismissed }) => [
        kind === 'all' ? 'all findings' : name,
        tally.right,
        tally.wrong,
        tally.unimportant,
        tally.undecided,
        precision?.share ?? null,
        addressed,
        dismissed,
      ])}
      empty={
        decided.length === 0
          ? 'No finding was fixed or dismissed yet: fix one, or dismiss one with `sightline dismiss` or a reply on the host.'
          : null
      }
    >
      <GroupChoice name="outcomes" chosen={by} options={['plane', 'rule', 'repository', 'model']} />
      <Intervals
        rows={decided.map(({ name, share, low, high, decided: count }) => ({
          name,
          share,
          low,
          high,
          label: `${formatShare(share)} of ${count}`,
        }))}
      />
    </Chart>
  )
}

function FindingsBy({ data }: { data: Data }) {
  const place = usePlace()
  const by = place.query.get('findings') ?? 'plane'
  const rows = data.findings.filter((each) => each.by === by)
  const sum = (row: Data['findings'][number]) =>
    severityOrder.reduce((total, severity) => total + row[severity], 0)
  return (
    <Chart
      title="Findings by origin"
      note="Published findings over the whole range, by severity."
      file={`findings-by-${by}`}
      columns={['Name', ...severityOrder]}
      rows={rows.map((row) => [row.name, ...severityOrder.map((severity) => row[severity])])}
      empty={data.findings.length === 0 ? 'No findings in this range.' : null}
    >
      <GroupChoice name="findings" chosen={by} options={['plane', 'rule', 'repository']} />
      <ByName
        max={Math.max(...rows.map(sum), 1)}
        rows={rows.map((row) => ({
          name: row.name,
          parts: severityOrder.map((severity) => ({ look: `fill-${severity}`, value: row[severity] })),
          label: countOf(sum(row), 'finding'),
        }))}
      />
    </Chart>
  )
}

function GroupChoice({
  name,
  chosen,
  options,
}: {
  name: string
  chosen: string
  options: readonly string[]
}) {
  const place = usePlace()
  return (
    <nav className="choices" aria-label={`Group ${name}`}>
      {options.map((option) => (
        <Link
          key={option}
          to={withQuery(place, { [name]: option })}
          aria-current={option === chosen ? 'true' : undefined}
        >
          by {option}
        </Link>
      ))}
    </nav>
  )
}
