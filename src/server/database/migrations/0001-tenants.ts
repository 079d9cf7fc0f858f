import type { Migration } from './contract.ts'

/** Who uses the server. `tenant` is a name of the operator's choice, such as `acme` or `github.com/acme`. */
export const tenants: Migration = {
  name: '0001-tenants',
  statements: [
    `create table tenant (
      tenant text primary key,
      created_at timestamptz not null default now(),
      -- How long jobs, deliveries, runs and blobs are kept.
      keep_days int not null default 30 check (keep_days >= 1),
      -- How many jobs run at the same time, and the share of the workers when there are not enough.
      most_running int not null default 8 check (most_running >= 1),
      weight double precision not null default 1 check (weight > 0)
    )`,
  ],
}
