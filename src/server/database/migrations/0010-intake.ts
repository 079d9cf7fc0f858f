import type { Migration } from './contract.ts'

/**
 * What hosts reported, and what was decided on it. See `src/server/intake`. `tenant` is empty in rows that belong to the
 * whole server, and in deliveries until it is known whose they are.
 */
export const intake: Migration = {
  name: '0010-intake',
  retained: [
    // As long as the same one could come again: `intake.replayHours`.
    { table: 'webhook_delivery', at: 'received_at', where: 'settled_at is not null', leastDays: 31 },
    { table: 'review_trigger', at: 'received_at' },
    { table: 'host_command', at: 'at' },
  ],
  statements: [
    `create table github_app (
      connection text primary key,
      tenant text not null default '',
      app_id text not null,
      slug text not null,
      web_url text not null,
      sealed text not null,
      made_at timestamptz not null default now()
    )`,
    `create table installation (
      connection text not null,
      id text not null,
      tenant text not null,
      account_id text not null,
      account text not null,
      state text not null check (state in ('active', 'suspended', 'removed')),
      seen_at timestamptz not null default now(),
      primary key (connection, id)
    )`,
    'create index installation_tenant on installation (tenant)',
    `create table repository (
      connection text not null,
      id text not null,
      tenant text not null,
      installation text,
      full_name text not null,
      is_private boolean not null,
      is_enabled boolean not null default true,
      seen_at timestamptz not null default now(),
      connected_at timestamptz not null default now(),
      reconciled_at timestamptz not null default '-infinity',
      -- What was open before it was connected is recorded.
      is_known boolean not null default false,
      primary key (connection, id)
    )`,
    'create index repository_tenant on repository (tenant, full_name)',
    `create table webhook_delivery (
      number bigint generated always as identity primary key,
      tenant text not null default '',
      connection text not null,
      id text not null,
      hash text not null,
      lane text not null,
      event jsonb not null,
      received_at timestamptz not null,
      not_before timestamptz not null default '-infinity',
      taken_until timestamptz,
      attempts int not null default 0,
      settled_at timestamptz,
      result text,
      unique (connection, id),
      unique (connection, hash)
    )`,
    'create index webhook_delivery_waiting on webhook_delivery (lane, number) where settled_at is null',
    'create index webhook_delivery_oldest on webhook_delivery (number) where settled_at is null',
    'create index webhook_delivery_received on webhook_delivery (received_at)',
    `create table review_trigger (
      id uuid primary key,
      tenant text not null,
      connection text not null,
      repository text not null,
      repository_name text not null,
      number int not null,
      kind text not null,
      asked_by text,
      head text,
      received_at timestamptz not null,
      decided_at timestamptz not null default now(),
      decision text not null,
      job bigint,
      owns_job boolean not null default false,
      hold_usd double precision not null default 0,
      state text,
      reason text
    )`,
    'create index review_trigger_tenant on review_trigger (tenant, decided_at)',
    'create index review_trigger_job on review_trigger (job)',
    `create table host_command (
      connection text not null,
      comment text not null,
      tenant text not null,
      lane text not null,
      actor text not null,
      at timestamptz not null default now(),
      -- Null until what it asked for is recorded.
      done_at timestamptz,
      primary key (connection, comment)
    )`,
    'create index host_command_lane on host_command (lane, at)',
    `create table api_token (
      hash text primary key,
      tenant text not null,
      name text not null,
      made_at timestamptz not null default now()
    )`,
    'create index api_token_tenant on api_token (tenant)',
    // When the failed deliveries of a connection were last sent again.
    `create table redelivery (
      connection text primary key,
      tenant text not null default '',
      at timestamptz not null default '-infinity'
    )`,
    'create index review_trigger_change on review_trigger (connection, repository, number, head)',
  ],
}
