import type { Migration } from './contract.ts'

/** Until when a host wants nothing to be written: `host` is the name of the file in which the publishers of a server have it. */
export const writePauses: Migration = {
  name: '0056-write-pauses',
  retained: [{ table: 'write_pause', at: 'until' }],
  statements: [
    `create table write_pause (
       tenant text not null,
       host text not null,
       until timestamptz not null,
       primary key (tenant, host))`,
  ],
}
