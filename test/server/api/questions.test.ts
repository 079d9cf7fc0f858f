/** A question from the dashboard becomes a job: without a secret that somebody typed, within the budgets, and on record. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostedConversations } from '../../../src/server/api/hosted-conversations.ts'
import type { Database } from '../../../src/server/database/contract.ts'
import { nobody, scopesOf } from '../../../src/server/http/caller.ts'
import { reviewKind } from '../../../src/server/jobs/contract.ts'
import { openQueue } from '../../../src/server/queue/sql-queue.ts'
import { ServerSettings } from '../../../src/server/settings/schema.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'
import { ownFolders } from '../../helpers/sightline.ts'

const caller = {
  ...nobody,
  ...{ kind: 'token', name: 'ours', tenant: 'acme', scopes: new Set(scopesOf.admin) },
} as const
const secret = `ghp_${'Zq3vXw8RtB5nMk2LpYc7DfGh4JsA1eUo6iTx'}`
const run = '20261130-101010-abcdef'
const payload = {
  ...{ address: 'https://github.com/acme/shop/pull/1', connection: 'github', installation: null },
  ...{ repository: { host: 'github.com', id: '1', name: 'acme/shop' }, number: 1, head: 'a'.repeat(40) },
  trigger: { id: 't', kind: 'opened', by: null },
  decision: { kind: 'review', depth: 'auto', budgetUsd: 1, notice: null },
}

let database: Database
beforeAll(async () => {
  database = await openEmptyDatabase()
  const { id } = await openQueue(database).enqueue({
    ...{ tenant: 'acme', kind: reviewKind, lane: 'github/1#1', contentKey: 'a', payload },
  })
  await database.query(
    `update job set state = 'reviewed', ended_at = now(), result = $2::jsonb where id = $1`,
    [id, JSON.stringify({ run })],
  )
})
afterAll(() => database.close())

function conversations(daily: number | null) {
  const settings = ServerSettings.parse({ budget: { perReview: 1, ...(daily === null ? {} : { daily }) } })
  return hostedConversations({
    ...{ database, settings, environment: ownFolders(), now: () => new Date() },
    queue: openQueue(database),
  })
}
const call = { ...{ caller, parameters: { run }, query: {} }, signal: AbortSignal.abort() }
const ask = (daily: number | null, question: string) =>
  conversations(daily).ask({ ...call, body: { question, isNew: false } } as never)
const replay = (daily: number) => conversations(daily).replay({ ...call, body: { budgetUsd: 1 } } as never)

test('what is kept of a question holds no secret, and the audit log says who asked', async () => {
  await ask(null, `is ${secret} used?`)
  const rows = await database.query(`select payload from job where kind = 'question'`)
  expect(JSON.stringify(rows)).toContain('is ghp_… used?')
  expect(JSON.stringify(rows)).not.toContain(secret)
  const audit = await database.query('select actor_name, action, target from audit_entry')
  expect(audit).toEqual([{ actor_name: 'ours', action: 'run.ask', target: run }])
})

test('a budget that is used up answers no question, and repeats what is on record all the same', async () => {
  // The question above holds what it may cost.
  await expect(ask(1, 'why?')).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('No money is left'),
  })
  await replay(1)
  const jobs = await database.query(`select payload->'decision'->>'kind' as kind from job order by id`)
  expect(jobs).toEqual([{ kind: 'review' }, { kind: 'answer' }, { kind: 'replay' }])
})
