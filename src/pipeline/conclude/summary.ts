/** The facts of a review in at most eight lines. Nothing in it is an opinion. */
import type { FileChange } from '../../domain/change-set.ts'
import type { SymbolChange } from '../../domain/code-symbol.ts'
import type { Coverage } from '../../domain/coverage.ts'
import type { Verdict } from '../../domain/finding.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import { severities } from '../../domain/severity.ts'
import { describeGaps } from './verdict.ts'
import { count, list } from './words.ts'

export function summarise(context: ReviewContext, verdicts: readonly Verdict[], coverage: Coverage): string {
  const { files, overflow } = context.change
  return [
    describeFiles(files, overflow.length),
    describeSymbols(context.symbols),
    describeTests(context),
    describeFindings(verdicts),
    describePlanes(coverage),
    coverage.complete ? '' : `${capital(describeGaps(coverage))}.`,
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

const symbolWords: Record<SymbolChange['kind'], string> = {
  added: 'added',
  removed: 'removed',
  renamed: 'renamed',
  moved: 'moved',
  'signature-changed': 'with another signature',
  'body-changed': 'with another body only',
}

function describeSymbols(changes: readonly SymbolChange[]): string {
  const parts = Object.entries(symbolWords).flatMap(([kind, words]) => {
    const number = changes.filter((change) => change.kind === kind).length
    return number > 0 ? [`${number} ${words}`] : []
  })
  return parts.length > 0 ? `Symbols: ${parts.join(', ')}.` : 'No symbol of an indexed language changed.'
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
  return `Test files that name what changed: ${[...named, ...more].join(', ')}; ${outcome}.`
}

function describeFindings(verdicts: readonly Verdict[]): string {
  const findings = verdicts.flatMap(({ finding }) => finding ?? [])
  const parts = severities.flatMap((severity) => {
    const number = findings.filter((finding) => finding.severity === severity).length
    return number > 0 ? [`${number} ${severity}`] : []
  })
  const dropped = verdicts.length - findings.length
  const found = parts.length > 0 ? `Findings: ${parts.join(', ')}` : 'No finding stands'
  return dropped > 0
    ? `${found}; ${count(dropped, 'candidate')} of ${verdicts.length} ${dropped === 1 ? 'was' : 'were'} dropped by the checks.`
    : `${found}.`
}

function describePlanes({ planes }: Coverage): string {
  const named = (...states: string[]) =>
    planes.filter(({ state }) => states.includes(state)).map(({ plane }) => plane)
  const ran = named('ran', 'partly')
  const others = [
    ...named('failed').map((plane) => `${plane} failed`),
    ...named('skipped').map((plane) => `${plane} was skipped`),
  ]
  const first = ran.length > 0 ? `Planes that ran: ${ran.join(', ')}` : 'No plane ran'
  return `${[first, ...others].join('; ')}.`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
