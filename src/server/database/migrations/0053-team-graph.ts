import { graphTables } from '../../../storage/catalog/sql-graph.ts'
import type { Migration } from './contract.ts'

/** Change requests with their people, files, tickets and findings; kept as long as the runs that they were read from. */
export const teamGraph: Migration = {
  name: '0053-team-graph',
  retained: [
    { table: 'graph_edge', at: 'seen_at' },
    { table: 'graph_node', at: 'seen_at' },
  ],
  statements: graphTables,
}
