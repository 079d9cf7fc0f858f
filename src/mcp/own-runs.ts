/** Recorded reviews of the repository that an agent works in. Those of other repositories are none of its business. */
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { defaultConfig } from '../config/schema.ts'
import { Review } from '../domain/review.ts'
import { collectLocal } from '../hosts/local/collect.ts'
import { findRun, listRuns, readKept } from '../storage/runs/stored-run.ts'
import type { AgentSession } from './contract.ts'

/** The newest runs that are searched for the last one of this repository. */
const mostSearched = 200

/** For `readOwnRun`. */
export const runArgument = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('The run. Default: the last review of this repository.')

export type OwnRun = { run: string; review: Review }

/**
 * A finished review by the name of its run, or the last one. Rejects with `run-unknown`, also for a run of another
 * repository, and with `run-unreadable`.
 */
export async function readOwnRun(asked: string | undefined, session: AgentSession): Promise<OwnRun> {
  const { runs } = session.services
  const label = await repositoryLabel(session)
  const name = asked ?? (await lastRun(label, session))
  const { run } = await findRun(runs, name)
  if (run.header.repository !== label)
    throw new UserError('run-unknown', `there is no run ${name} of this repository`)
  const kept = await readKept(run, runs.keyFolder)
  return { run: run.header.run, review: Review.parse(JSON.parse(kept.review)) }
}

async function lastRun(label: string, { services: { runs } }: AgentSession): Promise<string> {
  const listed = await listRuns(runs, mostSearched)
  const last = listed.runs.find(
    ({ header, state }) =>
      header.repository === label && state === 'finished' && header.options.ask === undefined,
  )
  if (last) return last.header.run
  throw new UserError('run-unknown', 'this repository has no recorded review; call review_change first')
}

async function repositoryLabel({ folder, services }: AgentSession): Promise<string> {
  const { settings, signal } = services
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const { borrowFrom } = settings.repositories
  const change = await collectLocal({ folder, selector, limits: defaultConfig.limits, borrowFrom, signal })
  await change.close()
  return change.repositoryLabel
}
