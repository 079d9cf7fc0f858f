/** What an agent may see of a server: what is of the tenant and the repositories of its token. */
import type { LedgerStore } from '../../ledger/contract.ts'
import type { Catalog, TeamGraph } from '../../storage/catalog/contract.ts'
import { ToolError } from '../../tools/contract.ts'
import { recordChange } from '../api/audit.ts'
import { OpenedRuns } from '../api/opened-runs.ts'
import type { RunHome } from '../api/run-handlers.ts'
import type { Queries } from '../database/contract.ts'
import { type Caller, namesWithin } from '../http/caller.ts'
import { Refused } from '../http/contract.ts'
import type { DeliveryWriter } from '../intake/deliveries.ts'
import { readTrigger } from '../intake/triggers.ts'
import type { AgentHome } from './tools.ts'

export type AgentHomeParts = {
  database: Pick<Queries, 'query'>
  catalogOf(tenant: string): Pick<Catalog, 'get' | 'list'>
  graphOf(tenant: string): TeamGraph
  ledgerOf(tenant: string): Pick<LedgerStore, 'read'>
  homeOf(tenant: string): Promise<RunHome>
  /** As runs name the host of a connection. */
  hostOf(connection: string): string
  /** Null where nothing can be queued. */
  writer: Pick<DeliveryWriter, 'write'> | null
}

export function agentHome(parts: AgentHomeParts, caller: Caller): AgentHome {
  const { database, catalogOf, graphOf, ledgerOf, homeOf, hostOf, writer } = parts
  const { tenant, scopes } = caller
  const among = namesWithin(caller)
  const find = async (repository: string): Promise<Row | undefined> => {
    if (among !== null && !among.includes(repository)) return undefined
    const rows = await database.query<Row>(
      'select connection, id, installation, full_name, is_enabled from repository where tenant = $1',
      [tenant],
    )
    return rows.find((row) => `${hostOf(row.connection)}/${row.full_name}` === repository)
  }
  return {
    mayReview: writer !== null && scopes.has('review'),
    among,
    catalog: catalogOf(tenant),
    graph: graphOf(tenant),
    async readReview(run) {
      const row = await catalogOf(tenant).get(run)
      if (!row || !(among?.includes(row.repository) ?? true)) return null
      try {
        return (await new OpenedRuns((await homeOf(tenant)).runs).get(run)).review
      } catch (error) {
        if (error instanceof Refused) return null
        throw error
      }
    },
    knows: async (repository) => (await find(repository)) !== undefined,
    readEvents: async (repository) => (await ledgerOf(tenant).read(repository)).events,
    async askForReview(repository, number) {
      const found = await find(repository)
      if (!found?.is_enabled || !writer) throw new ToolError('reviews of this repository are turned off')
      const { connection, id, installation, full_name: fullName } = found
      const receivedAt = new Date()
      const name = `agent ${connection}/${id}/${number} ${receivedAt.toISOString()}`
      // First, so that no request is without its line, whatever ends this process.
      await recordChange(database, caller, { action: 'review.request', target: `${repository}#${number}` })
      await writer.write({
        connection,
        id: name,
        hash: name,
        receivedAt,
        event: {
          type: 'change',
          repository: { id, fullName },
          installation,
          number,
          action: 'asked by an agent',
          head: null,
        },
      })
      return async () => {
        // The newest one, once it is decided on what was asked for.
        const [trigger] = await database.query<{ id: string }>(
          `select t.id from review_trigger t join webhook_delivery d on d.connection = t.connection
           where t.tenant = $1 and t.connection = $2 and t.repository = $3 and t.number = $4
             and d.id = $5 and d.settled_at is not null
           order by t.decided_at desc limit 1`,
          [tenant, connection, id, number, name],
        )
        const ended = trigger && (await readTrigger(database, tenant, trigger.id, null))
        return ended && ended.state !== 'waiting' ? ended : null
      }
    },
  }
}

type Row = {
  connection: string
  id: string
  installation: string | null
  full_name: string
  is_enabled: boolean
}
