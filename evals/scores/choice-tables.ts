/** How well the choice of findings fits what judges said: of rows that their model has not seen. */
import type { JudgedFinding } from '../desk/judged-findings.ts'
import type { Table } from '../report/table.ts'
import { calibrationError, type HeldOut, type LogisticModel, reliabilityOf } from './logistic.ts'

/** What sense demands whatever a few cases show. */
const raising = [
  'medium',
  'high',
  'critical',
  'capped',
  'loweredByCheck',
  'likely',
  'certain',
  'confirmed',
  'upheld',
  'ratedMedium',
  'ratedHigh',
]
const lowering = ['contested']
export const senses: Readonly<Record<string, 'raises' | 'lowers'>> = Object.fromEntries([
  ...raising.map((name) => [name, 'raises'] as const),
  ...lowering.map((name) => [name, 'lowers'] as const),
])

/** What was believed before any judgement, and is given up as far as judgements show otherwise. */
export const believed: LogisticModel = {
  start: -2,
  weights: {
    medium: 2,
    high: 2,
    critical: 0.5,
    capped: 1,
    loweredByCheck: 0.5,
    likely: 0.5,
    certain: 0.6,
    byCode: 0.6,
    confirmed: 0.8,
    upheld: 0.5,
    unjudged: 0.8,
    ratedMedium: 0.5,
    ratedHigh: 0.5,
    security: 0.5,
    tests: 0,
    contested: -1.5,
  },
}

const share = (part: number, whole: number) =>
  whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)} % (${part} of ${whole})`

/** `held`: in the order of the groups, not of `all`. */
export function choiceTables(
  all: readonly JudgedFinding[],
  held: readonly HeldOut[],
  model: LogisticModel,
): Table[] {
  const important = held.filter(({ isImportant }) => isImportant).length
  const lines = [0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.7, 0.8, 0.85, 0.9].map((line) => {
    const shown = held.filter(({ chance }) => chance >= line)
    const hits = shown.filter(({ isImportant }) => isImportant).length
    return [line.toFixed(2), String(shown.length), share(hits, shown.length), share(hits, important)]
  })
  return [
    {
      title: 'Judged findings',
      note: '',
      head: ['Severity', 'Findings', 'Important', 'False'],
      rows: ['critical', 'high', 'medium', 'low'].map((severity) => {
        const own = all.filter((one) => one.severity === severity)
        const number = (truth: string) => own.filter((one) => one.truth === truth).length
        return [severity, String(own.length), share(number('important'), own.length), String(number('false'))]
      }),
    },
    {
      title: 'Said and seen, by models that had not seen the repository',
      note: `Expected calibration error ${calibrationError(held).toFixed(3)} over ${held.length} findings.`,
      head: ['Chance', 'Findings', 'Said', 'Important'],
      rows: reliabilityOf(held).map(({ from, to, rows, said, seen }) => [
        ...[`${from.toFixed(1)} to ${to.toFixed(1)}`, String(rows), said.toFixed(2), seen.toFixed(2)],
      ]),
    },
    {
      title: 'Where the line is drawn',
      note: 'By the same models.',
      head: ['In full from', 'In full', 'Important of these', 'Of all important'],
      rows: lines,
    },
    {
      title: 'Weights',
      note: `Start ${model.start}.`,
      head: ['What is true of it', 'Findings', 'Weight'],
      rows: Object.entries(model.weights).map(([name, weight]) => [
        ...[name, String(all.filter(({ features }) => features.includes(name)).length), weight.toFixed(2)],
      ]),
    },
  ]
}
