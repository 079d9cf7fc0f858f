/** A candidate that passed becomes a finding: with its place, its fingerprint and what was checked. */
import type { FileFacts } from '../../code-index/contract.ts'
import type { Candidate, Finding } from '../../domain/finding.ts'
import type { Place } from './anchor/place.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { StepNotes } from './step.ts'

/** `facts` are those of the file on the side of the place, or null when it is not parsed. */
export function makeFinding(
  candidate: Candidate,
  place: Place,
  notes: readonly StepNotes[],
  facts: FileFacts | null,
): Finding {
  return {
    ...candidate,
    anchor: { path: place.file.path, tags: place.tags },
    fingerprint: fingerprintOf(candidate, place, facts),
    side: place.side,
    startLine: place.startLine,
    endLine: place.endLine,
    excerpt: place.excerpt,
    verifiedBy: notes.flatMap(({ verifiedBy }) => verifiedBy),
  }
}
