/** The check of a pull request: a check run where an App publishes, otherwise a commit status. */
import { z } from 'zod'
import type { HostApi } from '../remote/api.ts'
import { withQuery } from '../remote/api.ts'
import { isOpenCheck, type OwnCheck, type PlannedAnnotation, type PlannedCheck } from '../remote/contract.ts'
import { putStatus } from '../remote/pull-requests.ts'
import { checkOfStatus } from '../remote/status.ts'

/** Name of the check, by which people require it in branch rules. */
const checkName = 'Sightline'
const annotationsAtOnce = 50
const longestAnnotation = 60_000
const longestStatus = 140

const CheckRuns = z.object({
  check_runs: z.array(z.object({ id: z.number(), external_id: z.string().nullable(), status: z.string() })),
})

const keyPrefix = 'sightline-'

export async function readCheckRun(
  api: HostApi,
  ref: string,
  signal: AbortSignal,
): Promise<(OwnCheck & { id: number }) | null> {
  const query = { check_name: checkName, filter: 'latest' }
  const answer = await api.get(withQuery(`/commits/${ref}/check-runs`, query), signal)
  // Other Apps may use the name; the prefix of the key is ours.
  const own = CheckRuns.parse(answer).check_runs.find(({ external_id }) => external_id?.startsWith(keyPrefix))
  if (!own) return null
  const isOpen = own.status !== 'completed'
  return { id: own.id, key: isOpen ? null : (own.external_id?.slice(keyPrefix.length) ?? null), isOpen }
}

/**
 * A run that waits for its end gets it. A new one takes the place of one that has ended, whose annotations could not be taken
 * away. The key comes with the last batch, so that an interrupted check is never taken for a whole one.
 */
export async function putCheckRun(api: HostApi, check: PlannedCheck, signal: AbortSignal): Promise<void> {
  const { head, key, conclusion, title, summary, annotations, url } = check
  const batches = [annotations.slice(0, annotationsAtOnce)]
  for (let from = annotationsAtOnce; from < annotations.length; from += annotationsAtOnce)
    batches.push(annotations.slice(from, from + annotationsAtOnce))
  const there = await readCheckRun(api, head, signal)
  let id = there?.isOpen ? there.id : null
  if (id === null && check.ifOpen) return
  const end = isOpenCheck(check)
    ? { status: conclusion === 'queued' ? 'queued' : 'in_progress' }
    : { status: 'completed', conclusion }
  for (const [index, batch] of batches.entries()) {
    const isLast = index === batches.length - 1
    const run = {
      name: checkName,
      external_id: `${keyPrefix}${isLast ? key : 'unfinished'}`,
      ...end,
      ...(url === undefined ? {} : { details_url: url }),
      output: { title, summary, annotations: batch.map(annotationOf) },
    }
    const answer =
      id === null
        ? await api.send('POST', '/check-runs', { ...run, head_sha: head }, signal)
        : await api.send('PATCH', `/check-runs/${id}`, run, signal)
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

const Statuses = z.array(
  z.object({ context: z.string(), description: z.string().nullable(), state: z.string() }),
)

/** Newest first; the key is at the end of the line. */
export async function readStatus(api: HostApi, ref: string, signal: AbortSignal): Promise<OwnCheck | null> {
  const statuses = Statuses.parse(await api.get(`/commits/${ref}/statuses?per_page=100`, signal))
  return checkOfStatus(statuses.find(({ context }) => context === checkName))
}

export async function putCommitStatus(api: HostApi, check: PlannedCheck, signal: AbortSignal): Promise<void> {
  await putStatus(api, check, { context: checkName, longest: longestStatus, url: check.url }, signal)
}
