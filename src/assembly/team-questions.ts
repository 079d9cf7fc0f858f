/** Questions about the people and the earlier changes behind some code: opens the history, asks, and closes it. */
import { basename, join } from 'node:path'
import { UserError } from '../base/errors.ts'
import { isSafePath } from '../base/git/tree-walk.ts'
import { defaultConfig } from '../config/schema.ts'
import { loadSettings } from '../config/settings/load.ts'
import { type Hunk, pathOn } from '../domain/change-set.ts'
import type { Overlap } from '../domain/open-change.ts'
import type { BlamedLines, LineRange, OpenBranch } from '../domain/team-history.ts'
import { type Expert, rankExperts } from '../graph/experts.ts'
import { placePatch, rankOverlaps } from '../graph/open-changes.ts'
import { findRelated, type PastChange, whatFollowed } from '../graph/related.ts'
import { type Reviewer, rankReviewers } from '../graph/reviewers.ts'
import { readTeamLog } from '../graph/team-log.ts'
import type { ChangeSelector } from '../hosts/contract.ts'
import { collectLocal } from '../hosts/local/collect.ts'
import { openTeamHistory } from '../hosts/local/team-history.ts'
import { peopleIn } from '../hosts/local/trailers.ts'
import type { LedgerFinding } from '../ledger/fold.ts'
import { changedCode } from '../pipeline/context/retrieval/open-changes.ts'
import { readChangeSet } from '../pipeline/diff/read-change-set.ts'
import type { RelatedReview } from '../storage/catalog/contract.ts'
import { openSqlCatalog } from '../storage/catalog/sql-catalog.ts'
import { openSqlGraph } from '../storage/catalog/sql-graph.ts'
import { openSqlite } from '../storage/catalog/sqlite.ts'
import { syncCatalog } from '../storage/catalog/sync.ts'
import { openLedgerOf } from './ledgers.ts'
import { defaultCacheFolder, openServices } from './services.ts'

export type TeamQuestionOptions = {
  /** Any folder inside the repository, or a bare repository. */
  folder: string
  environment?: NodeJS.ProcessEnv
  /** Null keeps nothing between questions. */
  cacheFolder?: string | null
  signal?: AbortSignal
}

export type ExpertsAnswer = {
  path: string
  lines: LineRange | null
  experts: Expert[]
  /** Who was there last, and what for: commits that wrote the lines or, without lines, changed the path; the newest first. */
  last: LastChange[]
  commitsRead: number
  complete: boolean
}

export type LastChange = Pick<
  PastChange,
  'commit' | 'request' | 'subject' | 'authorName' | 'time' | 'tickets'
> &
  Pick<PastChange, 'revertedBy' | 'fixesAfter'>

const mostLast = 3

/** Who knows a file or a folder, or these lines of a file, at one commit. Throws `not-a-repository`, `unknown-ref`, `usage`. */
export async function findExperts(
  options: TeamQuestionOptions,
  { path, lines, at, limit }: { path: string; lines: LineRange | null; at: string; limit: number },
): Promise<ExpertsAnswer> {
  if (!isSafePath(path))
    throw new UserError('usage', `\`${path}\` is not a path from the root of the repository.`)
  return await withHistory(options, at, async (history, log) => {
    const inside = `${path}/`
    const paths = [...new Set(log.commits.flatMap((commit) => commit.paths))].filter(
      (each) => each === path || each.startsWith(inside),
    )
    if (paths.length === 0)
      throw new UserError(
        'usage',
        `no commit changed \`${path}\`${log.complete ? '' : ' in the part of the history that was read'}.`,
      )
    const blamed =
      paths.length === 1 && paths[0] === path ? await history.blame(path, lines ? [lines] : []) : []
    if (lines && blamed.length === 0)
      throw new UserError('usage', `\`${path}\` has no lines ${lines.start} to ${lines.end} at ${at}.`)
    const experts = rankExperts({ commits: log.commits, paths, blamed, limit })
    const last = lastChanges(log.commits, { paths, blamed: lines ? blamed : [] })
    return { path, lines, experts, last, commitsRead: log.commits.length, complete: log.complete }
  })
}

function lastChanges(
  commits: Log['commits'],
  { paths, blamed }: { paths: readonly string[]; blamed: readonly BlamedLines[] },
): LastChange[] {
  const asked = new Set(paths)
  const wrote = new Set(blamed.map(({ commit }) => commit))
  const own = commits.filter((one) =>
    wrote.size > 0 ? wrote.has(one.commit) : one.paths.some((path) => asked.has(path)),
  )
  return own
    .toSorted((a, b) => b.time - a.time)
    .slice(0, mostLast)
    .map((one) => {
      const shared = one.paths.filter((path) => asked.has(path))
      const { commit, request, subject, authorName, time, mentions } = one
      const named = { commit, request, subject, authorName, time, tickets: mentions.slice(0, 5) }
      return { ...named, ...whatFollowed([one], shared, commits) }
    })
}

export type RelatedAnswer = {
  /** For people: what was asked about. */
  label: string
  /** Whom to ask for a review; without its author where that is known. */
  reviewers: Reviewer[]
  past: PastChange[]
  /** Branches that are not merged and change the same files; those that change the same lines first. */
  open: (OpenBranch & { shared: string[]; sameLines: Overlap['lines'] })[]
  /** Reviews on this machine of changes of the same files, the newest first; null when they cannot be read. */
  reviews: RelatedReview[] | null
  /** Findings of earlier reviews in the same files; the newest first. */
  findings: LedgerFinding[]
  commitsRead: number
  complete: boolean
}

/** Files whose replaced lines are looked up: more take long, and say no more. */
const mostBlamed = 20
const mostBranches = 100
const mostFindings = 10
const mostReviewers = 3

/** What belongs to a change: earlier changes, open branches, findings. Throws as `collectLocal` does. */
export async function findRelatedTo(
  selector: ChangeSelector,
  options: TeamQuestionOptions,
  limit: number,
): Promise<RelatedAnswer> {
  const { folder, environment = process.env, signal } = options
  const { settings } = await loadSettings(environment)
  const { borrowFrom } = settings.repositories
  const { limits, paths: pathRules } = defaultConfig
  const change = await collectLocal({ folder, selector, limits, borrowFrom, signal })
  try {
    const { base, head, source } = change.request
    const changed = await readChangeSet(await change.diff(), {
      ...pathRules,
      base: change.base,
      within: source.paths,
    })
    const paths = changed.files.map((file) => pathOn('old', file))
    const at = base.commit ?? 'HEAD'
    const { ledger } = await openLedgerOf({ folder, environment, signal })
    const findings = [...ledger.findings.values()]
      .filter(({ record }) => paths.includes(record.path))
      .sort((a, b) => (a.firstSeen < b.firstSeen ? 1 : -1))
      .slice(0, mostFindings)
    return await withHistory(options, at, async (history, log) => {
      const blamed: BlamedLines[] = []
      for (const file of changed.files.slice(0, mostBlamed)) {
        const ranges = replacedLines(file.hunks)
        if (ranges.length === 0) continue
        blamed.push(...(await history.blame(pathOn('old', file), ranges)))
      }
      const lineCommits = new Set(blamed.map(({ commit }) => commit))
      const { commits } = log
      // A change that is not committed has none.
      const [author = null] = peopleIn(change.request.author ?? '')
      const reviewers = rankReviewers({ commits, paths, blamed, author, limit: mostReviewers })
      const past = findRelated({ commits, paths, lineCommits, limit })
      const branches = (await history.openBranches(mostBranches)).filter(
        ({ commit }) => commit !== head.commit,
      )
      const texts = await change.base.readMany(paths)
      const own = changedCode(changed, [])
      const placed: OpenBranchInCommon[] = []
      for (const branch of branches) {
        const shared = branch.paths.filter((path) => paths.includes(path))
        if (shared.length === 0) continue
        const files = await history.patchOf(branch.commit, shared)
        const other = {
          name: branch.name,
          title: branch.subject,
          author: branch.authorName,
          isDraft: false,
          files,
        }
        const known = new Map(paths.map((path) => [path, texts.get(path)?.text ?? null]))
        const [overlap] = rankOverlaps(own, [placePatch(other, known) ?? []].flat())
        placed.push({ ...branch, shared, sameLines: overlap?.lines ?? [] })
      }
      const open = placed
        .sort(
          (a, b) =>
            b.sameLines.length - a.sameLines.length || b.shared.length - a.shared.length || b.time - a.time,
        )
        .slice(0, limit)
      const { repositoryLabel } = change
      return {
        label: source.label,
        reviewers,
        past,
        open,
        reviews: await reviewsOfFiles({ label: repositoryLabel, paths, limit }, { environment, signal }),
        findings,
        commitsRead: log.commits.length,
        complete: log.complete,
      }
    })
  } finally {
    await change.close()
  }
}

type OpenBranchInCommon = RelatedAnswer['open'][number]

/** Runs of lines that the change removes or replaces. */
function replacedLines(hunks: readonly Hunk[]): LineRange[] {
  const ranges: LineRange[] = []
  for (const { kind, old } of hunks.flatMap(({ lines }) => lines)) {
    if (kind !== 'removed' || old === null) continue
    const last = ranges.at(-1)
    if (last && old === last.end + 1) last.end = old
    else ranges.push({ start: old, end: old })
  }
  return ranges
}

type OpenedHistory = Awaited<ReturnType<typeof openTeamHistory>>
type Log = Awaited<ReturnType<typeof readTeamLog>>

async function withHistory<Answer>(
  { folder, environment = process.env, signal, ...options }: TeamQuestionOptions,
  at: string,
  ask: (history: OpenedHistory, log: Log) => Promise<Answer>,
): Promise<Answer> {
  const { cacheFolder = defaultCacheFolder(environment) } = options
  const { borrowFrom } = (await loadSettings(environment)).settings.repositories
  const history = await openTeamHistory({ folder, at, borrowFrom, signal })
  try {
    return await ask(history, await readTeamLog(history, cacheFolder))
  } finally {
    await history.close()
  }
}

/** Where many runs are new, the rest of them is read by the next question. */
const syncMs = 5_000

type FilesOfRepository = {
  /** As a collected change names its repository. */
  label: string
  paths: readonly string[]
  limit: number
}

/** The newest first. Null when the runs on record cannot be read. */
async function reviewsOfFiles(
  { label, paths, limit }: FilesOfRepository,
  { environment, signal }: { environment: NodeJS.ProcessEnv; signal?: AbortSignal | undefined },
): Promise<RelatedReview[] | null> {
  const services = await openServices({ environment, cacheFolder: null, signal })
  try {
    const database = openSqlite(join(services.runs.keyFolder, 'catalog.sqlite'))
    try {
      const catalog = openSqlCatalog(database, services.tenant)
      const late = AbortSignal.timeout(syncMs)
      await syncCatalog(services.runs, catalog, signal ? AbortSignal.any([signal, late]) : late)
      const name = basename(label)
      // A change request that was reviewed by its address is kept under the name of its host.
      const same = (await catalog.repositories()).filter(
        (one) => one.name === name || one.name.endsWith(`/${name}`),
      )
      const graph = openSqlGraph(database, services.tenant)
      const found = await Promise.all(same.map((one) => graph.reviewsOf(one.name, { paths, limit })))
      return found
        .flat()
        .sort((a, b) => (a.reviewedAt < b.reviewedAt ? 1 : -1))
        .slice(0, limit)
    } finally {
      database.close()
    }
  } catch {
    signal?.throwIfAborted()
    return null
  } finally {
    await services.close()
  }
}
