/** The check of a pull request: a check run where an App publishes, otherwise a commit status. */
import { z } from 'zod'
import type { PlannedAnnotation, PlannedCheck } from '../remote/contract.ts'
import type { GitHubApi } from './client.ts'

/** Name of the check, by which people require it in branch rules. */
const checkName = 'Sightline'
const annotationsAtOnce = 50
const longestAnnotation = 60_000
const longestStatus = 140

export type RepositoryName = { owner: string; repo: string }

const CheckRuns = z.object({
  check_runs: z.array(z.object({ id: z.number(), external_id: z.string().nullable() })),
})

const keyPrefix = 'sightline-'

export async function readCheckRun(api: GitHubApi, at: RepositoryName, ref: string, signal: AbortSignal) {
  const query = { ...at, ref, check_name: checkName, filter: 'latest' }
  const answer = await api.request('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', query, signal)
  // Other Apps may use the name; the prefix of the key is ours.
  const own = CheckRuns.parse(answer).check_runs.find(({ external_id }) => external_id?.startsWith(keyPrefix))
  return own ? { key: own.external_id?.slice(keyPrefix.length) ?? null } : null
}

/**
 * A new run takes the place of an earlier one of the same name, whose annotations could not be taken away. The key comes
 * with the last batch, so that an interrupted check is never taken for a whole one.
 */
export async function putCheckRun(
  api: GitHubApi,
  at: RepositoryName,
  check: PlannedCheck,
  signal: AbortSignal,
): Promise<void> {
  const { head, key, conclusion, title, summary, annotations } = check
  const batches = [annotations.slice(0, annotationsAtOnce)]
  for (let from = annotationsAtOnce; from < annotations.length; from += annotationsAtOnce)
    batches.push(annotations.slice(from, from + annotationsAtOnce))
  let id: number | null = null
  for (const [index, batch] of batches.entries()) {
    const isLast = index === batches.length - 1
    const run = {
      name: checkName,
      external_id: `${keyPrefix}${isLast ? key : 'unfinished'}`,
      status: 'completed',
      conclusion,
      output: { title, summary, annotations: batch.map(annotationOf) },
    }
    const answer: unknown =
      id === null
        ? await api.request(
            'POST /repos/{owner}/{repo}/check-runs',
            { ...at, ...run, head_sha: head },
            signal,
          )
        : await api.request(
            'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}',
            { ...at, ...run, check_run_id: id },
            signal,
          )
    id ??= z.object({ id: z.number() }).parse(answer).id
  }
}

function annotationOf({ path, startLine, endLine, level, title, message }: PlannedAnnotation) {
  return {
    path,
    start_line: startLine,
    end_line: endLine,
    annotation_level: level,
    title: title.slice(0, 255),
    message: message.slice(0, longestAnnotation),
  }
}

const Statuses = z.array(z.object({ context: z.string(), description: z.string().nullable() }))

/** Newest first; the key is at the end of the line. */
export async function readStatus(api: GitHubApi, at: RepositoryName, ref: string, signal: AbortSignal) {
  const statuses = Statuses.parse(
    await api.request(
      'GET /repos/{owner}/{repo}/commits/{ref}/statuses',
      { ...at, ref, per_page: 100 },
      signal,
    ),
  )
  const own = statuses.find(({ context }) => context === checkName)
  return own ? { key: /\[([a-z0-9-]+)\]$/.exec(own.description ?? '')?.[1] ?? null } : null
}

/** Neutral does not exist here: only gating makes it fail. */
export async function putStatus(
  api: GitHubApi,
  at: RepositoryName,
  check: PlannedCheck,
  signal: AbortSignal,
): Promise<void> {
  const { head, key, conclusion, title } = check
  const end = ` [${key}]`
  const status = {
    sha: head,
    context: checkName,
    state: conclusion === 'failure' ? 'failure' : 'success',
    description: `${title.slice(0, longestStatus - end.length)}${end}`,
  }
  await api.request('POST /repos/{owner}/{repo}/statuses/{sha}', { ...at, ...status }, signal)
}
