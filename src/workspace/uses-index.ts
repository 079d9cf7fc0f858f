/**
 * Which file of which repository uses something under which key, in one SQLite file of the cache folder. It says where to
 * look, and never what is there: a use is read again from the repository at the commit that is on record here.
 */
import { join } from 'node:path'
import { hashOfWord } from '../base/word-hashes.ts'
import type { FactStore } from '../code-index/contract.ts'
import type { SharedKind } from '../domain/shared-contract.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import { ProvidedContract } from '../domain/workspace.ts'
import { insertRows, placeholders, type SqlQueries } from '../storage/catalog/sql.ts'
import { openSqlite } from '../storage/catalog/sqlite.ts'
import { keysVersion, mayUse, readUseKeys, type UseKey } from './use-keys.ts'

/** A repository as it was read last. `name` is the caller's, and the same for as long as it is in the workspace. */
export type ReadRepository = {
  name: string
  commit: string
  tree: string
  /** ISO 8601, UTC. */
  committedAt: string
  /** For people: `acme/web`. */
  label: string
  /** Where it was cloned from, as it says itself; null where it was not. */
  originUrl: string | null
}

export type UsePath = { repository: string; path: string }

export type WantedUses = { keys: readonly string[]; names: readonly string[] | null }

/** An open change request of a repository, as its host listed it when it was fetched last. */
export type KeptChange = {
  number: number
  /** For people: `#12`. */
  name: string
  /** In a browser. */
  url: string
  /** As its host lists it; may be short. */
  listedHead: string
  /** The commit that was fetched; null where that was not possible. */
  head: string | null
  branch: string
  isFork: boolean
  /** Files that it changes, as its host lists them. */
  paths: readonly string[]
  /** What it is found by from another repository. */
  keys: readonly string[]
}

export type FoundChange = { repository: string; change: KeptChange }

export type UsesIndex = {
  repositories(): Promise<ReadRepository[]>
  /** Null for one that was not read. */
  repository(name: string): Promise<ReadRepository | null>
  /** Reads what differs from the last time, or everything. Returns how many files that were; null when there are more than `most`. */
  refresh(
    repository: ReadRepository,
    snapshot: RepoSnapshot,
    facts: FactStore,
    most?: number,
  ): Promise<number | null>
  /** Replaces what is known to be provided by a repository. */
  keepProvided(repository: string, contracts: readonly ProvidedContract[]): Promise<void>
  /** What `keepProvided` kept, in order of repositories. */
  provided(): Promise<ProvidedContract[]>
  /** In order of repository and path. `names`: exact names of the uses that are wanted; null for all under these keys. */
  find(kind: SharedKind, wanted: WantedUses, repositories: readonly string[]): Promise<UsePath[]>
  /** Replaces what is known of the open change requests of a repository. */
  keepChanges(repository: string, changes: readonly KeptChange[]): Promise<void>
  /** Of a repository, the newest first. */
  changesOf(repository: string): Promise<KeptChange[]>
  /** With one of these keys, in order of repository and number. */
  changesWith(keys: readonly string[]): Promise<FoundChange[]>
  /** Forgets these repositories. */
  remove(names: readonly string[]): Promise<void>
  close(): void
}

const schema = {
  version: 3_000 + keysVersion,
  tables: [
    `create table repository (
      name text primary key,
      commit_id text not null,
      tree text not null,
      committed_at text not null,
      label text not null,
      origin_url text
    )`,
    `create table use_key (
      key text not null,
      kind text not null,
      repository text not null,
      path text not null,
      names text,
      primary key (key, kind, repository, path)
    ) without rowid`,
    // `names`: those of `UseKey` as hashes, separated by spaces; null for any.
    // `contracts`: JSON, a list of `ProvidedContract`.
    'create table provided (repository text primary key, contracts text not null)',
    'create index use_key_by_path on use_key (repository, path)',
    // `change`: JSON, a `KeptChange`.
    `create table open_change (
      repository text not null,
      number integer not null,
      change text not null,
      primary key (repository, number)
    ) without rowid`,
    `create table change_key (
      key text not null,
      repository text not null,
      number integer not null,
      primary key (key, repository, number)
    ) without rowid`,
  ],
}

const selectRepository =
  'select name, commit_id as "commit", tree, committed_at as "committedAt", label, origin_url as "originUrl" from repository'

/** Rows and keys in one statement. */
const batch = 200
/** Beyond these, a tree is read again rather than by what differs. */
const mostDifferences = 5_000

/** `cacheFolder`: null keeps it in memory. */
export function openUsesIndex(cacheFolder: string | null): UsesIndex {
  const database = openSqlite(
    cacheFolder === null ? ':memory:' : join(cacheFolder, 'workspace.sqlite'),
    schema,
  )
  const repository = async (name: string) =>
    (await database.query<ReadRepository>(`${selectRepository} where name = $1`, [name]))[0] ?? null
  return {
    repositories: () => database.query<ReadRepository>(`${selectRepository} order by name`),
    repository,
    async refresh(fresh, snapshot, facts, most = Number.POSITIVE_INFINITY) {
      const { name, commit, tree, committedAt, label, originUrl } = fresh
      const known = await repository(name)
      if (known?.commit === commit) return 0
      const changed = known ? ((await snapshot.changesSince?.(known.tree, mostDifferences)) ?? null) : null
      const gone = changed?.map(({ path }) => path) ?? null
      const paths = changed
        ? changed.flatMap(({ after }) => (after ? [after.path] : []))
        : (await snapshot.list()).flatMap(({ path, mode }) => (mode.startsWith('100') ? [path] : []))
      const wanted = paths.filter(mayUse)
      if (wanted.length > most) return null
      const keys: UseKey[] = []
      for await (const found of readUseKeys(wanted, snapshot, facts)) keys.push(...found)
      await database.transaction(async (queries) => {
        await forget(queries, name, gone)
        await insertKeys(queries, name, keys)
        await queries.query('delete from repository where name = $1', [name])
        await insertRows(queries, 'repository (name, commit_id, tree, committed_at, label, origin_url)', [
          [name, commit, tree, committedAt, label, originUrl],
        ])
      })
      return wanted.length
    },
    async keepProvided(repository, contracts) {
      await insertRows(
        database,
        'provided (repository, contracts)',
        [[repository, JSON.stringify(contracts)]],
        'on conflict (repository) do update set contracts = excluded.contracts',
      )
    },
    async provided() {
      const rows = await database.query<{ contracts: string }>(
        'select contracts from provided order by repository',
      )
      return rows.flatMap(({ contracts }) => ProvidedContract.array().parse(JSON.parse(contracts)))
    },
    async find(kind, { keys, names }, among) {
      const found: UsePath[] = []
      const [hashes, repositories] = [names && new Set(names.map(hashOf)), new Set(among)]
      const isWanted = (row: UsePath & { names: string | null }) =>
        repositories.has(row.repository) &&
        (hashes === null || row.names === null || row.names.split(' ').some((hash) => hashes.has(hash)))
      for (let at = 0; at < keys.length; at += batch) {
        const some = keys.slice(at, at + batch)
        const rows = await database.query<UsePath & { names: string | null }>(
          `select repository, path, names from use_key
           where kind = $1 and key in (${placeholders(some, 2)}) order by repository, path`,
          [kind, ...some],
        )
        for (const row of rows.filter(isWanted)) found.push({ repository: row.repository, path: row.path })
      }
      return found
    },
    async keepChanges(repository, changes) {
      await database.transaction(async (queries) => {
        await forgetChanges(queries, repository)
        const rows = changes.map((one) => [repository, one.number, JSON.stringify(one)])
        await insertRows(queries, 'open_change (repository, number, change)', rows)
        const keys = changes.flatMap(({ number, keys }) => keys.map((key) => [key, repository, number]))
        await insertRows(queries, 'change_key (key, repository, number)', keys, 'on conflict do nothing')
      })
    },
    async changesOf(repository) {
      const rows = await database.query<{ change: string }>(
        'select change from open_change where repository = $1 order by number desc',
        [repository],
      )
      return rows.map(({ change }) => JSON.parse(change))
    },
    async changesWith(keys) {
      if (keys.length === 0) return []
      const rows = await database.query<{ repository: string; change: string }>(
        `select distinct o.repository, o.number, o.change
         from change_key k
         join open_change o on o.repository = k.repository and o.number = k.number
         where k.key in (${placeholders(keys, 1)}) order by o.repository, o.number`,
        [...keys],
      )
      return rows.map(({ repository, change }) => ({ repository, change: JSON.parse(change) }))
    },
    async remove(names) {
      await database.transaction(async (queries) => {
        for (const name of names) {
          await forget(queries, name, null)
          await forgetChanges(queries, name)
          await queries.query('delete from repository where name = $1', [name])
          await queries.query('delete from provided where repository = $1', [name])
        }
      })
    },
    close: () => database.close(),
  }
}

/** Two names that share one cost a look that finds nothing. */
function hashOf(name: string): string {
  return hashOfWord(name).toString(36)
}

async function forgetChanges(queries: SqlQueries, repository: string): Promise<void> {
  await queries.query('delete from open_change where repository = $1', [repository])
  await queries.query('delete from change_key where repository = $1', [repository])
}

/** Of these paths, or of all. */
async function forget(
  queries: SqlQueries,
  repository: string,
  paths: readonly string[] | null,
): Promise<void> {
  if (paths === null) await queries.query('delete from use_key where repository = $1', [repository])
  else
    for (let at = 0; at < paths.length; at += batch) {
      const some = paths.slice(at, at + batch)
      await queries.query(
        `delete from use_key where repository = $1 and path in (${placeholders(some, 2)})`,
        [repository, ...some],
      )
    }
}

async function insertKeys(queries: SqlQueries, repository: string, keys: readonly UseKey[]): Promise<void> {
  for (let at = 0; at < keys.length; at += batch)
    await insertRows(
      queries,
      'use_key (key, kind, repository, path, names)',
      keys
        .slice(at, at + batch)
        .map(({ key, kind, path, names }) => [
          key,
          kind,
          repository,
          path,
          names?.map(hashOf).join(' ') ?? null,
        ]),
      'on conflict do nothing',
    )
}
