/** Scores of retrieval: the mean share of what must be seen that a bundle holds, each case counting alike. */
import type { CaseScore } from './case-score.ts'
import type { Metric } from './metrics.ts'

/** Bundles that are held to each other, ours first, and the budgets in thousands of tokens. */
export const bundleNames = [
  'ours',
  'whole changed files',
  'grep of identifiers',
  'BM25 alone',
  'map by PageRank',
] as const
export const budgetNames = ['4 K', '8 K', '16 K', '32 K'] as const

/** The share by one bundle within one budget; cases that need nothing, or could not be measured, do not count. */
export function retrievalMetric(bundle: string, at: number): Metric {
  const size = budgetNames[at] ?? ''
  return {
    name: `retrieval-${bundle.replaceAll(' ', '-').toLowerCase()}-${size.replace(' ', '').toLowerCase()}`,
    title: `${bundle === 'ours' ? 'Needed code in the bundle' : `… ${bundle}`}, ${size}`,
    unit: 'share',
    better: bundle === 'ours' ? 'higher' : null,
    of: (cases) => meanShare(cases, ({ held }) => held[bundle]?.[at] ?? 0),
  }
}

/** How much more of it ours holds than another bundle: drawn over cases, a paired difference. */
export function aheadOf(bundle: string, at: number): Metric {
  return {
    ...retrievalMetric(bundle, at),
    of: (cases) => meanShare(cases, ({ held }) => (held.ours?.[at] ?? 0) - (held[bundle]?.[at] ?? 0)),
  }
}

export const retrievalMetrics: readonly Metric[] = [
  ...bundleNames.flatMap((bundle) => budgetNames.map((_, at) => retrievalMetric(bundle, at))),
  {
    name: 'retrieval-measured',
    title: 'Cases measured',
    unit: 'share',
    better: 'higher',
    of: (cases) =>
      cases.length === 0 ? null : cases.filter(({ reviewed }) => reviewed).length / cases.length,
  },
]

type Retrieval = NonNullable<CaseScore['retrieval']>

function meanShare(cases: readonly CaseScore[], units: (retrieval: Retrieval) => number): number | null {
  let [counted, sum] = [0, 0]
  for (const { retrieval } of cases) {
    if (!retrieval || retrieval.needed <= 0) continue
    counted++
    sum += units(retrieval) / retrieval.needed
  }
  return counted === 0 ? null : sum / counted
}
