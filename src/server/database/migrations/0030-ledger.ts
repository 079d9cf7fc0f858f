import type { Migration } from './contract.ts'

/** What became of findings, as events that are only appended. See `src/server/ledger`. */
export const ledger: Migration = {
  name: '0030-ledger',
  statements: [
    `create table ledger_event (
      tenant text not null,
      -- As JSON text, like the event: neither need be what the database takes for text.
      repository text not null,
      id text not null,
      number bigint generated always as identity,
      event text not null,
      primary key (tenant, repository, id)
    )`,
    'create index ledger_event_number on ledger_event (tenant, repository, number)',
  ],
}
