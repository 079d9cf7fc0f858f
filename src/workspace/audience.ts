/**
 * What the review of a change may say of another repository: whoever reads a comment must be allowed to read what it quotes.
 * Where a host does not say who may read one, or says that fewer may, the answer is the smaller one.
 */
import type { RepositoryIdentity } from '../domain/review-request.ts'
import { isPublicServer } from '../hosts/remote/addresses.ts'

type Reviewed = Pick<RepositoryIdentity, 'host' | 'owner' | 'visibility'>

/** `unsaid`: no host was asked, as of a folder. `unknown`: the host did not answer. */
export type OtherReaders = Reviewed | 'unsaid' | 'unknown'

/** `counts`: its name, and how many uses it has. `nothing`: not even its name. */
export type Shown = 'whole' | 'counts' | 'nothing'

/** `reviewed`: null for a change that is on no host. `sharedReaders`: the operator says that who may read one may read all. */
export function shownOf(other: OtherReaders, reviewed: Reviewed | null, sharedReaders: boolean): Shown {
  if (reviewed === null) return 'whole'
  const visibility = typeof other === 'string' ? null : other.visibility
  if (visibility === 'public') return 'whole'
  if (reviewed.visibility === 'public') return 'nothing'
  if (sharedReaders && other !== 'unknown') return 'whole'
  if (typeof other === 'string') return 'counts'
  if (visibility === 'internal') return haveSameInsiders(other, reviewed) ? 'whole' : 'counts'
  return reviewed.visibility === 'internal' ? 'nothing' : 'counts'
}

/** `internal` is to everybody with an account: on a server of one's own, or in one organization of a public one. */
function haveSameInsiders(one: Reviewed, other: Reviewed): boolean {
  if (one.host !== other.host) return false
  return !isPublicServer(one.host) || one.owner[0]?.toLowerCase() === other.owner[0]?.toLowerCase()
}

/** From most to fewest readers. */
const visibilities = ['public', 'internal', 'private'] as const

export function stricterOf(
  one: RepositoryIdentity['visibility'],
  other: RepositoryIdentity['visibility'],
): RepositoryIdentity['visibility'] {
  return visibilities.indexOf(one) > visibilities.indexOf(other) ? one : other
}
