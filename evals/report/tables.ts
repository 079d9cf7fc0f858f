/** What a report says, as tables of words: Markdown and HTML write the same ones. */
import { count as counted } from '../base/text.ts'
import type { Comparison } from '../compare/compare-sheets.ts'
import { intervalOf } from '../scores/bootstrap.ts'
import { breakDown, breakdowns } from '../scores/breakdown.ts'
import { calibrate } from '../scores/calibration.ts'
import type { CaseScore, ScoreSheet } from '../scores/case-score.ts'
import { countContests } from '../scores/contested-checks.ts'
import { measuresRetrieval } from '../scores/metric-families.ts'
import { findingsOf, metrics } from '../scores/metrics.ts'
import { formatDifference, formatInterval, formatScore } from './numbers.ts'
import { retrievalTables } from './retrieval-tables.ts'
import type { Table } from './table.ts'

/** The main table first. Scores that nothing was counted for are left out. */
export function tablesOf(sheet: ScoreSheet): Table[] {
  if (measuresRetrieval(sheet.scores)) return retrievalTables(sheet)
  return [
    scoresTable(sheet),
    ...breakdownTables(sheet.scores),
    planesTable(sheet.scores),
    contestedTable(sheet.scores),
    calibrationTable(sheet.scores),
  ].filter(({ rows }) => rows.length > 0)
}

function scoresTable({ scores, tolerance }: ScoreSheet): Table {
  const count = (kind: CaseScore['kind']) => scores.filter((one) => one.kind === kind).length
  const failed = scores.filter(({ reviewed }) => !reviewed).length
  const faults = scores.reduce((sum, one) => sum + one.faults.length, 0)
  const rows = metrics.flatMap((metric) => {
    const value = metric.of(scores)
    if (value === null) return []
    return [
      [
        metric.title,
        formatScore(value, metric.unit),
        formatInterval(intervalOf(metric, scores), metric.unit),
      ],
    ]
  })
  return {
    title: 'Scores',
    note: `${counted(count('fault'), 'change')} with ${counted(faults, 'known fault')}, ${counted(count('clean'), 'clean change')}${failed > 0 ? `, ${failed} of which could not be reviewed` : ''}; a finding counts within ${tolerance} lines.`,
    head: ['Score', 'Value', '95 % interval'],
    rows,
  }
}

function breakdownTables(scores: readonly CaseScore[]): Table[] {
  return breakdowns.flatMap((by) => {
    const rows = breakDown(scores, by)
    if (rows.length < 2) return []
    const judged = rows.some(({ named }) => named !== null)
    return [
      {
        title: `Faults by ${by === 'context' ? 'what one must see' : by}`,
        note: '',
        head: ['Faults', 'Known', 'Hit', 'Random lines', ...(judged ? ['Named'] : [])],
        rows: rows.map(({ value, faults, hit, random, named }) => [
          value,
          String(faults),
          `${hit} (${formatScore(hit / faults, 'share')})`,
          random.toFixed(1),
          ...(judged ? [named === null ? '–' : String(named)] : []),
        ]),
      },
    ]
  })
}

/** Checks that reviewing models call wrong: where many are dropped or open, the rule is at fault. */
function contestedTable(scores: readonly CaseScore[]): Table {
  return {
    title: 'Contested findings of checks',
    note: '',
    head: ['Rule', 'Dropped', 'Open', 'Rejected', 'Unfounded'],
    rows: countContests(scores).map(({ rule, dropped, open, rejected, unfounded }) => [
      rule,
      ...[dropped, open, rejected, unfounded].map(String),
    ]),
  }
}

function planesTable(scores: readonly CaseScore[]): Table {
  const planes = [...new Set(findingsOf(scores).map(({ plane }) => plane))].sort()
  const of = (plane: string, kind: CaseScore['kind']) =>
    findingsOf(scores.filter((one) => one.kind === kind)).filter((one) => one.plane === plane)
  return {
    title: 'Findings by plane',
    note: '',
    head: ['Plane', 'On changes with a fault', 'Of these on a listed fault', 'On clean changes'],
    rows: planes.map((plane) => {
      const found = of(plane, 'fault')
      return [
        plane,
        String(found.length),
        String(found.filter(({ correct }) => correct).length),
        String(of(plane, 'clean').length),
      ]
    }),
  }
}

function calibrationTable(scores: readonly CaseScore[]): Table {
  const { rows, expectedError, brier } = calibrate(scores)
  if (expectedError === null || brier === null) return { title: '', note: '', head: [], rows: [] }
  return {
    title: 'Confidence held to truth',
    note: `Expected calibration error ${formatScore(expectedError, 'share')}, Brier score ${brier.toFixed(3)}. Lists of faults are never whole, so a finding outside of them counts as wrong here and may be right.`,
    head: ['Confidence', 'Claims', 'Findings', 'Right'],
    rows: rows.map(({ level, claimed, findings, correct }) => [
      level,
      formatScore(claimed, 'share'),
      String(findings),
      findings === 0 ? '–' : `${correct} (${formatScore(correct / findings, 'share')})`,
    ]),
  }
}

export function comparisonTable({ pairs, onlyA, onlyB, differences, gained, lost }: Comparison): Table {
  const rows = differences.flatMap(({ metric, a, b, interval, word }) =>
    a === null && b === null
      ? []
      : [
          [
            metric.title,
            formatScore(a, metric.unit),
            formatScore(b, metric.unit),
            formatDifference(a === null || b === null ? null : b - a, metric.unit),
            interval
              ? `${formatDifference(interval.low, metric.unit)} … ${formatDifference(interval.high, metric.unit)}`
              : '–',
            word,
          ],
        ],
  )
  return {
    title: 'Comparison',
    note: `${counted(pairs, 'case')} in both, ${onlyA} only in the first, ${onlyB} only in the second; faults hit anew in ${gained.length}, no longer in ${lost.length}.`,
    head: ['Score', 'First', 'Second', 'Difference', '95 % interval', ''],
    rows,
  }
}
