/** What a local repository tells of the team: its log with change requests and tickets, blame, and open branches. */
import { openShadow, type Shadow } from '../../base/git/shadow.ts'
import type {
  BlamedLines,
  LineRange,
  OpenBranch,
  TeamCommit,
  TeamHistory,
} from '../../domain/team-history.ts'
import { findReferences, referenceName } from '../tickets/references.ts'
import { type GitLogOptions, LogParser, readGitLog } from './history.ts'
import { resolveCommit } from './resolve.ts'
import { reviewersIn } from './trailers.ts'

export type TeamHistoryOptions = {
  /** Any folder inside the repository, or a bare repository. */
  folder: string
  /** The commit whose past is asked for. */
  at: string
  borrowFrom?: readonly string[]
  signal?: AbortSignal | undefined
}

/** Throws `not-a-repository`, `unknown-ref`. */
export async function openTeamHistory({
  folder,
  at,
  borrowFrom,
  signal,
}: TeamHistoryOptions): Promise<TeamHistory> {
  const shadow = await openShadow(folder, signal, borrowFrom)
  try {
    const { id: tip } = await resolveCommit(shadow, at)
    const { workTree, gitDir } = shadow.repository
    return {
      tip,
      repositoryLabel: workTree ?? gitDir,
      log: (limit, known) => readLog(shadow, tip, limit, known),
      blame: (path, ranges) => blame(shadow, tip, path, ranges),
      openBranches: (limit) => openBranches(shadow, tip, limit),
      patchOf: (commit, paths) => patchOf(shadow, tip, commit, paths),
      close: () => shadow.close(),
    }
  } catch (error) {
    await shadow.close()
    throw error
  }
}

const fields: GitLogOptions['format'] = ['%H', '%P', '%an', '%ae', '%ct', '%s', '%b']

async function readLog(
  shadow: Shadow,
  tip: string,
  limit: number,
  known: string | null,
): ReturnType<TeamHistory['log']> {
  if (known !== null) {
    const { code } = await shadow.try(['merge-base', '--is-ancestor', known, tip])
    if (code !== 0) return null
  }
  const parser = new LogParser<TeamCommit>(fields.length, teamCommit)
  return await readGitLog(shadow, parser, { format: fields, from: tip, without: known, merges: true, limit })
}

function teamCommit(header: readonly string[], paths: string[]): TeamCommit {
  const [commit = '', parents = '', authorName = '', authorEmail = '', time = '', subject = '', body = ''] =
    header
  const request = requestIn(subject, body)
  const found = findReferences({ title: subject, body, branch: null })
  const mentions = found.map(referenceName)
  return {
    commit,
    parents: parents.split(' ').filter(Boolean),
    authorName,
    authorEmail,
    time: Number(time),
    subject,
    paths,
    request,
    mentions: mentions.filter((name) => name !== `#${request}`),
    reviewers: reviewersIn(body),
  }
}

/** Subjects that GitHub, Forgejo, Bitbucket (Cloud, Data Center) and Azure DevOps write when they merge, and those of squashed commits. */
const requestSubjects = [
  /^Merge pull request #(\d{1,9})\b/,
  /^Merge pull request '.{0,300}' \(#(\d{1,9})\)/,
  /^Merged in \S{1,300} \(pull request #(\d{1,9})\)/,
  /^Pull request #(\d{1,9}): /,
  /^Merged? PR (\d{1,9}): /,
  /\([#!](\d{1,9})\)$/,
]
/** GitLab names it in the body. */
const requestLine = /^See merge request (?:[\w./-]{1,300})?!(\d{1,9})$/m

function requestIn(subject: string, body: string): number | null {
  const line = subject.slice(0, 1_000).trimEnd()
  for (const shape of requestSubjects) {
    const found = shape.exec(line)
    if (found) return Number(found[1])
  }
  const found = requestLine.exec(body.slice(0, 50_000))
  return found ? Number(found[1]) : null
}

const blameTimeoutMs = 10_000
const mostRanges = 50

/** A blame that takes too long, or a file that is absent, is an answer without lines: who is asked decides without it. */
async function blame(
  shadow: Shadow,
  tip: string,
  path: string,
  ranges: readonly LineRange[],
): Promise<BlamedLines[]> {
  const limits = ranges.slice(0, mostRanges).flatMap(({ start, end }) => ['-L', `${start},${end}`])
  const args = ['blame', '--incremental', ...limits, tip, '--', path]
  try {
    const { code, stdout } = await shadow.try(args, { timeoutMs: blameTimeoutMs })
    return code === 0 ? parseBlame(stdout.toString('utf8')) : []
  } catch {
    shadow.signal?.throwIfAborted()
    return []
  }
}

/** `blame --incremental`: `COMMIT OLD NEW COUNT`, then `key value` lines, the author once for each commit, then `filename`. */
function parseBlame(text: string): BlamedLines[] {
  const byCommit = new Map<string, BlamedLines>()
  let current: BlamedLines | null = null
  for (const line of text.split('\n')) {
    const header = /^([0-9a-f]{40,64}) \d+ \d+ (\d+)$/.exec(line)
    if (header) {
      const [, commit = '', lines = '0'] = header
      current = byCommit.get(commit) ?? { commit, authorName: '', authorEmail: '', time: 0, lines: 0 }
      current.lines += Number(lines)
      byCommit.set(commit, current)
    } else if (current && line.startsWith('author ')) current.authorName = line.slice('author '.length)
    else if (current && line.startsWith('author-mail '))
      current.authorEmail = line.slice('author-mail '.length).replace(/^<|>$/g, '')
    else if (current && line.startsWith('committer-time '))
      current.time = Number(line.slice('committer-time '.length))
  }
  return [...byCommit.values()]
}

const branchFields = ['%(objectname)', '%(refname)', '%(authorname)', '%(committerdate:unix)', '%(subject)']
const mostPaths = 1_000
const branchesAtOnce = 4

async function openBranches(shadow: Shadow, tip: string, limit: number): Promise<OpenBranch[]> {
  const format = `--format=${branchFields.join('%00')}`
  // Refs of fetched change requests do not tell which of them are still open.
  const args = ['for-each-ref', `--no-merged=${tip}`, '--sort=-committerdate', `--count=${limit * 2}`, format]
  const { code, stdout } = await shadow.try([...args, 'refs/heads', 'refs/remotes'])
  if (code !== 0) return []
  const found = new Map<string, Omit<OpenBranch, 'paths'>>()
  for (const line of stdout.toString('utf8').split('\n')) {
    const [commit = '', ref = '', authorName = '', time = '', subject = ''] = line.split('\0')
    const name = ref.replace(/^refs\/(?:heads|remotes)\//, '')
    // A branch and its remote twin are one.
    if (commit !== '' && !found.has(commit))
      found.set(commit, { name, commit, authorName, time: Number(time), subject })
  }
  const newest = [...found.values()].slice(0, limit)
  const branches: OpenBranch[] = []
  for (let from = 0; from < newest.length; from += branchesAtOnce) {
    const some = newest.slice(from, from + branchesAtOnce)
    const paths = await Promise.all(some.map(({ commit }) => pathsSince(shadow, tip, commit)))
    branches.push(...some.map((branch, at) => ({ ...branch, paths: paths[at] ?? [] })))
  }
  return branches.filter(({ paths }) => paths.length > 0)
}

async function pathsSince(shadow: Shadow, tip: string, commit: string): Promise<string[]> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--merge-base', tip, commit]
  const { code, stdout } = await shadow.try(args)
  if (code !== 0) return []
  return stdout.toString('utf8').split('\0').filter(Boolean).slice(0, mostPaths)
}

async function patchOf(
  shadow: Shadow,
  tip: string,
  commit: string,
  paths: readonly string[],
): ReturnType<TeamHistory['patchOf']> {
  const plain = ['-p', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', '--merge-base']
  const args = ['--literal-pathspecs', 'diff-tree', ...plain, tip, commit, '--', ...paths]
  const { code, stdout } = await shadow.try(args)
  if (code !== 0) return []
  const sections = stdout.toString('utf8').split(/^(?=diff --git )/m)
  // A path that git quotes is left out.
  return sections.flatMap((section) => {
    const path = paths.find((one) => section.startsWith(`diff --git a/${one} b/${one}\n`))
    const start = section.search(/^@@ /m)
    return path === undefined
      ? []
      : [{ path, oldPath: path, patch: start === -1 ? null : section.slice(start) }]
  })
}
