/** `sightline index`: builds or refreshes the index that questions about code are answered from. */
import { count } from '../../base/count.ts'
import { exitCodes, UserError } from '../../base/errors.ts'
import type { Garbage, IndexReport, IndexStatus } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { repositoryOption } from '../input/common-options.ts'
import { flag, text } from '../input/options.ts'
import { lines } from '../questions/describe.ts'
import { pathIn, servicesIn } from '../shell.ts'
import { inBackground } from '../supervision/background-index.ts'
import type { Terminal } from '../terminal.ts'
import { printAnswer } from '../terminal.ts'

export const index = defineCommand({
  name: 'index',
  summary: 'Build or update the code index.',
  operand: null,
  options: {
    at: text('REF', 'Commit to index. Default: HEAD.'),
    status: flag('Show how much of the commit is indexed; index nothing.'),
    'collect-garbage': flag('Delete index files of all repositories that were not used for 30 days.'),
    background: flag('Run at low priority. Do nothing while another background run is active.'),
    json: flag('Print JSON.'),
    repo: repositoryOption,
  },
  examples: [
    'sightline index  # later runs only read new files',
    'sightline index --at v1.0 --status  # how much of this tag is indexed',
  ],
  async run({ values, terminal, shell, signal }) {
    const collects = values['collect-garbage']
    if (collects && (values.status || values.at !== undefined || values.repo !== undefined))
      throw new UserError(
        'usage',
        '--collect-garbage covers all repositories and cannot be combined with --at, --status or --repo.',
      )
    // Not through the library's entry point, which loads what only reviews need.
    const { collectIndexGarbage, indexCode, readIndexStatus } = await import(
      '../../assembly/code-questions.ts'
    )
    const { defaultCacheFolder } = await import('../../assembly/services.ts')
    const print = async <Report>(report: Report, describe: (report: Report) => string): Promise<number> => {
      await printAnswer(terminal, values.json, report, describe)
      return exitCodes.clean
    }
    if (collects) return print(collectIndexGarbage(defaultCacheFolder(shell.environment)), describeGarbage)
    const folder = pathIn(shell, values.repo ?? '')
    const options = { ...servicesIn(shell), folder, at: { ref: values.at ?? 'HEAD' }, signal }
    if (values.status) return print(await readIndexStatus(options), describeStatus)
    const build = () => indexCode(options, showProgress(terminal))
    if (!values.background) return print(await build(), describeIndex)
    const report = await inBackground(defaultCacheFolder(shell.environment), build)
    if (report) return print(report, describeIndex)
    terminal.note('sightline: another background run is active; nothing was indexed\n')
    return exitCodes.clean
  },
})

/** One line that is drawn again and again, where that can be seen. */
function showProgress(terminal: Terminal): (done: number, total: number) => void {
  return (done, total) => {
    if (terminal.animated)
      terminal.note(`\r${done} of ${count(total, 'file')} read${done === total ? '\n' : ''}`)
  }
}

/** Lines of a list shown in full; the rest is counted, and --json has it. */
const mostShown = 20

function describeIndex(report: IndexReport): string {
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
    ...listed('Damaged and rebuilt', report.damaged),
    `${count(report.reused, 'file was', 'files were')} already indexed, ${report.read} ${report.read === 1 ? 'was' : 'were'} read`,
    ...(report.notKept === null
      ? [`${size(report.diskBytes)} on disk in ${count(report.segments, 'segment')}`]
      : [`In memory only: ${report.notKept}`]),
    ...(report.search ? [describeSearch(report.search)] : []),
    ...(report.factsNotKept === null ? [] : [`Facts of files are in memory only: ${report.factsNotKept}`]),
    `${Math.round(totalMs)} ms: listing ${Math.round(listMs)}, reading ${Math.round(readMs)}, writing ${Math.round(writeMs)}${report.search ? `, search index ${Math.round(report.search.ms)}` : ''}`,
  ])
}

function describeSearch({ chunks, diskBytes, notKept }: NonNullable<IndexReport['search']>): string {
  const where = notKept === null ? `${size(diskBytes)} on disk` : `in memory only: ${notKept}`
  return `Search index: ${count(chunks, 'chunk')}, ${where}`
}

function describeStatus({ state, missing, report }: IndexStatus): string {
  if (report && state === 'partial')
    return lines(['Indexed for questions, but not for search; run `sightline index`.'])
  if (report) return `Indexed.\n${describeIndex(report)}`
  const have = state === 'none' ? 'Not indexed' : 'Indexed in part'
  return lines([
    `${have}: ${count(missing.files, 'file')}, ${size(missing.bytes)}, ${missing.files === 1 ? 'is' : 'are'} not indexed; run \`sightline index\`.`,
  ])
}

function describeGarbage({ removedFiles, removedBytes, keptFiles, keptBytes }: Garbage): string {
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
