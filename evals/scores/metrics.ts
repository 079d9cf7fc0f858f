/** The scores of an evaluation: each a function of the cases, so that any part of them can be scored alike. */
import type { CaseScore, FaultScore, FindingScore } from './case-score.ts'

export type Metric = {
  readonly name: string
  /** For the table. */
  readonly title: string
  readonly unit: 'share' | 'number' | 'usd' | 'seconds'
  readonly better: 'higher' | 'lower' | null
  /** Null when there is nothing to count. */
  of(cases: readonly CaseScore[]): number | null
}

const metric = (
  name: string,
  title: string,
  better: Metric['better'],
  of: Metric['of'],
  unit: Metric['unit'] = 'share',
): Metric => ({ name, title, unit, better, of })

export const metrics: readonly Metric[] = [
  metric('recall', 'Faults hit, by line', 'higher', (cases) => shareOf(placedFaults(cases), (f) => f.hit)),
  metric('recall-random', '… by as many random lines', null, (cases) =>
    meanOf(placedFaults(cases), (f) => f.byRandomLines),
  ),
  metric('recall-hunks', '… by as many of the largest hunks', null, (cases) =>
    shareOf(placedFaults(cases), (f) => f.byLargestHunks),
  ),
  metric('recall-category', 'Faults hit in their category', 'higher', (cases) =>
    shareOf(placedFaults(cases), (f) => f.hitInCategory),
  ),
  metric('recall-random-5', '… by five random lines', null, (cases) =>
    meanOf(placedFaults(cases), (f) => f.byFiveRandomLines),
  ),
  metric('recall-hunks-5', '… by the five largest hunks', null, (cases) =>
    shareOf(placedFaults(cases), (f) => f.byFiveLargestHunks),
  ),
  metric('cases-hit', 'Changes with a fault that was hit', 'higher', (cases) =>
    shareOf(faulty(cases), ({ faults }) => faults.some((f) => f.hit)),
  ),
  metric('precision', 'Findings on a listed fault', 'higher', (cases) =>
    shareOf(findingsOf(faulty(cases)), (f) => f.correct),
  ),
  metric('precision-augmented', 'The same, of findings that people judged', 'higher', (cases) =>
    shareOf(
      findingsOf(faulty(cases)).filter((f) => f.correct || f.rejected),
      (f) => f.correct,
    ),
  ),
  metric(
    'noise',
    'Findings on a clean change',
    'lower',
    (cases) => meanOf(clean(cases), (c) => c.findings.length),
    'number',
  ),
  metric('noisy', 'Clean changes with a finding', 'lower', (cases) =>
    shareOf(clean(cases), ({ findings }) => findings.length > 0),
  ),
  metric('anchor-on-diff', 'Findings whose lines are in the diff', 'higher', (cases) =>
    shareOf(findingsOf(cases), (f) => f.onDiff),
  ),
  metric('anchor-exact', 'Correct findings on the very lines', 'higher', (cases) =>
    shareOf(
      findingsOf(cases).filter((f) => f.correct),
      (f) => f.exact,
    ),
  ),
  metric('evidence', 'Citations that hold', 'higher', (cases) => {
    const all = findingsOf(cases)
    const citations = sum(all, (f) => f.citations)
    return citations === 0 ? null : sum(all, (f) => f.validCitations) / citations
  }),
  metric('evidence-some', 'Findings with a citation, all of which hold', 'higher', (cases) =>
    shareOf(findingsOf(cases), (f) => f.citations > 0 && f.citations === f.validCitations),
  ),
  metric('named', 'Faults named, by the judge', 'higher', (cases) =>
    shareOf(
      cases.flatMap(({ faults }) => faults).filter((f) => f.named !== null),
      (f) => f.named === true,
    ),
  ),
  metric(
    'precision-judged',
    'Findings that name a fault, by the judge, duplicates merged',
    'higher',
    (cases) =>
      shareOf(
        findingsOf(faulty(cases)).filter((f) => f.judged === 'fault' || f.judged === 'other'),
        (f) => f.judged === 'fault',
      ),
  ),
  metric('reviewed', 'Cases reviewed', 'higher', (cases) => shareOf(cases, (c) => c.reviewed)),
  metric('usd', 'US dollars a change', 'lower', (cases) => meanOf(reviewed(cases), (c) => c.usd), 'usd'),
  metric('tokens', 'Tokens a change', 'lower', (cases) => meanOf(reviewed(cases), (c) => c.tokens), 'number'),
  metric('calls', 'Calls a change', 'lower', (cases) => meanOf(reviewed(cases), (c) => c.calls), 'number'),
  metric(
    'seconds',
    'Seconds a change',
    'lower',
    (cases) => meanOf(reviewed(cases), (c) => c.seconds),
    'seconds',
  ),
]

/** Throws for a name that is none: our bug. */
export function metricNamed(name: string): Metric {
  const found = metrics.find((one) => one.name === name)
  if (!found) throw new Error(`No metric is named ${name}.`)
  return found
}

export function placedFaults(cases: readonly CaseScore[]): FaultScore[] {
  return cases.flatMap(({ faults }) => faults).filter(({ placed }) => placed)
}

export function findingsOf(cases: readonly CaseScore[]): FindingScore[] {
  return cases.flatMap(({ findings }) => findings)
}

const faulty = (cases: readonly CaseScore[]) => cases.filter(({ kind }) => kind === 'fault')
const clean = (cases: readonly CaseScore[]) =>
  cases.filter(({ kind, reviewed }) => kind === 'clean' && reviewed)
const reviewed = (cases: readonly CaseScore[]) => cases.filter((one) => one.reviewed)

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}

function meanOf<Item>(items: readonly Item[], of: (item: Item) => number): number | null {
  return items.length === 0 ? null : sum(items, of) / items.length
}

function shareOf<Item>(items: readonly Item[], holds: (item: Item) => boolean): number | null {
  return meanOf(items, (item) => (holds(item) ? 1 : 0))
}
