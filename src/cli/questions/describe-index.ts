/** Reports of the index in lines for people. Paths in it are foreign, so every line is made visible. */
import { count } from '../../base/count.ts'
import type { Garbage, IndexReport, IndexStatus } from '../../index.ts'
import { lines } from './describe.ts'

/** Lines of a list shown in full; the rest is counted, and --json has it. */
const mostShown = 20

export function describeIndex(report: IndexReport): string {
  const { listMs, readMs, writeMs, totalMs } = report.times
  return lines([
    `${count(report.files, 'file')}: ${report.indexed} indexed, ${report.textOnly} text only, ${report.notText} no text`,
    ...report.languages.map(
      ({ language, files, bytes, symbols, references }) =>
        `  ${language}  ${count(files, 'file')}, ${size(bytes)}, ${count(symbols, 'symbol')}, ${count(references, 'reference')}`,
    ),
    `${size(report.bytes)} of code, ${count(report.symbols, 'symbol')}, ${count(report.references, 'reference')}`,
    ...listed(
      'Could not be parsed',
      report.failures.map(({ path, reason }) => `${path}: ${reason}`),
    ),
    ...listed('Not in this clone', report.absent),
    ...listed('Damaged, and rebuilt', report.damaged),
    `${count(report.reused, 'file was', 'files were')} known, ${report.read} ${report.read === 1 ? 'was' : 'were'} read`,
    ...(report.notKept === null
      ? [`${size(report.diskBytes)} on disk in ${report.segments} segments`]
      : [`In memory only: ${report.notKept}`]),
    ...(report.factsNotKept === null ? [] : [`Facts of files are in memory only: ${report.factsNotKept}`]),
    `${Math.round(totalMs)} ms: listing ${Math.round(listMs)}, reading ${Math.round(readMs)}, writing ${Math.round(writeMs)}`,
  ])
}

export function describeStatus({ state, missing, report }: IndexStatus): string {
  if (report) return `Indexed.\n${describeIndex(report)}`
  const have = state === 'none' ? 'Not indexed' : 'Indexed in part'
  return lines([
    `${have}: ${count(missing.files, 'file')}, ${size(missing.bytes)}, ${missing.files === 1 ? 'is' : 'are'} to be read; \`sightline index\` does it.`,
  ])
}

export function describeGarbage({ removedFiles, removedBytes, keptFiles, keptBytes }: Garbage): string {
  return lines([
    `Removed ${count(removedFiles, 'file')}, ${size(removedBytes)}; kept ${keptFiles}, ${size(keptBytes)}.`,
  ])
}

function listed(heading: string, all: readonly string[]): string[] {
  if (all.length === 0) return []
  const more = all.length > mostShown ? [`  … and ${all.length - mostShown} more; --json has all.`] : []
  return [`${heading} (${all.length}):`, ...all.slice(0, mostShown).map((line) => `  ${line}`), ...more]
}

function size(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
