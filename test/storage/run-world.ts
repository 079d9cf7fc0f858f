/** A store of runs in a folder of its own, and what is put into it. */
import { chmodSync } from 'node:fs'
import type { JournalAnswer, JournalRequest } from '../../src/domain/journal.ts'
import type { Review } from '../../src/domain/review.ts'
import type { RunHeader } from '../../src/storage/contract.ts'
import type { RunRecorder } from '../../src/storage/runs/recorder.ts'
import { type BeginOptions, RunStore } from '../../src/storage/runs/run-store.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'

export function newStore(): RunStore {
  const folder = temporaryFolder()
  chmodSync(folder, 0o700)
  return new RunStore(folder)
}

const usualHeader = {
  label: 'commit 1',
  repository: '/r',
  place: 'local/r/1',
  depth: 'quick',
  versions: { sightline: '0.1.0' },
  options: {},
} as const

export function beginRun(
  store: RunStore,
  header: Partial<RunHeader> = {},
  options: Partial<BeginOptions> = {},
): RunRecorder {
  const now = new Date('2026-11-21T06:15:02Z')
  return store.begin({ ...usualHeader, ...header }, { texts: 'full', fresh: false, now, ...options })
}

export const emptyReview = { findings: [], run: {}, coverage: { complete: true } } as unknown as Review

type ModelRequest = Extract<JournalRequest, { kind: 'model' }>

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
