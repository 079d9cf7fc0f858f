/** Threads of ours on a change request, and the findings that they are about: for commands that people give there. */
import type { ChangeWriter, OwnThread, PublishedState } from '../hosts/remote/contract.ts'
import type { FindingRecord } from '../ledger/record.ts'
import { knownFindings } from '../pipeline/publish/sync/known-findings.ts'
import { type MarkerScope, readMarker } from '../pipeline/publish/sync/marker.ts'

/** `body`: the first comment of a thread. Null when it is not one of ours, signed for this change request. */
export function findingOfThread(body: string, scope: MarkerScope): FindingRecord | null {
  const marker = readMarker(body, scope)
  return marker?.kind === 'finding' ? marker.record : null
}

/** Every finding that was put on a line. `isResolved`: by a person; its comment may be gone. */
export function findingsOnThreads(
  state: PublishedState,
  scope: MarkerScope,
): { thread: OwnThread | null; record: FindingRecord; isResolved: boolean }[] {
  return knownFindings(state, scope).flatMap(({ fate, thread, record }) =>
    fate === 'open' || fate === 'dismissed' ? [{ thread, record, isResolved: fate === 'dismissed' }] : [],
  )
}

/** Those that are open now. Throws as `ChangeWriter.readState`. */
export async function findingsOnOpenThreads(
  writer: ChangeWriter,
  scope: Pick<MarkerScope, 'secret' | 'number'>,
  signal: AbortSignal,
): Promise<{ thread: string; record: FindingRecord }[]> {
  const state = await writer.readState(signal)
  return knownFindings(state, { ...scope, repositoryId: state.repositoryId }).flatMap(
    ({ fate, thread, record }) => (fate === 'open' && thread ? [{ thread: thread.id, record }] : []),
  )
}
