import type { Migration } from './contract.ts'

/** How far a running job is. See `src/server/jobs/progress.ts`. */
export const progress: Migration = {
  name: '0051-progress',
  statements: [
    // Written with the heartbeats of its worker; null while nobody works on it.
    'alter table job add column progress jsonb',
  ],
}
