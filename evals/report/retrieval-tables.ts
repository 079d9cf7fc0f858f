/** What an evaluation of retrieval says: ours beside the others, and for which kinds of cases it holds. */
import { count } from '../base/text.ts'
import { intervalOf } from '../scores/bootstrap.ts'
import type { CaseScore, ScoreSheet } from '../scores/case-score.ts'
import { aheadOf, budgetNames, bundleNames, retrievalMetric } from '../scores/retrieval-metrics.ts'
import { formatDifference, formatInterval, formatScore } from './numbers.ts'
import type { Table } from './table.ts'

export function retrievalTables({ scores }: ScoreSheet): Table[] {
  const counted = scores.filter(({ retrieval }) => retrieval && retrieval.needed > 0)
  const failed = scores.filter(({ reviewed }) => !reviewed).length
  const units = counted.reduce((sum, { retrieval }) => sum + (retrieval?.needed ?? 0), 0)
  return [
    {
      title: 'Needed code in the bundle',
      note: `${count(scores.length, 'change')}${failed > 0 ? `, ${failed} of which could not be measured` : ''}; ${counted.length} need something besides their diff, ${units} units in all. The mean share of a change's units that is held within so many tokens, with the 95 % interval.`,
      head: ['Bundle', ...budgetNames],
      rows: bundleNames.map((bundle) => [
        bundle,
        ...budgetNames.map((_, at) => {
          const metric = retrievalMetric(bundle, at)
          const interval = formatInterval(intervalOf(metric, counted), 'share')
          return `${formatScore(metric.of(counted), 'share')} (${interval})`
        }),
      ]),
    },
    {
      title: 'Ours against each other one',
      note: 'Differences over the same changes; a star marks more than the choice of cases explains.',
      head: ['Than', ...budgetNames],
      rows: bundleNames
        .slice(1)
        .map((bundle) => [bundle, ...budgetNames.map((_, at) => formatAhead(bundle, at, counted))]),
    },
    byTable('source', counted),
    byTable('language', counted),
  ].filter(({ rows }) => rows.length > 0)
}

function formatAhead(bundle: string, at: number, scores: readonly CaseScore[]): string {
  const metric = aheadOf(bundle, at)
  const interval = intervalOf(metric, scores)
  const sure = interval !== null && (interval.low > 0 || interval.high < 0)
  return `${formatDifference(metric.of(scores), 'share')}${sure ? ' *' : ''}`
}

/** Ours alone, apart for each value. */
function byTable(by: 'source' | 'language', scores: readonly CaseScore[]): Table {
  const groups = [...Map.groupBy(scores, (one) => one[by] ?? 'not given')]
  const rows = groups
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([value, some]) => [
      value,
      String(some.length),
      ...budgetNames.map((_, at) => formatScore(retrievalMetric('ours', at).of(some), 'share')),
    ])
  const head = ['Changes', 'Counted', ...budgetNames]
  return { title: `Ours by ${by}`, note: '', head, rows: rows.length < 2 ? [] : rows }
}
