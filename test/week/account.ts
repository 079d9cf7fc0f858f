/** What is right and wrong on the hosts and in the database once a week is over. */
import { tablesOf, tenantTables } from '../../src/server/admin/tables.ts'
import type { Database } from '../../src/server/database/contract.ts'
import type { WeekHost } from './hosts.ts'
import { deletedOwner } from './plan.ts'
import type { OpenChange } from './week.ts'

export type Account = {
  /** Change requests that were looked at, and findings that have a thread there. */
  changes: number
  threads: number
  /** What is wrong, with the change. */
  wrong: string[]
  /** What a host would have frowned at, by how often. */
  violations: Record<string, number>
  /** Jobs by kind, state and reason. */
  jobs: Record<string, number>
  rows: Record<string, number>
}

type Parts = {
  database: Database
  hosts: readonly WeekHost[]
  changes: readonly OpenChange[]
  deletedTenants: readonly string[]
}

export async function account({ database, hosts, changes, deletedTenants }: Parts): Promise<Account> {
  const kept = changes.filter(({ planned }) => planned.owner !== deletedOwner)
  const wrong = kept.flatMap(wrongIn)
  const violations: Record<string, number> = {}
  for (const { fake, name } of hosts)
    for (const one of fake.violations) {
      const what = `${name}: ${one.replace(/\d{2,}|[0-9a-f]{12,}/g, '…')}`
      violations[what] = (violations[what] ?? 0) + 1
    }
  const jobs = await database.query<{ kind: string; state: string; reason: string | null; count: number }>(
    'select kind, state, reason, count(*)::int as count from job group by 1, 2, 3 order by 1, 2, 3',
  )
  const owned = new Set(await tenantTables(database))
  const rows: Record<string, number> = {}
  for (const name of await tablesOf(database)) {
    const [all] = await database.query<{ count: number }>(`select count(*)::int as count from "${name}"`)
    rows[name] = all?.count ?? 0
    if (!owned.has(name)) continue
    const [left] = await database.query<{ count: number }>(
      `select count(*)::int as count from "${name}" where tenant = any($1::text[])`,
      [deletedTenants],
    )
    if (left && left.count > 0) wrong.push(`${left.count} rows of a deleted tenant are in ${name}`)
  }
  const [waiting] = await database.query<{ count: number }>(
    'select count(*)::int as count from webhook_delivery where settled_at is null',
  )
  if (waiting && waiting.count > 0) wrong.push(`${waiting.count} webhooks were never answered`)
  for (const { state, count } of jobs)
    if (state === 'queued' || state === 'running') wrong.push(`${count} jobs are ${state} still`)
  return {
    ...{ changes: kept.length, wrong, violations, rows },
    threads: kept.reduce((sum, { bugs }) => sum + bugs.ownThreads().length, 0),
    jobs: Object.fromEntries(
      jobs.map(({ kind, state, reason, count }) => [[kind, state, reason].filter(Boolean).join(' '), count]),
    ),
  }
}

function wrongIn({ host, planned, bugs }: OpenChange): string[] {
  const { change, story } = bugs
  const name = `${planned.host} ${planned.owner}/${planned.repository} ${change.number}`
  const marks = host.marksOf(change, change.head)
  const wrong: string[] = []
  if (change.state === 'open') {
    if (marks.length === 0) wrong.push('its head has no check')
    try {
      bugs.check()
    } catch (error) {
      wrong.push((error as Error).message.split('\n')[0] ?? '')
    }
  }
  // A check that has ended is replaced by a new one of its name, which hides it; one that waits would wait for ever.
  if (marks.some(({ isEnded }) => !isEnded)) wrong.push('its check never ended')
  return wrong.map((one) => `${name}: ${one} (after ${story.told.join(', ')})`)
}
