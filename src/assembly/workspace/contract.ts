/** What a member of the workspace is, and what reading them takes. */
import { z } from 'zod'
import { RepositoryIdentity } from '../../domain/review-request.ts'
import type { RepositoryPlace } from '../../hosts/remote/contract.ts'
import type { ReadRepository } from '../../workspace/uses-index.ts'
import type { Services } from '../services.ts'

export type WorkspaceParts = Pick<
  Services,
  'settings' | 'environment' | 'facts' | 'folders' | 'signal' | 'now'
>

/**
 * What is on record of one that is on a host. `repository`: with the strictest visibility since it was fetched; null for one
 * that is lost. Times: ISO 8601, UTC.
 */
export const KeptRepository = z.object({
  repository: RepositoryIdentity.nullable(),
  askedAt: z.iso.datetime(),
  fetchedAt: z.iso.datetime().nullable(),
  /** Why it is not as it is now, or not there. */
  trouble: z.string().nullable(),
})
export type KeptRepository = z.infer<typeof KeptRepository>

/** One entry of the settings. `folder`: a git repository on this machine. `hosted`: of a web address. */
export type Member = {
  name: string
  folder: string
  hosted: { place: RepositoryPlace; kept: KeptRepository | null } | null
  /** Why it cannot be read; null where nothing is known to be wrong. */
  trouble: string | null
}
export type HostedMember = Member & { hosted: NonNullable<Member['hosted']> }

/** One that the index has, and how much of it may be said. */
export type Readable = { member: Member; at: ReadRepository; shown: 'whole' | 'counts' }

/** Called as its host said last. */
export function placeNow({ place, kept }: HostedMember['hosted']): RepositoryPlace {
  const { owner, name } = kept?.repository ?? place
  return { ...place, owner, name }
}

export function isHosted(member: Member): member is HostedMember {
  return member.hosted !== null
}
