/** What each part is worth: the same set with one part left out at a time, each an evaluation in a folder of its own. */
import { join } from 'node:path'
import type { ContextSection } from '../../src/index.ts'
import type { EvalCase } from '../cases/eval-case.ts'
import { compareSheets } from '../compare/compare-sheets.ts'
import { formatDifference, formatScore } from '../report/numbers.ts'
import type { Table } from '../report/table.ts'
import type { Reviewer } from '../run/reviewer.ts'
import { beginRunFolder, type RunFolder } from '../run/run-folder.ts'
import { type RunSetOptions, runSet } from '../run/run-set.ts'
import type { EvalSettings } from '../run/settings.ts'
import { metricNamed } from '../scores/metrics.ts'
import { scoreRun } from '../scores/score-run.ts'

/** A part that can be left out, and how. */
export type Variant = { name: string; settings: EvalSettings }

export type AblateOptions = Omit<RunSetOptions, 'run' | 'reviewer'> & {
  /** Holds one folder for each variant. */
  folder: string
  set: string
  cases: readonly EvalCase[]
  variants: readonly Variant[]
  reviewerOf: (settings: EvalSettings) => Reviewer
}

/** What is left out one at a time. */
export type Parts = {
  planes: readonly string[]
  sections: readonly ContextSection[]
  /** Checks of validation. A model is asked the same without one, so that its answers come from the record. */
  checks: readonly string[]
}

/** One variant with everything, and one without each part. */
export function withoutEach(settings: EvalSettings, { planes, sections, checks }: Parts): Variant[] {
  const { skipPlanes, withoutSections, withoutChecks } = settings
  const without = (kind: string, part: string, changed: Partial<EvalSettings>): Variant => ({
    name: `without-${kind}${part.replaceAll(' ', '-')}`,
    settings: { ...settings, ...changed },
  })
  return [
    { name: 'everything', settings },
    ...planes.map((part) => without('', part, { skipPlanes: [...skipPlanes, part] })),
    ...sections.map((part) => without('section-', part, { withoutSections: [...withoutSections, part] })),
    ...checks.map((part) => without('check-', part, { withoutChecks: [...withoutChecks, part] })),
  ]
}

/** Runs what was not run yet. The first variant is what the others are held to. */
export async function ablate({
  folder,
  set,
  cases,
  variants,
  reviewerOf,
  ...rest
}: AblateOptions): Promise<Table> {
  const runs: { name: string; run: RunFolder }[] = []
  for (const { name, settings } of variants) {
    const run = beginRunFolder(join(folder, name), set, cases, settings)
    await runSet({ ...rest, run, reviewer: reviewerOf(settings) })
    runs.push({ name, run })
  }
  return matrixOf(runs)
}

const columns = ['recall', 'recall-random', 'precision', 'noise', 'noisy'].map(metricNamed)

/** One row for each variant; what differs from the first by more than chance is marked with a star. */
export function matrixOf(runs: readonly { name: string; run: RunFolder }[]): Table {
  const sheets = runs.map(({ name, run }) => ({ name, sheet: scoreRun(run) }))
  const [first] = sheets
  const rows = sheets.map(({ name, sheet }) => {
    const differences = first ? compareSheets(first.sheet, sheet).differences : []
    return [
      name,
      ...columns.map((metric) => {
        const value = metric.of(sheet.scores)
        const difference = differences.find((one) => one.metric.name === metric.name)
        if (sheet === first?.sheet || !difference || difference.a === null || value === null)
          return formatScore(value, metric.unit)
        const change = formatDifference(value - difference.a, metric.unit)
        return `${formatScore(value, metric.unit)} (${change}${difference.word === 'even' ? '' : ' *'})`
      }),
    ]
  })
  return {
    title: 'Ablation',
    note: 'In brackets the difference to the first row; a star marks more than the choice of cases explains.',
    head: ['Variant', ...columns.map(({ title }) => title)],
    rows,
  }
}
