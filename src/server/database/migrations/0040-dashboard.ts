import { catalogTables } from '../../../storage/catalog/sql-catalog.ts'
import type { Migration } from './contract.ts'

/** What the dashboard and the API need: the catalog of runs, sessions, tokens with scopes, and who changed what. */
export const dashboard: Migration = {
  name: '0040-dashboard',
  retained: [
    { table: 'run_catalog', at: 'kept_at' },
    { table: 'run_row', at: 'kept_at' },
    { table: 'web_session', at: 'expires_at' },
  ],
  statements: [
    ...catalogTables,
    // Rows go when the runs go; what was counted of them stays.
    'alter table run_catalog add column kept_at timestamptz not null default now()',
    'alter table run_row add column kept_at timestamptz not null default now()',
    "alter table api_token add column scopes text not null default 'read'",
    'alter table api_token add column expires_at timestamptz',
    'alter table api_token add column last_used_at timestamptz',
    // A browser that was signed in with a token; the session ends with it.
    `create table web_session (
      hash text primary key,
      tenant text not null,
      token text not null references api_token (hash) on delete cascade,
      csrf text not null,
      expires_at timestamptz not null
    )`,
    'create index web_session_tenant on web_session (tenant)',
    'create index web_session_token on web_session (token)',
    `create table audit_entry (
      tenant text not null,
      id bigint generated always as identity,
      at timestamptz not null default now(),
      actor_kind text not null,
      actor_name text not null,
      action text not null,
      target text not null,
      detail jsonb not null default '{}',
      primary key (tenant, id)
    )`,
  ],
}
