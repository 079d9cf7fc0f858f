/** The journal of a run that is gone through again: it answers from the record, and lets nothing out. */
import { UserError } from '../../base/errors.ts'
import { type Journal, type JournalAnswer, JournalRequest, questionIn, roleIn } from '../../domain/journal.ts'
import type { ModelRole } from '../../domain/model-call.ts'
import { journalKey } from './recorder.ts'
import { readAnswer } from './secrets.ts'
import type { StoredRun } from './stored-run.ts'

/** Throws `run-unreadable` for what is not on record. */
export function replayJournal(run: StoredRun, keyFolder: string): Journal {
  const names = answerNames(run)
  return {
    async find(request) {
      const answer = await recorded(run, names, keyFolder, request)
      if (answer) return answer
      throw await notRecorded(run, request)
    },
    record: async () => {},
    note: () => {},
  }
}

export type Swap = {
  role: ModelRole
  live: Journal
  onCount: (served: 'record' | 'live') => void
  /** Other roles whose new questions may be sent; those whose answers are all on record need not be asked. */
  mayGoOut: ReadonlySet<ModelRole>
}

/**
 * One role goes out, through a journal of its own run; all others, and what is not asked of a model, come from the
 * record. Throws `run-unreadable` for what is neither on record nor may be sent.
 */
export function swapJournal(
  run: StoredRun,
  keyFolder: string,
  { role, live, onCount, mayGoOut }: Swap,
): Journal {
  const names = answerNames(run)
  return {
    async find(request, asker) {
      const asking = roleIn(request)
      const answer =
        asking === role ? await live.find(request, asker) : await recorded(run, names, keyFolder, request)
      if (answer) {
        onCount('record')
        if (asking !== role) await live.record(request, answer)
        return answer
      }
      // What other roles are asked may follow from the swapped one's answers, and is then new.
      if (asking !== null && asking !== role && !mayGoOut.has(asking)) throw await notRecorded(run, request)
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

async function recorded(
  run: StoredRun,
  names: ReadonlyMap<string, string>,
  keyFolder: string,
  request: JournalRequest,
): Promise<JournalAnswer | null> {
  const name = names.get(journalKey(request))
  return name === undefined ? null : readAnswer(await run.object(name), keyFolder)
}

/** Names the kind, and how the request differs from the one of the same kind that was recorded at its place. */
async function notRecorded(run: StoredRun, request: JournalRequest): Promise<UserError> {
  const { header } = run
  const { address, kind } = request
  const alike = run.entries.flatMap((entry) =>
    entry.type === 'answer' && entry.kind === kind && entry.address === address ? [entry.request] : [],
  )
  const [first = null] = alike
  const closest = first === null ? null : readRequest(await run.object(first))
  const how = alike.length === 0 ? `no ${kind} request was made there` : firstDifference(closest, request)
  return new UserError(
    'run-unreadable',
    `run ${header.run} has no recorded answer to the ${kind} request at ${address}${how === null ? '' : `: ${how}`}; the run was made by version ${header.versions.sightline ?? 'unknown'}`,
  )
}

function readRequest(text: string | null): JournalRequest | null {
  try {
    return JournalRequest.parse(JSON.parse(text ?? ''))
  } catch {
    return null
  }
}

/** In words; null when they are the same, or one is not known. */
function firstDifference(recorded: JournalRequest | null, asked: JournalRequest): string | null {
  const path = recorded && differsAt(unfold(recorded), unfold(asked))
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
