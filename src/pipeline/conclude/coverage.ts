/** Coverage: every changed file and every plane, how far it was read, and why no further. */
import { compareText } from '../../base/compare-text.ts'
import { isConfigPath, isDataPath, isDocsPath, isUnwrittenPath, isWithin } from '../../base/file-paths.ts'
import { matchChanged, matchGlobs } from '../../base/globs.ts'
import type { ParseFailure } from '../../code-index/contract.ts'
import type { Config } from '../../config/schema.ts'
import { type FileChange, isAmong, onlySearched } from '../../domain/change-set.ts'
import {
  type Coverage,
  type FileCoverage,
  notNamed,
  type PlaneCoverage,
  type ReadEarlier,
  type StoppedReview,
  symbolsNotCompared,
} from '../../domain/coverage.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import { code, count } from './words.ts'

/** The outcome of one plane, as reported by the stage that ran it. */
export type PlaneOutcome = Omit<PlaneCoverage, 'candidates'> & {
  drafts: readonly unknown[]
}

/** A plane of this depth that was switched off or filtered out, or that the watchdog stopped. */
export type PlaneOff = Pick<PlaneCoverage, 'plane' | 'byModel'> & {
  state: 'skipped' | 'left-out' | 'failed'
  reason: string
}

export type CoverageInput = {
  context: ReviewContext
  outcomes: readonly PlaneOutcome[]
  off?: readonly PlaneOff[]
  parseFailures: readonly ParseFailure[]
  config: Config
  /** Null, or not given, unless the watchdog ended the review. */
  stopped?: StoppedReview | null
  /** Where models were asked: files that none of them read, or not all of, and why. */
  unreadByModel?: ReadonlyMap<string, Pick<FileCoverage, 'state'> & { reason: string }>
  /** Files that a model read whole: what code could not understand of them is a remark, and no gap. */
  readByModel?: ReadonlySet<string>
  /** Files that an earlier review read; null, or not given, when models were asked about every file. */
  carried?: { head: string; files: ReadonlySet<string> } | null
}

/**
 * Every changed file is in it exactly once, in path order; files beyond what can be listed are counted. `complete` is false
 * as soon as a changed file, a plane or a budget fell short; what a rule leaves out does not count, nor does context around
 * the change that was not gathered in time, nor what code could not parse or compare of files that a model read whole.
 */
export function buildCoverage(input: CoverageInput): Coverage {
  const { context, outcomes, off = [], parseFailures, config, unreadByModel, stopped } = input
  const { readByModel = new Set() } = input
  const { change, request, cuts } = context
  const failures = new Map(parseFailures.map(({ path, reason }) => [path, reason]))
  const unread = new Map(request.unread.map(({ path, reason }) => [path, reason]))
  const isExcluded = matchGlobs(config.paths.exclude)
  const isLeftOut = matchChanged(config.paths.exclude)
  const { paths: within } = request.source
  const isOutside = (file: FileChange) => within !== undefined && !isAmong(file, within)
  const nothingRan = outcomes.every(({ state }) => state === 'failed' || state === 'skipped')

  const gapIn = (path: string) => (readByModel.has(path) ? null : (failures.get(path) ?? null))
  const files = new Map<string, FileCoverage>()
  const add = (file: FileCoverage): void => {
    if (!files.has(file.path)) files.set(file.path, file)
  }
  for (const file of change.files) {
    const excluded = isOutside(file) ? notNamed : exclusionOf(file, isLeftOut)
    const missing = unread.get(file.path) ?? (file.hunks.length === 0 ? file.omitted : null)
    if (excluded !== null)
      add({
        path: file.path,
        state: 'excluded',
        reason: excluded === notNamed ? notNamed : withUnsearched(excluded, file, unread.get(file.path)),
        ...(excluded === file.role && isNew(file) ? { newlyExcluded: true } : {}),
      })
    else if (missing !== null) add({ path: file.path, state: 'not-reviewed', reason: missing })
    else if (nothingRan) add({ path: file.path, state: 'not-reviewed', reason: 'no plane ran to the end' })
    else add(lessRead(lookedAt(file, gapIn(file.path)), unreadByModel?.get(file.path)))
  }
  for (const [path, reason] of unread)
    if (within === undefined || isWithin(path, within)) add({ path, state: 'not-reviewed', reason })
  const beyond = `beyond the limit of ${count(config.limits.changedFiles, 'changed file')}`
  for (const path of change.overflow)
    if (within === undefined || isWithin(path, within)) add({ path, state: 'not-reviewed', reason: beyond })

  const planes = [...outcomes, ...off.map((one) => ({ ...one, drafts: [] }))].map(
    ({ plane, state, reason, drafts, byModel, readers }: PlaneOutcome): PlaneCoverage => ({
      plane,
      state,
      reason,
      candidates: drafts.length,
      ...(byModel ? { byModel } : {}),
      ...(readers ? { readers } : {}),
    }),
  )
  const isRead =
    readByModel.size > 0 &&
    change.files.every(
      ({ path, hunks }) =>
        hunks.length === 0 || files.get(path)?.state === 'excluded' || readByModel.has(path),
    )
  const fellShort =
    Boolean(stopped) ||
    [...files.values()].some(({ state }) => state === 'partly' || state === 'not-reviewed') ||
    planes.some(({ state }) => state === 'partly' || state === 'failed' || state === 'left-out') ||
    change.unlisted !== undefined ||
    (!isRead && cuts.some((cut) => cut.startsWith(symbolsNotCompared)))
  const unparsed = [...files.values()].flatMap(({ path, state }) => {
    const failure = state === 'reviewed' ? failures.get(path) : undefined
    return failure
      ? [`${code(path)}: not parsed (${failureWords[failure]}); a model read all of it as text`]
      : []
  })
  return {
    files: [...files.values()].sort((a, b) => compareText(a.path, b.path)),
    ...(change.unlisted ? { unlisted: { ...change.unlisted, reason: beyond } } : {}),
    planes,
    limits: [...request.limits, ...cuts, ...unparsed, ...remarks(change.files, isExcluded)],
    ...(stopped ? { stopped } : {}),
    ...readEarlier(input.carried ?? null, [...files.values()]),
    complete: !fellShort,
  }
}

/** What a rule leaves out is searched for secrets and hidden text; where it could not be, that is said. */
function withUnsearched(excluded: string, { kind, omitted }: FileChange, unread: string | undefined): string {
  const missing = unread ?? (omitted === onlySearched ? null : omitted)
  return kind !== 'text' || missing === null
    ? excluded
    : `${excluded}; not searched for secrets and hidden text: ${missing}`
}

/** Of files that a model is asked about at all. */
function readEarlier(
  carried: (CoverageInput['carried'] & object) | null,
  files: readonly FileCoverage[],
): { earlier?: ReadEarlier } {
  if (!carried) return {}
  const read = files.filter(({ path, state }) => state !== 'excluded' && carried.files.has(path))
  const paths = read.map(({ path }) => path).sort(compareText)
  return paths.length === 0 ? {} : { earlier: { head: carried.head, files: paths } }
}

/** At a path where there was nothing. */
function isNew({ status }: FileChange): boolean {
  return status === 'added' || status === 'copied'
}

/** Why a rule leaves the file out, or null. */
function exclusionOf(file: FileChange, isExcluded: (file: FileChange) => boolean): string | null {
  if (isExcluded(file)) return 'left out by paths.exclude'
  if (file.kind === 'binary') return 'binary'
  if (file.kind === 'submodule') return 'a submodule: its repository is not reviewed'
  if (file.role === 'lock') return 'lock file'
  return file.role === 'generated' || file.role === 'vendored' || file.role === 'minified' ? file.role : null
}

function lookedAt({ path, omitted }: FileChange, failure: ParseFailure['reason'] | null): FileCoverage {
  if (omitted !== null) return { path, state: 'partly', reason: omitted }
  if (failure !== null)
    return { path, state: 'partly', reason: `read as text only; not parsed: ${failureWords[failure]}` }
  return { path, state: 'reviewed', reason: null }
}

/** A file that planes of code read counts as less when the model that was to read it did not. */
function lessRead(
  seen: FileCoverage,
  unread: { state: FileCoverage['state']; reason: string } | undefined,
): FileCoverage {
  if (!unread) return seen
  const reason =
    seen.reason === null || seen.reason === unread.reason ? unread.reason : `${seen.reason}; ${unread.reason}`
  return { path: seen.path, state: unread.state, reason }
}

const failureWords: Record<ParseFailure['reason'], string> = {
  'too-large': 'too large',
  'too-deep': 'nested too deeply',
  minified: 'minified',
  timeout: 'it took too long',
  crash: 'the parser crashed',
  memory: 'it took too much memory',
}

/** Files that were read in full, but with less understanding than a reader may expect. */
function remarks(files: readonly FileChange[], isExcluded: (path: string) => boolean): string[] {
  const unindexed = files.filter((file) => file.kind === 'text' && file.language === null && isCode(file))
  const lossy = files.filter((file) => file.lossyText === true)
  const isLeftOut = (path: string) => isUnwrittenPath(path) || isExcluded(path)
  const moved = files.filter(
    ({ path, oldPath, kind }) =>
      kind === 'text' && oldPath !== null && isLeftOut(path) && !isLeftOut(oldPath),
  )
  return [
    ...moved.map(
      ({ path, oldPath }) =>
        `${code(path)}: moved here from ${code(oldPath ?? '')}, where later changes are not reviewed; this one is`,
    ),
    ...describe(unindexed, 'in a language that is not parsed here, read as text only'),
    ...describe(lossy, 'not valid UTF-8, read with replacement characters'),
  ]
}

/** Documents, settings and fixtures need no syntax table, even among tests. */
function isCode({ role, path }: FileChange): boolean {
  if (role !== 'source' && role !== 'test') return false
  return /\.\w+$/.test(path) && !isDocsPath(path) && !isConfigPath(path) && !isDataPath(path)
}

function describe(files: readonly FileChange[], what: string): string[] {
  const [first] = files
  if (!first) return []
  const others = files.length - 1
  return [`${code(first.path)}${others > 0 ? ` and ${count(others, 'more file')}` : ''}: ${what}`]
}
