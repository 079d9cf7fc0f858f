/** The results as tables of Markdown, by language, with Wilson's intervals at 95 %. */
import { wilson } from '../../src/ledger/outcomes.ts'
import type { DefinitionCounts } from './accuracy-definitions.ts'
import type { ExportCounts } from './accuracy-exports.ts'
import type { ReferenceCounts } from './accuracy-references.ts'

type Part = { found: number; all: number }

export type Report = {
  repository: string
  commit: string
  languages: Record<
    string,
    {
      tags: Record<string, Part>
      server: {
        source: string
        definitions: Omit<DefinitionCounts, 'misses' | 'extras'>
        references: Omit<ReferenceCounts, 'misses' | 'wrongs'>
        exports: Omit<ExportCounts, 'disagreements'> & { differ: number }
      } | null
    }
  >
  /** Conclusive answers by language and question. */
  conclusive: Record<string, number>
  /** What speaks against them and was not explained. */
  contradictions: number
  /** By language, question and cause. */
  causes: Record<string, number>
}

/** Prints and returns the contradictions. */
export function printTables(reports: readonly Report[], seed: number): number {
  console.log(
    `\nSeed ${seed}: ${reports.map(({ repository, commit }) => `${repository} ${commit}`).join(', ')}\n`,
  )
  printLanguages(reports)
  printCounts('Conclusive answers', reports, 'conclusive')
  printCounts('Where other occurrences are', reports, 'causes')
  const open = reports.reduce((sum, one) => sum + one.contradictions, 0)
  const all = reports.reduce((sum, one) => sum + sumOf(Object.values(one.conclusive)), 0)
  console.log(`\n${all} conclusive answers, ${open} occurrences to be read`)
  return open
}

function printLanguages(reports: readonly Report[]): void {
  console.log(
    '| Language | Repositories | Server | ctags: functions, types | Definitions: recall | References: precision | recall | Callers: precision | recall | Exports: agreed | differ |',
  )
  console.log('|---|---:|---|---|---|---|---|---|---|---|---:|')
  const families = [...new Set(reports.flatMap((one) => Object.keys(one.languages)))].sort()
  for (const family of families) {
    const rows = reports.flatMap((one) => one.languages[family] ?? [])
    const served = rows.flatMap(({ server }) => server ?? [])
    const tags = rows.flatMap((row) =>
      Object.entries(row.tags).flatMap(([group, part]) => (group === 'macros' ? [] : [part])),
    )
    const hows = served.flatMap(({ references }) => Object.values(references.byHow))
    const right = sumOf(hows.map((how) => how.right))
    const judged = right + sumOf(hows.map((how) => how.wrong))
    const callers = served.map(({ references }) => references.callers)
    const exported = served.map(({ exports }) => exports)
    const agreed = sumOf(exported.map(({ there, absent }) => there + absent))
    const differ = sumOf(exported.map((one) => one.differ))
    const cells = [
      family,
      rows.length,
      [...new Set(served.map(({ source }) => source))].join(', ') || '–',
      ofParts(tags),
      ofParts(served.flatMap(({ definitions }) => Object.values(definitions.recall))),
      share(right, judged),
      share(
        sumOf(served.map((one) => one.references.found)),
        sumOf(served.map((one) => one.references.uses)),
      ),
      share(sumOf(callers.map((one) => one.right)), sumOf(callers.map((one) => one.judged))),
      share(sumOf(callers.map((one) => one.found)), sumOf(callers.map((one) => one.all))),
      agreed + differ === 0 ? '–' : share(agreed, agreed + differ),
      differ,
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}

function printCounts(title: string, reports: readonly Report[], field: 'conclusive' | 'causes'): void {
  const counts = new Map<string, number>()
  for (const one of reports)
    for (const [name, many] of Object.entries(one[field])) counts.set(name, (counts.get(name) ?? 0) + many)
  console.log(`\n${title}:`)
  for (const [name, many] of [...counts].sort()) console.log(`  ${many}  ${name}`)
}

function ofParts(parts: readonly Part[]): string {
  return share(sumOf(parts.map(({ found }) => found)), sumOf(parts.map(({ all }) => all)))
}

/** `0.987 (0.981–0.992, 1480 of 1500)` */
function share(part: number, whole: number): string {
  if (whole === 0) return '–'
  const { low, high } = wilson(part, whole)
  const cut = (value: number) => (Math.floor(value * 1000) / 1000).toFixed(3)
  return `${cut(part / whole)} (${cut(low)}–${cut(high)}, ${part} of ${whole})`
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}
