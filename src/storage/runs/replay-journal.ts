/** The journal of a run that is gone through again: it answers from the record, and lets nothing out. */
import { UserError } from '../../base/errors.ts'
import { type Journal, type JournalAnswer, JournalRequest, questionIn, roleIn } from '../../domain/journal.ts'
import type { ModelRole } from '../../domain/model-call.ts'
import { journalKey } from './answers.ts'
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
      throw notRecorded(run, store, request)
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
      const asking = roleIn(request)
      const answer = asking === role ? await live.find(request, asker) : recorded(names, store, request)
      if (answer) {
        onCount('record')
        if (asking !== role) await live.record(request, answer)
        return answer
      }
      // What other roles are asked may follow from the swapped one's answers, and is then new.
      if (asking !== null && asking !== role && !mayGoOut.has(asking)) throw notRecorded(run, store, request)
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
  const name = names.get(journalKey(request))
  return name === undefined ? null : readAnswer(store.objects.get(name), store.folder)
}

/** Names the kind, and how the request differs from the one of the same kind that was recorded at its place. */
function notRecorded(run: StoredRun, store: KeptAnswers, request: JournalRequest): UserError {
  const { header } = run
  const { address, kind } = request
  const alike = run.entries.flatMap((entry) =>
    entry.type === 'answer' && entry.kind === kind && entry.address === address ? [entry.request] : [],
  )
  const differences = alike.flatMap((name) => {
    const recorded = name === null ? null : readRequest(store.objects.get(name))
    return recorded ? [firstDifference(recorded, request)] : []
  })
  const how = alike.length === 0 ? `no ${kind} request was made there` : differences[0]
  const why = how === undefined || how === null ? '' : `: ${how}`
  return new UserError(
    'run-unreadable',
    `run ${header.run} has no recorded answer to the ${kind} request at ${address}${why}; the run was made by version ${header.versions.sightline ?? 'unknown'}`,
  )
}

function readRequest(text: string | null): JournalRequest | null {
  try {
    return JournalRequest.parse(JSON.parse(text ?? ''))
  } catch {
    return null
  }
}

/** In words; null when they are the same. */
function firstDifference(recorded: JournalRequest, asked: JournalRequest): string | null {
  const path = differsAt(unfold(recorded), unfold(asked))
  return path === null ? null : `it differs from the recorded one in \`${path}\``
}

/** The question with its body as the JSON that it is. */
function unfold(request: JournalRequest): unknown {
  const question = questionIn(request)
  if (!('body' in request) || request.body === '') return question
  try {
    return { ...question, body: JSON.parse(request.body) }
  } catch {
    return question
  }
}

/** `body.messages[0].content`; null when both are the same. */
function differsAt(one: unknown, other: unknown, path = ''): string | null {
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other))
    return Object.is(one, other) ? null : path
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const step = Array.isArray(one) ? `[${key}]` : path === '' ? key : `.${key}`
    const found = differsAt(Reflect.get(one, key), Reflect.get(other, key), path + step)
    if (found !== null) return found
  }
  return null
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
