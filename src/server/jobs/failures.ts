/** What a failed role means for its job: which visible state it ends in, and whether trying again may help. */
import { UserError } from '../../base/errors.ts'
import type { JobRole } from '../roles/contract.ts'
import type { OutcomeReason, OutcomeState } from './contract.ts'

export type Meaning = {
  state: Exclude<OutcomeState, 'reviewed' | 'partly'>
  reason: OutcomeReason
  /** A later attempt may end otherwise. */
  isPassing: boolean
}

const ends = (reason: OutcomeReason): Meaning => ({ state: 'not-reviewed', reason, isPassing: false })
const passes = (reason: OutcomeReason): Meaning => ({ state: 'not-reviewed', reason, isPassing: true })

/** By the code in the table of errors. What is not listed is a fault of ours or of the machine, and may pass. */
const meanings: Readonly<Record<string, Meaning>> = {
  // Deleted, renamed out of reach, or made private: GitHub answers all of these with 404.
  'change-request-unknown': ends('gone'),
  'change-request-closed': { state: 'skipped', reason: 'closed', isPassing: false },
  'host-refused': ends('no-access'),
  'host-unavailable': passes('host-unavailable'),
  'host-unknown': ends('configuration'),
  'nothing-to-review': { state: 'skipped', reason: 'nothing-to-review', isPassing: false },
  'no-merge-base': ends('no-merge-base'),
  'object-missing': passes('failed'),
  'git-failed': passes('failed'),
  'commit-too-large': ends('too-large'),
  'tree-too-large': ends('too-large'),
  'repository-unsafe': ends('configuration'),
  'config-invalid': ends('configuration'),
  'settings-invalid': ends('configuration'),
  'prompt-invalid': ends('configuration'),
  'plane-unknown': ends('configuration'),
  'rule-invalid': ends('configuration'),
  'no-model': ends('configuration'),
  'run-store-refused': ends('configuration'),
  'over-budget': ends('budget'),
  // Of a question: the record of the review was deleted, or is on another machine.
  'run-unknown': ends('failed'),
  'run-unreadable': ends('failed'),
}

export function meaningOf(code: string | null): Meaning {
  return (code === null ? undefined : meanings[code]) ?? passes('failed')
}

/** Of anything that was thrown; null for a fault of ours or of the machine. */
export function reasonOfError(error: unknown): OutcomeReason | null {
  const code = error instanceof UserError ? meanings[error.code] : undefined
  return code?.reason ?? null
}

/** The host understood and said no: asking again changes nothing. Each client has a `Refused` of its own. */
export function isFinal(error: unknown): boolean {
  if (error instanceof UserError) return error.code !== 'host-unavailable'
  return error instanceof Error && error.name === 'Refused'
}

/**
 * May be over by now: whatever ended so is tried again by the next event, or by the reconciler, which asks only for what the
 * host lists.
 */
export const passingReasons: ReadonlySet<OutcomeReason> = new Set<OutcomeReason>([
  'host-unavailable',
  'model-unavailable',
  'failed',
  'gone',
])

/** One line of plain text for the host: what people read first. */
export function titleOf(state: OutcomeState, reason: OutcomeReason | null): string {
  const words = reason === null ? '' : `: ${reasonWords[reason]}`
  return `${stateWords[state]}${words}`
}

const stateWords: Readonly<Record<OutcomeState, string>> = {
  reviewed: 'Reviewed',
  partly: 'Partly reviewed',
  'not-reviewed': 'Not reviewed',
  superseded: 'Superseded',
  skipped: 'Skipped',
}

const reasonWords: Readonly<Record<OutcomeReason, string>> = {
  policy: 'by policy',
  closed: 'the change request is closed',
  'nothing-to-review': 'there is nothing to review',
  'newer-commits': 'newer commits were pushed',
  gone: 'the change request does not exist or is not visible',
  'no-access': 'a permission is missing',
  'host-unavailable': 'the host did not answer',
  'no-merge-base': 'the branches have no common commit',
  'too-large': 'the repository is too large',
  configuration: 'the configuration is not valid',
  budget: 'the budget ran out',
  'model-unavailable': 'a model did not answer',
  limits: 'it exceeded the limits of the server',
  failed: 'the review failed',
}

/** What an operator, or a person on the change request, can do about it; null for nothing. */
export function remedyOf(reason: OutcomeReason | null): string | null {
  return reason === null ? null : remedies[reason]
}

const remedies: Readonly<Record<OutcomeReason, string | null>> = {
  policy: null,
  closed: null,
  'nothing-to-review': null,
  'newer-commits': null,
  gone: 'Check that the App or the token of the connection can see the repository.',
  'no-access': 'Grant what docs/server/setup.md lists, then comment `@sightline review`.',
  'host-unavailable':
    'Once the host answers again, the server tries again, or at once when you comment `@sightline review`.',
  'no-merge-base': 'Rebase the branch on its target branch.',
  'too-large': 'Exclude files under `paths.exclude` in .sightline.yaml.',
  configuration:
    'Correct what is named; `sightline config --check` reads the repository’s file, `sightline serve --check` the server’s.',
  budget: 'Raise `budget` in the settings of the server, or wait until the period ends.',
  'model-unavailable':
    'The server tries again for a day. `sightline doctor` with its settings says what is wrong; `@sightline review` tries at once.',
  limits: 'Raise `workers.memoryMb` or `workers.minutes` in the settings of the server.',
  failed: 'Comment `@sightline review` to try again; `sightline admin why URL` shows what happened.',
}

/** For people: which step failed, and its own words, without a stack. */
export function detailOf(role: JobRole, message: string): string {
  const [first = ''] = message.split('\n    at ')
  return `${stepWords[role]}: ${first.trim()}`.slice(0, 2000)
}

const stepWords: Readonly<Record<JobRole, string>> = {
  collector: 'reading the change',
  analyzer: 'reviewing',
  publisher: 'posting the review',
  indexer: 'indexing',
}

/** What happened in words, and what to do. */
export function stateText(title: string, detail: string | null, reason: OutcomeReason | null): string {
  const todo = remedyOf(reason)
  return `${[plain(detail ?? title), ...(todo === null ? [] : [todo])].join('\n\n')}\n`
}

/** Words of ours and of programs, which hosts would read as Markdown. */
function plain(words: string): string {
  return words.replace(/[\\`*_{}[\]<>#|~@]/g, '\\$&')
}
