/**
 * The graph of a team in tables, beside the catalog: change requests with their people, files, symbols, tickets, findings
 * and errors. It grows with every review that is put into the catalog, and all of it can be computed again from the runs.
 */
import type { EarlierCommit, GraphNode, GraphPart, RelatedReview, TeamGraph } from './contract.ts'
import { insertRows, type SqlBackend, type SqlParameter, type SqlQueries } from './sql.ts'

/** `seen_at`: start of the newest run that says so. */
export const graphTables: readonly string[] = [
  `create table graph_node (
    tenant text not null,
    repository text not null,
    kind text not null,
    name text not null,
    label text not null,
    seen_at timestamptz not null,
    primary key (tenant, repository, kind, name)
  )`,
  `create table graph_edge (
    tenant text not null,
    repository text not null,
    from_kind text not null,
    from_name text not null,
    relation text not null,
    to_kind text not null,
    to_name text not null,
    seen_at timestamptz not null,
    primary key (tenant, repository, from_kind, from_name, relation, to_kind, to_name)
  )`,
  'create index graph_edge_to on graph_edge (tenant, repository, to_kind, to_name, from_kind)',
]

/** Rows in one statement with a parameter for each value. */
const batch = 100

/** Adds what one run says; a newer title of a node takes the place of an older one. */
export async function putGraph(
  queries: SqlQueries,
  tenant: string,
  repository: string,
  { nodes, edges }: GraphPart,
  seenAt: string,
): Promise<void> {
  // Always in one order, so that two processes that write the same rows wait for each other and never in a circle.
  const sorted = [...nodes].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  await insertAll(
    queries,
    'graph_node (tenant, repository, kind, name, label, seen_at)',
    sorted.map(({ kind, key, label }) => [tenant, repository, kind, key, label, seenAt]),
    `on conflict (tenant, repository, kind, name) do update set label = excluded.label, seen_at = excluded.seen_at
       where excluded.seen_at >= graph_node.seen_at`,
  )
  const rows = edges.map(({ from, relation, to }) => [
    ...[tenant, repository, from.kind, from.key, relation, to.kind, to.key, seenAt],
  ])
  await insertAll(
    queries,
    'graph_edge (tenant, repository, from_kind, from_name, relation, to_kind, to_name, seen_at)',
    rows.sort((a, b) => (a.join('\0') < b.join('\0') ? -1 : 1)),
    `on conflict (tenant, repository, from_kind, from_name, relation, to_kind, to_name) do update
       set seen_at = excluded.seen_at where excluded.seen_at > graph_edge.seen_at`,
  )
}

export function openSqlGraph(database: Pick<SqlBackend, 'query'>, tenant: string): TeamGraph {
  return {
    async reviewsOf(repository, { paths, symbols = [], limit }) {
      const asked = [...paths.map((name) => ['file', name]), ...symbols.map((name) => ['symbol', name])]
      if (asked.length === 0) return []
      const listed = asked.map((_, at) => `($${at * 2 + 3}, $${at * 2 + 4})`).join(', ')
      // A change touches a symbol through the finding that is about it.
      const near = await database.query<{ name: string; label: string; seen: string }>(
        `select change.name as name, change.label as label, cast(max(near.seen_at) as text) as seen from (
           select from_name as change, seen_at from graph_edge
             where tenant = $1 and repository = $2 and from_kind = 'change' and (to_kind, to_name) in (values ${listed})
           union all
           select has.from_name as change, has.seen_at from graph_edge inner_edge
             join graph_edge has on has.tenant = $1 and has.repository = $2 and has.to_kind = inner_edge.from_kind
               and has.to_name = inner_edge.from_name and has.from_kind = 'change'
             where inner_edge.tenant = $1 and inner_edge.repository = $2 and inner_edge.from_kind = 'finding'
               and (inner_edge.to_kind, inner_edge.to_name) in (values ${listed})
         ) near join graph_node change on change.tenant = $1 and change.repository = $2 and change.kind = 'change'
           and change.name = near.change
         group by change.name, change.label order by seen desc, name desc limit $${asked.length * 2 + 3}`,
        [tenant, repository, ...asked.flat(), limit],
      )
      return await Promise.all(near.map((row) => describe(repository, row)))
    },

    async commitsOf(repository, { paths, limit }) {
      if (paths.length === 0) return []
      const listed = paths.map((_, at) => `$${at + 3}`).join(', ')
      const rows = await database.query<{ name: string; title: string }>(
        `select node.name as name, node.label as title from graph_node node
         where node.tenant = $1 and node.repository = $2 and node.kind = 'commit' and exists (
           select 1 from graph_edge edge where edge.tenant = $1 and edge.repository = $2 and edge.from_kind = 'commit'
             and edge.from_name = node.name and edge.relation = 'changes' and edge.to_kind = 'file'
             and edge.to_name in (${listed}))
         order by node.label desc, node.name limit $${paths.length + 3}`,
        [tenant, repository, ...paths, limit],
      )
      return await Promise.all(
        rows.map(({ name, title }) => describeCommit(repository, { commit: name, title })),
      )
    },
  }

  async function describe(
    repository: string,
    { name, label, seen }: { name: string; label: string; seen: string },
  ): Promise<RelatedReview> {
    const rows = await database.query<{
      relation: string
      kind: GraphNode['kind']
      key: string
      label: string
    }>(
      `select edge.relation as relation, node.kind as kind, node.name as key, node.label as label from graph_edge edge
       join graph_node node on node.tenant = $1 and node.repository = $2 and node.kind = edge.to_kind and node.name = edge.to_name
       where edge.tenant = $1 and edge.repository = $2 and edge.from_kind = 'change' and edge.from_name = $3
       order by edge.relation, node.kind, node.name limit ${mostEdges}`,
      [tenant, repository, name],
    )
    const after = await database.query<{ label: string }>(
      `select distinct error.label as label from graph_edge touched
       join graph_edge ran on ran.tenant = $1 and ran.repository = $2 and ran.from_kind = 'error' and ran.relation = 'in'
         and ran.to_kind = touched.to_kind and ran.to_name = touched.to_name and ran.seen_at >= touched.seen_at
       join graph_node error on error.tenant = $1 and error.repository = $2 and error.kind = 'error' and error.name = ran.from_name
       where touched.tenant = $1 and touched.repository = $2 and touched.from_kind = 'change' and touched.from_name = $3
         and touched.relation = 'changes' and not exists (
           select 1 from graph_edge knew where knew.tenant = $1 and knew.repository = $2 and knew.from_kind = 'change'
             and knew.from_name = $3 and knew.relation = 'knew' and knew.to_kind = 'error' and knew.to_name = ran.from_name)
       order by error.label limit ${mostErrors}`,
      [tenant, repository, name],
    )
    const ofKind = (kind: GraphNode['kind']) => rows.filter((row) => row.kind === kind)
    return {
      change: name,
      title: label,
      reviewedAt: timeOf(seen),
      by: rows.find(({ relation }) => relation === 'by')?.key ?? null,
      discussedBy: rows.flatMap(({ relation, key }) => (relation === 'discussed-by' ? [key] : [])),
      files: ofKind('file').map(({ key }) => key),
      symbols: ofKind('symbol').map(({ key }) => key),
      tickets: ofKind('ticket').map(({ key }) => key),
      findings: ofKind('finding').map((row) => row.label),
      overlaps: ofKind('change').map(({ key }) => key),
      errorsAfter: after.map((row) => row.label),
    }
  }

  async function describeCommit(
    repository: string,
    { commit, title }: { commit: string; title: string },
  ): Promise<EarlierCommit> {
    const rows = await database.query<{ relation: string; name: string }>(
      `select relation, to_name as name from graph_edge where tenant = $1 and repository = $2
         and from_kind = 'commit' and from_name = $3 and relation in ('by', 'answers') order by relation, to_name`,
      [tenant, repository, commit],
    )
    return {
      commit,
      title,
      by: rows.find(({ relation }) => relation === 'by')?.name ?? null,
      tickets: rows.flatMap(({ relation, name }) => (relation === 'answers' ? [name] : [])),
    }
  }
}

const mostEdges = 500
const mostErrors = 10

/** PostgreSQL writes `2026-11-21 06:15:02.103+00`. */
function timeOf(seen: string): string {
  return new Date(seen.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString()
}

function keyOf({ kind, key }: Pick<GraphNode, 'kind' | 'key'>): string {
  return `${kind}\0${key}`
}

async function insertAll(
  queries: SqlQueries,
  into: string,
  rows: readonly (readonly SqlParameter[])[],
  then: string,
): Promise<void> {
  for (let at = 0; at < rows.length; at += batch)
    await insertRows(queries, into, rows.slice(at, at + batch), then)
}
