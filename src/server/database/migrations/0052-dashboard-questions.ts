import type { Migration } from './contract.ts'

/** What people ask of a review in the dashboard. See `src/server/api/hosted-conversations.ts`. */
export const dashboardQuestions: Migration = {
  name: '0052-dashboard-questions',
  // The job that made a run says whose it is, and of which change.
  statements: [`create index job_run on job (tenant, (result->>'run')) where result->>'run' is not null`],
}
