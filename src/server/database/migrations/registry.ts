import { tenants } from './0001-tenants.ts'
import { queue } from './0002-queue.ts'
import { intake } from './0010-intake.ts'
import { jobs } from './0020-jobs.ts'
import { ledger } from './0030-ledger.ts'
import { dashboard } from './0040-dashboard.ts'
import { commands } from './0041-commands.ts'
import { signIn } from './0050-sign-in.ts'
import { progress } from './0051-progress.ts'
import { dashboardQuestions } from './0052-dashboard-questions.ts'
import { teamGraph } from './0053-team-graph.ts'
import { titles } from './0055-titles.ts'
import { writePauses } from './0056-write-pauses.ts'
import { changeKeys } from './0057-change-keys.ts'
import type { Migration } from './contract.ts'

/** In the order of their names. */
export const migrations: readonly Migration[] = [
  tenants,
  queue,
  intake,
  jobs,
  ledger,
  dashboard,
  commands,
  signIn,
  progress,
  dashboardQuestions,
  teamGraph,
  titles,
  writePauses,
  changeKeys,
]
