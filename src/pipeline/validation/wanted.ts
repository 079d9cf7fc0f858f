/** What the checks of these candidates will ask to read, so that it can be read in one go. */
import type { Candidate } from '../../domain/finding.ts'
import { lastName } from './claims/names.ts'
import type { EvidenceTable } from './evidence/table.ts'

export type Wanted = { base: Set<string>; head: Set<string>; words: Set<string> }

/** A guess, not a promise: what is missing here is read when it is asked for. Bears malformed candidates. */
export function wantedBy(candidates: readonly Candidate[], evidence: EvidenceTable): Wanted {
  const wanted: Wanted = { base: new Set(), head: new Set(), words: new Set() }
  for (const candidate of candidates) {
    try {
      addWanted(candidate, evidence, wanted)
    } catch {
      // Not shaped like a candidate: step 1 will say so.
    }
  }
  return wanted
}

function addWanted(candidate: Candidate, evidence: EvidenceTable, { base, head, words }: Wanted): void {
  head.add(candidate.anchor.path)
  for (const { evidence: id } of candidate.evidence) {
    const item = evidence.get(id)
    if (item?.path && item.trust === 'foreign') (item.side === 'old' ? base : head).add(item.path)
  }
  for (const claim of candidate.claims) {
    if (claim.kind === 'line-contains' && claim.side === 'old') base.add(claim.path)
    else head.add(claim.path)
    if (claim.kind === 'caller-not-updated') {
      base.add(claim.definedIn)
      head.add(claim.definedIn)
    }
    if (claim.kind === 'not-exported') head.add(claim.from)
    if (claim.kind === 'duplicate-of') head.add(claim.otherPath)
    if (claim.kind === 'no-test-calls') words.add(lastName(claim.symbol))
    if (claim.kind === 'unused') words.add(lastName(claim.name))
  }
}
