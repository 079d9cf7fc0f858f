/** Intent and risk of a change in at most six lines. Nothing in it is an opinion. */
import { countBeyond, type FileChange } from '../../domain/change-set.ts'
import type { Verdict } from '../../domain/finding.ts'
import type { PlaneSignal } from '../../domain/review.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import type { CriterionCheck } from '../../domain/ticket.ts'
import { describeAim, describeDoing } from './intent-words.ts'
import { describeRisk } from './risk-words.ts'
import { count, list } from './words.ts'

export type SummaryParts = {
  signals?: readonly PlaneSignal[]
  criteria?: readonly CriterionCheck[] | null
}

/** Each line is one sentence of its own, or of one kind; what has nothing to say is left out. */
export function summarise(
  context: ReviewContext,
  verdicts: readonly Verdict[],
  { signals = [], criteria = null }: SummaryParts = {},
): string {
  return [
    describeFiles(context.change.files, countBeyond(context.change)),
    describeDoing(context.symbols),
    describeAim(context, signals, criteria ?? []),
    describeRisk(context),
    describeTests(context),
    describeDropped(verdicts),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

const statusWords: Record<FileChange['status'], string> = {
  added: 'added',
  deleted: 'deleted',
  modified: 'modified',
  renamed: 'renamed',
  copied: 'copied',
  'type-changed': 'of another type',
}

function describeFiles(files: readonly FileChange[], overflow: number): string {
  if (files.length === 0 && overflow === 0) return 'The change is empty.'
  const byStatus = Object.entries(statusWords).flatMap(([status, words]) => {
    const number = files.filter((file) => file.status === status).length
    return number > 0 ? [`${number} ${words}`] : []
  })
  const sum = (key: 'added' | 'removed') => files.reduce((total, file) => total + file[key], 0)
  const tests = files.filter(({ role }) => role === 'test').length
  return `Changes ${count(files.length + overflow, 'file')} (${list(byStatus) || 'none read'}${tests > 0 ? `; ${tests} of them ${tests === 1 ? 'a test' : 'tests'}` : ''}): ${count(sum('added'), 'line')} added, ${sum('removed')} removed.`
}

const namedTests = 3

/** A fact, not a finding: most changes of behaviour need no change of a test, and a name is not yet a call. */
function describeTests({ tests }: ReviewContext): string {
  if (tests.length === 0) return ''
  const files = new Map(
    tests.flatMap((entry) => entry.tests.map((test) => [test.path, test.changed] as const)),
  )
  if (files.size === 0) return 'No test file names what changed.'
  const paths = [...files.keys()].sort()
  const changed = [...files.values()].filter((isChanged) => isChanged).length
  const named = paths.slice(0, namedTests).map((path) => `\`${path}\``)
  const more = paths.length > named.length ? [`${paths.length - named.length} more`] : []
  const outcome = changed === 0 ? 'none of them changed' : `${changed} of them changed`
  return `Tests that use the changed code: ${[...named, ...more].join(', ')}; ${outcome}.`
}

/** Findings themselves are counted in the first line of a report. */
function describeDropped(verdicts: readonly Verdict[]): string {
  const dropped = verdicts.filter(({ finding }) => finding === null).length
  if (dropped === 0) return ''
  return `${dropped} of ${count(verdicts.length, 'candidate')} ${dropped === 1 ? 'was' : 'were'} dropped by the checks.`
}
