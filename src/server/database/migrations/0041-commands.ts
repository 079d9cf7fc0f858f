import type { Migration } from './contract.ts'

/** What commands in comments came to. See `src/server/intake/commands.ts`. */
export const commands: Migration = {
  name: '0041-commands',
  statements: [
    // In words of ours: no text of the comment.
    'alter table host_command add column name text',
    'alter table host_command add column outcome text',
    'alter table host_command add column is_refused boolean not null default false',
  ],
}
