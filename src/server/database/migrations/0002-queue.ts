import type { Migration } from './contract.ts'

/** Jobs, and whose turn it is. See `src/server/queue`. */
export const queue: Migration = {
  name: '0002-queue',
  retained: [{ table: 'job', at: 'ended_at' }],
  statements: [
    `create table job (
      tenant text not null,
      id bigint generated always as identity,
      kind text not null,
      -- Jobs of one lane run one after the other: a change request is a lane.
      lane text not null,
      content_key text not null,
      payload jsonb not null,
      priority smallint not null default 0,
      state text not null default 'queued' check (state in
        ('queued', 'running', 'reviewed', 'partly', 'not-reviewed', 'superseded', 'skipped')),
      reason text,
      actor text,
      result jsonb,
      -- What a running job is to end as, because it is no longer wanted; its worker learns it with the next heartbeat.
      stop text check (stop in ('superseded', 'skipped')),
      superseded_by bigint,
      attempt int not null default 0,
      most_attempts int not null default 5,
      last_error text,
      -- Of the claim that is on. Numbers only grow, so that an older claim is known to be one.
      fence bigint,
      worker text,
      lease_until timestamptz,
      run_at timestamptz not null default now(),
      give_up_at timestamptz not null,
      created_at timestamptz not null default now(),
      changed_at timestamptz not null default now(),
      started_at timestamptz,
      ended_at timestamptz,
      primary key (tenant, id)
    ) with (fillfactor = 70)`,
    'create sequence job_fence',
    `create index job_queued on job (tenant, kind, priority desc, id) where state = 'queued'`,
    'create index job_lane on job (tenant, lane, id desc)',
    // Two of one lane never run at the same time, whatever else goes wrong.
    `create unique index job_lane_running on job (tenant, lane) where state = 'running'`,
    `create index job_running on job (tenant, kind) where state = 'running'`,
    `create index job_changed on job (changed_at) where state in ('queued', 'running')`,
    'create index job_ended on job (tenant, ended_at) where ended_at is not null',
    // Fair shares: who has used least goes first. A tenant is looked at when its time has come.
    `create table job_turn (
      tenant text not null,
      kind text not null,
      used double precision not null default 0,
      -- Nothing of this tenant can be claimed earlier; null: it has nothing.
      next_at timestamptz,
      primary key (tenant, kind)
    ) with (fillfactor = 50)`,
    'create index job_turn_next on job_turn (kind, used, tenant) where next_at is not null',
  ],
}
