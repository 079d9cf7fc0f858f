/** The check as a build of a commit, which Bitbucket Cloud and Data Center have alike: a key, a state, and one line. */
import { z } from 'zod'
import { unlessUnknown } from './answers.ts'
import type { OwnCheck, PlannedCheck } from './contract.ts'
import { checkOfStatus, statusOf } from './status.ts'

export const buildKey = 'sightline'
const states = { queued: 'INPROGRESS', running: 'INPROGRESS', success: 'SUCCESSFUL', failure: 'FAILED' }

const Build = z.object({ state: z.string(), description: z.string().nullish() })

/** Whoever may write a build may write this one; the host does not say who did. */
export async function checkOfBuild(read: () => Promise<unknown>): Promise<OwnCheck | null> {
  const found = await unlessUnknown(read)
  if (found === null) return null
  const { state, description = null } = Build.parse(found)
  return checkOfStatus({ state: state === 'INPROGRESS' ? 'running' : state, description })
}

/** `page`: of the change request. */
export function buildOf(check: PlannedCheck, page: string) {
  return { ...statusOf(check, states), key: buildKey, name: 'Sightline', url: check.url ?? page }
}
