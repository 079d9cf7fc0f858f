/** Stores of runs, in files and in a bucket, and what is put into them. */
import { chmodSync } from 'node:fs'
import type { JournalAnswer, JournalRequest } from '../../src/domain/journal.ts'
import type { Review } from '../../src/domain/review.ts'
import type { RunHeader, RunStore } from '../../src/storage/runs/contract.ts'
import { FileRunStore } from '../../src/storage/runs/files/store.ts'
import { type BeginOptions, beginRun as begin, type RunRecorder } from '../../src/storage/runs/recorder.ts'
import { findRun, type StoredRun } from '../../src/storage/runs/stored-run.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'

export function newStore(): FileRunStore {
  const folder = temporaryFolder()
  chmodSync(folder, 0o700)
  return new FileRunStore(folder)
}

const usualHeader = {
  label: 'commit 1',
  repository: '/r',
  place: 'local/r/1',
  depth: 'quick',
  versions: { sightline: '0.1.0' },
  options: {},
} as const

export async function beginRun(
  store: RunStore,
  header: Partial<RunHeader> = {},
  options: Partial<BeginOptions> = {},
): Promise<RunRecorder> {
  const now = new Date('2026-11-21T06:15:02Z')
  return await begin(store, { ...usualHeader, ...header }, { texts: 'full', fresh: false, now, ...options })
}

export async function openRun(store: RunStore, asked = 'last'): Promise<StoredRun> {
  return (await findRun(store, asked)).run
}

export const emptyReview = { findings: [], run: {}, coverage: { complete: true } } as unknown as Review

export type ModelRequest = Extract<JournalRequest, { kind: 'model' }>

export function request(body: string, some: Partial<ModelRequest> = {}): ModelRequest {
  return {
    kind: 'model',
    role: 'reviewer',
    address: 'quick/group-1/review',
    method: 'POST',
    url: 'http://127.0.0.1/v1',
    body,
    sample: 0,
    outcome: 'answered',
    ...some,
  }
}

export function answer(body: string): JournalAnswer {
  return { status: 200, headers: { 'content-type': 'text/plain' }, body, durationMs: 5 }
}
