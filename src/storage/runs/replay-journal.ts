/** The journal of a run that is gone through again: it answers from the record, and lets nothing out. */
import { UserError } from '../../base/errors.ts'
import type { Journal, JournalAnswer, JournalRequest } from '../../domain/journal.ts'
import type { ModelRole } from '../../domain/model-call.ts'
import { keyOf } from './answers.ts'
import type { RunStore } from './run-store.ts'
import { readAnswer } from './stored-answer.ts'
import type { StoredRun } from './stored-run.ts'

/** Throws `run-unreadable` for what is not on record. */
export function replayJournal(run: StoredRun, store: KeptAnswers): Journal {
  const names = answerNames(run)
  return {
    async find(request) {
      const answer = recorded(names, store, request)
      if (answer) return answer
      throw notRecorded(run, request)
    },
    record: async () => {},
    note: () => {},
  }
}

/** Where answers lie. */
export type KeptAnswers = Pick<RunStore, 'objects' | 'folder'>

export type Swap = {
  role: ModelRole
  live: Journal
  onCount: (served: 'record' | 'live') => void
  /** Other roles whose new questions may be sent; nobody has to ask those whose answers are all on record. */
  mayGoOut: ReadonlySet<ModelRole>
}

/**
 * One role goes out, through a journal of its own run; all others, and what is not asked of a model, come from the
 * record. Throws `run-unreadable` for what is neither on record nor may be sent.
 */
export function swapJournal(
  run: StoredRun,
  store: KeptAnswers,
  { role, live, onCount, mayGoOut }: Swap,
): Journal {
  const names = answerNames(run)
  return {
    async find(request, asker) {
      const answer = request.role === role ? await live.find(request, asker) : recorded(names, store, request)
      if (answer) {
        onCount('record')
        if (request.role !== role) await live.record(request, answer)
        return answer
      }
      // What other roles are asked may follow from the swapped one's answers, and is then new.
      if (request.role !== null && request.role !== role && !mayGoOut.has(request.role))
        throw notRecorded(run, request)
      return await live.find(request, asker)
    },
    release: (request) => live.release?.(request),
    async record(request, answer) {
      onCount('live')
      await live.record(request, answer)
    },
    note: (note) => live.note(note),
  }
}

function answerNames({ entries }: StoredRun): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap((entry) => (entry.type === 'answer' && entry.answer ? [[entry.key, entry.answer]] : [])),
  )
}

function recorded(
  names: ReadonlyMap<string, string>,
  store: KeptAnswers,
  request: JournalRequest,
): JournalAnswer | null {
  const name = names.get(keyOf(request))
  return name === undefined ? null : readAnswer(store.objects.get(name), store.folder)
}

function notRecorded({ header }: StoredRun, { address, kind }: JournalRequest): UserError {
  return new UserError(
    'run-unreadable',
    `run ${header.run} has no answer on record for ${address} (${kind}); it was made by version ${header.versions.sightline ?? 'unknown'}`,
  )
}
