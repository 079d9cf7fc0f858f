import type { Migration } from './contract.ts'

/** What its author called a change, for the queue. Foreign. */
export const titles: Migration = {
  name: '0055-titles',
  statements: ['alter table review_trigger add column title text'],
}
