/** Threads of ours on a change request, and the findings that they are about: for commands that people give there. */
import type { ChangeWriter, OwnThread, PublishedState } from '../hosts/remote/contract.ts'
import type { FindingRecord } from '../ledger/record.ts'
import { knownFindings } from '../pipeline/publish/sync/known-findings.ts'
import { type MarkerScope, readMarker } from '../pipeline/publish/sync/marker.ts'

/** `comment`: the first one of a thread. Null when the thread is not one of ours. */
export async function findingOfThread(
  writer: ChangeWriter,
  comment: string,
  given: GivenScope,
  signal: AbortSignal,
): Promise<FindingRecord | null> {
  const state = await writer.readState(signal)
  const thread = state.threads.find((one) => one.comment === comment)
  const marker = thread && readMarker(thread, scopeOf(state, given))
  return marker?.kind === 'finding' ? marker.record : null
}

/** What is known before the host was asked. */
export type GivenScope = Omit<MarkerScope, 'repositoryId' | 'me' | 'writers'>

export function scopeOf({ repositoryId, me, writers }: PublishedState, given: GivenScope): MarkerScope {
  return { ...given, repositoryId, me, writers }
}

/** Every finding that was put on a line. `isResolved`: by a person; its comment may be gone. */
export function findingsOnThreads(
  state: PublishedState,
  given: GivenScope,
): { thread: OwnThread | null; record: FindingRecord; isResolved: boolean }[] {
  return knownFindings(state, scopeOf(state, given)).flatMap(({ fate, thread, record }) =>
    fate === 'open' || fate === 'dismissed' ? [{ thread, record, isResolved: fate === 'dismissed' }] : [],
  )
}

/** Those that are open now. Throws as `ChangeWriter.readState`. */
export async function findingsOnOpenThreads(
  writer: ChangeWriter,
  given: GivenScope,
  signal: AbortSignal,
): Promise<{ thread: string; record: FindingRecord }[]> {
  const state = await writer.readState(signal)
  return knownFindings(state, scopeOf(state, given)).flatMap(({ fate, thread, record }) =>
    fate === 'open' && thread ? [{ thread: thread.id, record }] : [],
  )
}
