/** What the run cost: by role, by group of files, by call. */
import { useResource } from '../../api/use-resource.ts'
import { Badge } from '../../parts/badges.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { formatCount, formatDuration, formatUsd } from '../../parts/format.ts'
import { Empty, When } from '../../parts/states.tsx'
import type { RunDetail } from './shared.ts'

export function Cost({ detail }: { detail: RunDetail }) {
  const loaded = useResource('/runs/{run}/cost', { parameters: { run: detail.row.run } })
  return (
    <When what="the cost" loaded={loaded}>
      {({ cost, calls, groups }) => {
        if (!cost || cost.calls === 0)
          return (
            <Empty title="This review cost nothing.">
              <p>No model was asked: all of it is the work of code on the machine that ran it.</p>
            </Empty>
          )
        return (
          <>
            <dl className="facts">
              <Figure title="Total">{formatUsd(cost.usd)}</Figure>
              <Figure title="Calls">{formatCount(cost.calls)}</Figure>
              <Figure title="Tokens in">{formatCount(cost.usage.input)}</Figure>
              <Figure title="of these cached">{formatCount(cost.usage.cacheRead)}</Figure>
              <Figure title="Tokens out">{formatCount(cost.usage.output)}</Figure>
              {cost.unpricedCalls > 0 && (
                <Figure title="Calls without a known price">{cost.unpricedCalls}</Figure>
              )}
            </dl>
            <DataTable
              title="By role"
              file={`${detail.row.run}-cost-by-role`}
              columns={['Role', 'Model', 'Calls', 'Tokens in', 'Cached', 'Tokens out', 'US dollars']}
              rows={cost.byRole.map((each) => [
                each.role,
                each.model,
                each.calls,
                each.usage.input,
                each.usage.cacheRead,
                each.usage.output,
                each.usd,
              ])}
              show={{ 6: (value) => formatUsd(value as number | null) }}
            />
            {groups.length > 0 && (
              <DataTable
                title="By group of files"
                file={`${detail.row.run}-cost-by-group`}
                columns={['Group', 'Files', 'Outcome', 'Findings', 'US dollars']}
                rows={groups.map((each) => [
                  each.address,
                  each.files.join(', '),
                  each.outcome,
                  each.findings,
                  each.usd,
                ])}
                show={{
                  1: (value) => <Foreign text={String(value)} cutAt={200} />,
                  2: (value) => <Badge tone={value === 'answered' ? 'good' : 'warn'}>{String(value)}</Badge>,
                  4: (value) => formatUsd(value as number | null),
                }}
              />
            )}
            <DataTable
              title="Calls"
              file={`${detail.row.run}-calls`}
              columns={[
                'Call',
                'Role',
                'Model',
                'Outcome',
                'Served',
                'Tokens in',
                'Cached',
                'Tokens out',
                'Milliseconds',
                'US dollars',
              ]}
              rows={calls.map((each) => [
                each.address,
                each.role,
                each.model,
                each.outcome,
                each.served,
                each.usage.input,
                each.usage.cacheRead,
                each.usage.output,
                Math.round(each.durationMs),
                each.usd,
              ])}
              show={{
                3: (value) => <Badge tone={value === 'answered' ? 'good' : 'warn'}>{String(value)}</Badge>,
                4: (value) => (value === 'record' ? 'from the record' : 'live'),
                8: (value) => formatDuration(value as number),
                9: (value) => formatUsd(value as number | null),
              }}
            />
          </>
        )
      }}
    </When>
  )
}

function Figure({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}
