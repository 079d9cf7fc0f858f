import type { Migration } from './contract.ts'

/** What workers keep beside the queue: who may have written to a host when, and what reviews cost. See `src/server/jobs`. */
export const jobs: Migration = {
  name: '0020-jobs',
  retained: [
    { table: 'publication', at: 'last_at' },
    // Budgets of a month count it.
    { table: 'spending', at: 'last_at', leastDays: 32 },
    { table: 'shown', at: 'taken_at' },
  ],
  statements: [
    // One row for each claim that was about to write, made in a transaction in which the claim held.
    `create table publication (
      tenant text not null,
      job bigint not null,
      fence bigint not null,
      lane text not null,
      head text,
      -- The first and the last time it was let through.
      began_at timestamptz not null default now(),
      last_at timestamptz not null default now(),
      primary key (tenant, job, fence)
    )`,
    'create index publication_began on publication (tenant, began_at)',
    // What each claim spent on live calls of models, also one that was killed.
    `create table spending (
      tenant text not null,
      job bigint not null,
      fence bigint not null,
      host text not null,
      repository text not null,
      usd double precision not null,
      unpriced_calls int not null,
      began_at timestamptz not null default now(),
      last_at timestamptz not null default now(),
      primary key (tenant, job, fence)
    )`,
    'create index spending_began on spending (tenant, began_at)',
    // Jobs that ended without a worker, and are shown on the host by whoever takes the row.
    `create table shown (
      tenant text not null,
      job bigint not null,
      taken_at timestamptz not null default now(),
      primary key (tenant, job)
    )`,
  ],
}
