import type { Migration } from './contract.ts'

/**
 * By what the open change requests of a tenant are known to belong together, whichever of its repositories they are in. `found_in`:
 * `words` of its author, or a review: that another one changes what `uses` this, or that this changes what `used` the other.
 * See `src/server/intake/companions.ts`.
 */
export const changeKeys: Migration = {
  name: '0057-change-keys',
  retained: [{ table: 'change_key', at: 'at' }],
  statements: [
    `create table change_key (
       tenant text not null,
       connection text not null,
       repository text not null,
       number integer not null,
       key text not null,
       found_in text not null,
       at timestamptz not null default now(),
       primary key (tenant, connection, repository, number, key))`,
    'create index change_key_by_key on change_key (tenant, key)',
  ],
}
