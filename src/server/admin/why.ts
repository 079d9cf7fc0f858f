/**
 * The life of one change request as the server has it on record: webhooks, decisions, jobs with their attempts, writes on the
 * host and commands, in the order of time, then what is waited for now and what to do about what failed.
 */
import { visibleLine } from '../../base/visible-text.ts'
import { parseAddress } from '../../hosts/remote/addresses.ts'
import { addressesOf } from '../connections/host-addresses.ts'
import type { Database } from '../database/contract.ts'
import { OutcomeReason } from '../jobs/contract.ts'
import { remedyOf } from '../jobs/failures.ts'
import { whyJobsWait } from '../queue/why-waits.ts'
import type { ServerSettings } from '../settings/schema.ts'

export type LifeEvent = { at: Date; what: string }

export type Life = {
  connection: string
  /** `owner/name#12`. */
  change: string
  tenant: string
  events: LifeEvent[]
  /** What is waited for now; empty when nothing is. */
  waits: string[]
  /** What to do; null when nothing is wrong. */
  remedy: string | null
}

type Repository = { id: string; tenant: string; name: string; enabled: boolean }
type DeliveryRow = {
  action: string
  at: Date
  attempts: number
  next: Date | null
  settled: Date | null
  result: string | null
}
type TriggerRow = {
  at: Date
  kind: string
  by: string | null
  head: string | null
  decision: string
  job: number | null
}
type JobRow = {
  id: number
  kind: string
  state: string
  reason: string | null
  error: string | null
  word: string | null
  run: string | null
  attempt: number
  most: number
  by: number | null
  created: Date
  started: Date | null
  ended: Date | null
  usd: number | null
}

/** Throws `host-unknown` for an address of no connection, `usage` for one that is no change request. */
export async function readLife(database: Database, settings: ServerSettings, url: string): Promise<Life> {
  const connections = Object.entries(settings.connections).map(([name, connection]) => ({
    ...{ name, kind: connection.kind },
    ...addressesOf(connection),
  }))
  const address = parseAddress(url, connections)
  const connection = connections.find(({ webUrl }) => webUrl === address.webUrl)?.name ?? ''
  const name = [...address.owner, address.name].join('/')
  const [repository] = await database.query<Repository>(
    `select id, tenant, full_name as name, is_enabled as enabled from repository
     where connection = $1 and lower(full_name) = lower($2)`,
    [connection, name],
  )
  const change = `${repository?.name ?? name}#${address.number}`
  if (!repository) {
    const remedy = `No webhook of ${name} has arrived over the connection ${connection}. ${unheard}`
    return { connection, change, tenant: '', events: [], waits: [], remedy }
  }
  const { tenant, id } = repository
  const [deliveries, triggers, jobs, writes, commands] = await Promise.all([
    database.query<DeliveryRow>(deliveriesOf, [`${connection}/${id}/${address.number}`]),
    database.query<TriggerRow>(triggersOf, [connection, id, address.number]),
    database.query<JobRow>(jobsOf, [tenant, `${connection}/${id}#${address.number}`]),
    database.query<{ at: Date; job: number; head: string | null }>(writesOf, [
      ...[tenant, `${connection}/${id}#${address.number}`],
    ]),
    database.query<{ at: Date; name: string | null; outcome: string | null }>(commandsOf, [
      `${connection}/${id}/${address.number}`,
    ]),
  ])
  const events = [
    ...deliveries.map(({ action, at }) => ({ at, what: `webhook ${action}` })),
    ...triggers.map(tellTrigger),
    ...jobs.flatMap(tellJob),
    // What is decided on it, and its answer, are of one moment.
    ...deliveries.flatMap(tellAnswer),
    ...writes.map(({ at, job, head }) => ({ at, what: `job ${job} writes on the host${of(head)}` })),
    ...commands.map(({ at, name: word, outcome }) => ({
      at,
      what: `command ${word ?? ''}: ${outcome ?? 'not finished'}`,
    })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime())
  const last = jobs.at(-1)
  const waits = [
    ...deliveries.filter(({ settled }) => settled === null).map(tellWaiting),
    ...(await waitsOf(database, tenant, jobs)),
  ]
  const known = OutcomeReason.safeParse(last?.word)
  const remedy = !repository.enabled
    ? 'Reviews of this repository are turned off in the dashboard.'
    : events.length === 0
      ? `No webhook of this change request has arrived. ${unheard}`
      : known.success
        ? remedyOf(known.data)
        : null
  return { connection, change, tenant, events, waits, remedy }
}

const unheard =
  'On the host, look at the last deliveries of the webhook: its address, its secret, its events, and whether the App or the token may see the repository.'

/** For people. */
export function formatLife({ connection, change, tenant, events, waits, remedy }: Life): string {
  const head = `${change} over ${connection}${tenant === '' ? '' : `, tenant ${tenant}`}`
  const lines = events.map(({ at, what }) => `${at.toISOString().slice(0, 19).replace('T', ' ')}  ${what}`)
  const now = waits.length > 0 ? waits : ['Nothing is waited for.']
  const all = [
    head,
    '',
    ...lines,
    ...(lines.length > 0 ? [''] : []),
    ...now,
    ...(remedy === null ? [] : [remedy]),
  ]
  return all.map(visibleLine).join('\n')
}

const deliveriesOf = `select event->>'type' || coalesce(' ' || (event->>'action'), '') as action, received_at as at, attempts,
    case when not_before > now() then not_before end as next, settled_at as settled, result
  from webhook_delivery where lane = $1 order by number`
const triggersOf = `select decided_at as at, kind, asked_by as by, head, decision, job from review_trigger
  where connection = $1 and repository = $2 and number = $3 order by decided_at`
const jobsOf = `select id, kind, state, reason, last_error as error, result->>'reason' as word, result->>'run' as run, attempt,
    most_attempts as most, superseded_by as by, created_at as created, started_at as started, ended_at as ended,
    (select sum(usd) from spending where spending.tenant = job.tenant and spending.job = job.id) as usd
  from job where tenant = $1 and lane = $2 order by id`
const writesOf = `select began_at as at, job, head from publication where tenant = $1 and lane = $2 order by began_at`
const commandsOf = `select at, name, outcome from host_command where lane = $1 order by at`

function tellAnswer({ settled, result }: DeliveryRow): LifeEvent[] {
  return settled === null ? [] : [{ at: settled, what: `webhook answered: ${result ?? 'nothing to do'}` }]
}

function tellTrigger({ at, kind, by, head, decision, job }: TriggerRow): LifeEvent {
  const asked = by === null ? kind : `${kind} by ${by}`
  return { at, what: `decided on ${asked}${of(head)}: ${decision}${job === null ? '' : ` (job ${job})`}` }
}

function tellJob({ id, kind, created, started, ended, state, usd, ...row }: JobRow): LifeEvent[] {
  const tries = row.attempt > 1 ? ` after ${row.attempt} of ${row.most} attempts` : ''
  const cost = usd === null || usd === 0 ? '' : `, ${usd.toFixed(4)} USD`
  const why = row.reason ?? row.error
  const end = `job ${id} ended as ${state}${tries}${row.by === null ? '' : ` by job ${row.by}`}${cost}${row.run === null ? '' : `, run ${row.run}`}${why === null ? '' : `: ${why}`}`
  const failed = `job ${id} failed ${row.attempt} times: ${row.error}`
  return [
    { at: created, what: `job ${id} (${kind}) is in the queue` },
    ...(started === null ? [] : [{ at: started, what: `job ${id} begins` }]),
    ...(ended === null && row.error !== null ? [{ at: started ?? created, what: failed }] : []),
    ...(ended === null ? [] : [{ at: ended, what: end }]),
  ]
}

function tellWaiting({ action, attempts, next }: DeliveryRow): string {
  const after = attempts > 0 ? ` after ${attempts} failed attempts` : ''
  return `The webhook ${action} waits to be answered${after}${next === null ? '' : ` until ${next.toISOString()}`}.`
}

async function waitsOf(database: Database, tenant: string, jobs: readonly JobRow[]): Promise<string[]> {
  const open = jobs.filter(({ ended }) => ended === null)
  const kinds = [...new Set(open.map(({ kind }) => kind))]
  const whys = new Map(
    (await Promise.all(kinds.map((kind) => whyJobsWait(database, tenant, kind)))).flatMap((all) => [...all]),
  )
  return open.map(({ id, state }) =>
    state === 'running' ? `Job ${id} runs.` : `Job ${id} ${whys.get(id) ?? 'waits for the jobs before it'}.`,
  )
}

function of(head: string | null): string {
  return head === null ? '' : ` (${head.slice(0, 12)})`
}
