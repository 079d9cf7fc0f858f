/** The rules of the conclusion and its headline. `APPROVE` is a word in a text; this program never approves anything. */

import { count, list } from '../base/count.ts'
import type { Coverage, StoppedReview } from './coverage.ts'
import type { Finding } from './finding.ts'
import { memoryFolder } from './memory.ts'
import { type GroupOutcome, isUnread, type ReviewGroup } from './model-report.ts'
import type { Conclusion, DismissedFinding, HiddenFinding, Review } from './review.ts'
import { severities } from './severity.ts'

export type Judged = {
  /** All findings; hidden ones count too. */
  findings: readonly Finding[]
  hidden: readonly HiddenFinding[]
  /** They do not count. */
  dismissed?: readonly DismissedFinding[]
  coverage: Coverage
  /** A model read at least part of the change. */
  looked: boolean
  /** What models were asked; empty when none was to be asked. */
  groups: readonly ReviewGroup[]
}

const checksOnly = 'Code checks only; no model reviewed this change.'

/** Findings that predate the change do not count. */
export function decideConclusion(judged: Judged): Review['conclusion'] {
  const { findings, hidden, dismissed = [], groups } = judged
  const fresh = findings.filter(({ preExisting }) => !preExisting)
  const word = chooseWord(fresh, judged)
  const found = `${describeCounts(fresh, findings.length)}.`
  return {
    word,
    headline: headlineOf(word, found, judged),
    notices: [
      ...stoppedNotices(judged.coverage),
      ...earlierNotices(judged.coverage),
      ...hiddenNotices(hidden),
      ...dismissedNotices(dismissed),
      ...loweredNotices(findings),
      ...modelNotices(groups),
    ],
  }
}

/** The conclusion of a finished review when only these of its findings count. */
export function concludeAgain(review: Review, findings: readonly Finding[]): Review['conclusion'] {
  const { hidden = [], dismissed = [], coverage, depth, models } = review
  const groups = models?.groups ?? []
  return decideConclusion({ findings, hidden, dismissed, coverage, looked: depth !== 'offline', groups })
}

function chooseWord(fresh: readonly Finding[], { coverage, looked }: Judged): Conclusion {
  const worst = severities.find((severity) => fresh.some((finding) => finding.severity === severity))
  if (worst === 'critical' || worst === 'high') return 'REQUEST_CHANGES'
  if (worst === 'medium') return 'NEEDS_DISCUSSION'
  if (!coverage.complete) return 'INCOMPLETE'
  if (worst === undefined && countedFiles(coverage) === 0) return 'NOTHING_REVIEWED'
  return looked ? 'APPROVE' : 'CHECKS_ONLY'
}

function headlineOf(word: Conclusion, found: string, { coverage, looked, groups }: Judged): string {
  const gaps = describeGaps(coverage, groups)
  const isUnread = coverage.stopped?.finished.length === 0
  const who = looked || isUnread || describeModelGap(groups) !== null ? [] : [checksOnly]
  switch (word) {
    case 'REQUEST_CHANGES':
    case 'NEEDS_DISCUSSION':
      return [`${word}: ${found}`, ...(gaps === '' ? [] : [`Incomplete: ${gaps}.`]), ...who].join(' ')
    case 'INCOMPLETE':
      return [`Incomplete: ${gaps}.`, `${found.slice(0, -1)} so far.`, ...who].join(' ')
    case 'NOTHING_REVIEWED':
      return `Nothing reviewed: ${whyNothing(coverage)}.`
    case 'APPROVE':
      return `${word}: ${found.charAt(0).toLowerCase()}${found.slice(1)}`
    case 'CHECKS_ONLY':
      return `${found} ${checksOnly}`
  }
}

/** `2 high findings`, `1 high and 1 low finding`, `No findings`; by severity, worst first. */
function describeCounts(fresh: readonly Finding[], all: number): string {
  const parts = severities.flatMap((severity) => {
    const number = fresh.filter((finding) => finding.severity === severity).length
    return number > 0 ? [`${number} ${severity}`] : []
  })
  if (parts.length === 0) return all > 0 ? 'No new findings' : 'No findings'
  return `${list(parts)} ${fresh.length === 1 ? 'finding' : 'findings'}`
}

function countedFiles({ files, unlisted }: Coverage): number {
  return files.filter(({ state }) => state !== 'excluded').length + (unlisted?.files ?? 0)
}

function whyNothing({ files }: Coverage): string {
  if (files.length === 0) return 'the change is empty'
  const reasons = [...new Set(files.flatMap(({ reason }) => reason ?? []))].sort()
  const which = files.length === 1 ? 'the changed file was' : `all ${files.length} changed files were`
  return `${which} left out by rule (${list(reasons)})`
}

/** Which checks the report consists of, where the watchdog ended the review. */
function stoppedNotices({ stopped }: Coverage): string[] {
  if (!stopped) return []
  const { finished } = stopped
  return [
    finished.length === 0
      ? 'No check had finished.'
      : `This report covers only the checks that had finished: ${list(finished)}.`,
    'To raise the limits of the watchdog, see docs/exit-codes.md.',
  ]
}

/** Which part of the change was read this time, and which was not read again. */
function earlierNotices({ earlier, files }: Coverage): string[] {
  if (!earlier) return []
  const known = new Set(earlier.files)
  const fresh = files.filter(({ path, state }) => state === 'reviewed' && !known.has(path)).length
  const unchanged = `${count(known.size, 'file is', 'files are')} unchanged since the review of ${earlier.head.slice(0, 12)}, whose findings still count.`
  return [`A model read ${fresh === 0 ? 'nothing' : count(fresh, 'file')} again: ${unchanged}`]
}

function describeStop({ stage, reason }: StoppedReview): string {
  return `the watchdog stopped the review in stage ${stage} because ${reason}`
}

/** `1 high finding hidden by --min-severity critical.`, once for each filter. */
function hiddenNotices(hidden: readonly HiddenFinding[]): string[] {
  return [...Map.groupBy(hidden, ({ by }) => by)].map(([by, own]) => {
    const parts = severities.flatMap((severity) => {
      const number = own.filter((finding) => finding.severity === severity).length
      return number > 0 ? [`${number} ${severity}`] : []
    })
    return `${list(parts)} ${own.length === 1 ? 'finding' : 'findings'} hidden by ${by}.`
  })
}

const dismissedBy: Readonly<Record<DismissedFinding['how'], string>> = {
  here: 'dismissed earlier',
  file: 'dismissed in their file',
  rule: 'dismissed by rule and path',
  comment: 'ignored by `sightline-ignore` comments in this change',
  'team-file': 'dismissed in .sightline/dismissed.yaml',
  memory: 'dismissed by notes in .sightline/memory',
}

/** `3 findings are not shown: 2 dismissed earlier, 1 ignored by …`. They are counted, so that nothing disappears unseen. */
function dismissedNotices(dismissed: readonly DismissedFinding[]): string[] {
  if (dismissed.length === 0) return []
  const parts = [...Map.groupBy(dismissed, ({ how }) => how)].map(
    ([how, own]) => `${own.length} ${dismissedBy[how]}`,
  )
  return [`${count(dismissed.length, 'finding is', 'findings are')} not shown: ${list(parts)}.`]
}

/** A note of the team makes no finding minor unseen. */
function loweredNotices(findings: readonly Finding[]): string[] {
  const lowered = findings.filter(({ lowered: by }) => by?.why.startsWith(`${memoryFolder}/`))
  if (lowered.length === 0) return []
  return [
    `${count(lowered.length, 'finding is', 'findings are')} shown as minor because of notes in ${memoryFolder}.`,
  ]
}

/** What keeps the review from being complete; empty for a complete one. */
export function describeGaps(
  { files, unlisted, planes, complete, stopped }: Coverage,
  groups: readonly ReviewGroup[] = [],
): string {
  if (complete) return ''
  if (stopped) return describeStop(stopped)
  const modelGap = describeModelGap(groups)
  if (modelGap !== null) return modelGap
  const named = files.filter(({ state }) => state === 'not-reviewed').length
  const notReviewed = named + (unlisted?.files ?? 0)
  const partly = files.filter(({ state }) => state === 'partly').length
  const failed = planes.filter(({ state }) => state === 'failed').length
  const short = planes.filter(({ state }) => state === 'partly').length
  const leftOut = planes.filter(({ state }) => state === 'left-out')
  const parts = [
    ...(notReviewed > 0 ? [`${count(notReviewed, 'file')} not reviewed`] : []),
    ...(partly > 0 ? [`${count(partly, 'file')} reviewed in part`] : []),
    ...(failed > 0 ? [`${count(failed, 'plane')} failed`] : []),
    ...(short > 0 ? [`${count(short, 'plane')} ran in part`] : []),
    ...[...new Set(leftOut.map(({ plane, reason }) => `${plane} ${reason ?? 'left out'}`))],
  ]
  return list(parts.length > 0 ? parts : ['a limit cut the review short'])
}

type Gap = Exclude<GroupOutcome, 'answered' | 'not-asked'>

/** Why no model read anything; the first outcome that occurred is the reason given. */
const modelGaps: readonly (readonly [Gap, string])[] = [
  ['failed', 'no model was available'],
  ['refused', 'the model declined to review the change'],
  ['truncated', 'the answer of the model was cut off'],
  ['unusable', 'the answer of the model could not be read'],
  ['over-budget', 'the budget did not allow a model to read the change'],
  ['declined', 'the cost was declined, so no model was asked'],
]

/** Why no model read the change; null when at least one question was answered, or none was to be asked. */
export function describeModelGap(groups: readonly ReviewGroup[]): string | null {
  if (groups.some(({ outcome }) => outcome === 'answered')) return null
  return modelGaps.find(([gap]) => groups.some(({ outcome }) => outcome === gap))?.[1] ?? null
}

const hint = '`sightline doctor` tests every model and explains how to fix problems.'

/** What models did not read, with the reasons in full, each once. They may quote a provider. */
export function modelNotices(groups: readonly ReviewGroup[]): string[] {
  const answered = groups.some(({ outcome }) => outcome === 'answered')
  const failed = groups.filter(({ outcome }) => outcome === 'failed')
  const unread = groups.filter((group) => isUnread(group) && group.outcome !== 'failed')
  return [
    ...notices(
      failed,
      answered ? 'Part of the change could not be sent to a model' : 'No model was available',
    ),
    ...notices(
      unread,
      answered ? 'A model did not review part of the change' : 'The model did not review the change',
    ),
    ...(failed.length > 0 ? [hint] : []),
  ]
}

/** A question that went to several models has a line of reasons for each. */
function notices(groups: readonly ReviewGroup[], what: string): string[] {
  const reasons = new Set(groups.flatMap(({ reason, outcome }) => (reason ?? outcome).split('\n')))
  return [...reasons].map((reason) => `${what}: ${reason}`)
}
