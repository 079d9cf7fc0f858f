/** The queue of a server as one tenant sees it. */
import type { Database } from '../database/contract.ts'
import type { Caller } from '../http/caller.ts'
import { ReviewJob, reviewKind } from '../jobs/contract.ts'
import { JobProgress } from '../jobs/progress.ts'
import { whyJobsWait } from '../queue/why-waits.ts'
import type { QueueItem, QueueState } from './contract/operation.ts'
import { liveQueue } from './live-queue.ts'
import type { Handlers } from './routes.ts'

type JobRow = {
  id: number
  state: QueueItem['state']
  payload: unknown
  reason: string | null
  attempt: number
  title: string | null
  run: string | null
  progress: unknown
  created_at: Date
  started_at: Date | null
  ended_at: Date | null
}

const jobColumns = `id, state, payload, reason, attempt, result->>'run' as run, progress, created_at, started_at, ended_at,
  (select title from review_trigger one where one.job = job.id and one.tenant = job.tenant and title is not null
   order by received_at desc limit 1) as title`

export function queueHandlers(database: Database): Pick<Handlers, 'queue' | 'queueEvents'> {
  const queueOf = async ({ tenant, repositories }: Caller): Promise<QueueState> => {
    const [active, ended, waits] = await Promise.all([
      database.query<JobRow>(
        `select ${jobColumns} from job where tenant = $1 and kind = $2 and state in ('queued', 'running')
         order by state desc, priority desc, id limit 200`,
        [tenant, reviewKind],
      ),
      database.query<JobRow>(
        `select ${jobColumns} from job where tenant = $1 and kind = $2 and ended_at is not null
         order by ended_at desc limit 20`,
        [tenant, reviewKind],
      ),
      whyJobsWait(database, tenant, reviewKind),
    ])
    let ahead = 0
    const items = [...active, ...ended]
      .map((row) => itemOf(row, row.state === 'queued' ? ahead++ : null, waits.get(row.id) ?? null))
      .filter(({ repository }) => repositories?.has(repository) ?? true)
    const count = (state: string) => items.filter((item) => item.state === state).length
    return { items, queued: count('queued'), running: count('running') }
  }
  return {
    queue: ({ caller }) => queueOf(caller),
    queueEvents: async ({ caller, signal }) => liveQueue(() => queueOf(caller), signal),
  }
}

function itemOf(row: JobRow, ahead: number | null, waits: string | null): QueueItem {
  const job = ReviewJob.safeParse(row.payload).data
  const progress = JobProgress.safeParse(row.progress).data
  return {
    id: String(row.id),
    state: row.state,
    repository: job ? `${job.repository.host}/${job.repository.name}` : '',
    change: job?.number ?? null,
    title: row.title ?? '',
    url: job?.address ?? null,
    trigger: job?.trigger.kind ?? '',
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    stage: progress?.stage ?? null,
    progress: progress?.steps ? Math.min(1, progress.steps.done / Math.max(1, progress.steps.total)) : null,
    files: progress?.files ?? null,
    calls: progress?.calls ?? null,
    usd: progress?.usd ?? null,
    attempt: row.attempt,
    why: progress?.waits ?? waits ?? row.reason,
    ahead,
    run: row.run,
  }
}
