/** What the command around the memory does: which notes there are, what could become one, and whether one may have an effect. */
import { UserError } from '../base/errors.ts'
import { defaultConfig } from '../config/schema.ts'
import { loadSettings } from '../config/settings/load.ts'
import type { MemoryNote, MemoryView } from '../domain/memory.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import { collectLocal } from '../hosts/local/collect.ts'
import type { Ledger } from '../ledger/fold.ts'
import { findContradictions } from '../memory/contradictions.ts'
import { readNote } from '../memory/note-file.ts'
import { type Proposal, type ProposalSource, proposalSources, proposeNotes } from '../memory/propose.ts'
import { dayOf, readMemory } from '../memory/read-memory.ts'
import { localTenant, openRunStore } from '../storage/runs/registry.ts'
import {
  type BackTest,
  backTest,
  type ReplayWithNote,
  type ReviewOnRecord,
  reviewsOnRecord,
} from './back-test.ts'
import { type LedgerOptions, openLedgerOf } from './ledgers.ts'

export type MemoryOptions = Pick<LedgerOptions, 'folder' | 'environment' | 'tenant' | 'now' | 'signal'> & {
  /** Notes of the work tree, as path and text; those of the last commit when not given. */
  files?: readonly { path: string; text: string }[]
}

/** Reviews that are looked at: older ones tell little of the code as it is. */
const mostReviews = 500
/** So many reviews without a part in any of them, and a note is of no use. */
const reviewsWithoutUse = 20
const documentsRead =
  /^(?:[^/]+\/)?(?:CONTRIBUTING|AGENTS|CLAUDE|STYLE(?:GUIDE)?|CONVENTIONS|GUIDELINES)\.md$|^docs\/[^/]+\.md$/i
const mostDocuments = 40
const keptDays = 365

export type OpenedMemory = {
  /** Of the files that were given, or of the last commit. */
  memory: MemoryView
  /** Of the last commit: what a review of a change that is based on it uses. */
  committed: MemoryView
  ledger: Ledger
  /** Newest first. */
  reviews: ReviewOnRecord[]
  documents: { path: string; text: string }[]
  now: Date
}

/** Rejects with `not-a-repository`, `unknown-ref`, `ledger-unavailable`, `run-store-refused`. */
export async function openMemory(options: MemoryOptions): Promise<OpenedMemory> {
  const { environment = process.env, tenant = localTenant, folder, files, signal } = options
  const now = (options.now ?? (() => new Date()))()
  const { settings } = await loadSettings(environment)
  const { ledger, repository } = await openLedgerOf(options)
  const runs = await openRunStore(settings.journal, { environment, tenant })
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const { borrowFrom } = settings.repositories
  const change = await collectLocal({ folder, selector, limits: defaultConfig.limits, borrowFrom, signal })
  try {
    const committed = await readMemory(change.head, now)
    return {
      memory: files ? viewOf(files, now) : committed,
      committed,
      ledger,
      reviews: await reviewsOnRecord(runs, repository, mostReviews),
      documents: await readDocuments(change.head),
      now,
    }
  } finally {
    await change.close()
  }
}

function viewOf(files: readonly { path: string; text: string }[], now: Date): MemoryView {
  const read = files.map(({ path, text }) => readNote(path, text, dayOf(now)))
  return { notes: read.flatMap(({ note }) => note ?? []), faults: read.flatMap(({ fault }) => fault ?? []) }
}

async function readDocuments(tree: RepoSnapshot): Promise<{ path: string; text: string }[]> {
  const paths = (await tree.list())
    .filter(({ path, mode }) => mode.startsWith('100') && documentsRead.test(path))
    .map(({ path }) => path)
  const texts = await tree.readMany(paths.slice(0, mostDocuments))
  return [...texts].map(([path, { text }]) => ({ path, text }))
}

export type ListedNote = MemoryNote & {
  /** The last commit has it with the same words. */
  isCommitted: boolean
  /** Recorded reviews in which it had a part. */
  uses: number
  /** It has an effect, and none of the last reviews needed it. */
  isUnused: boolean
}

export type MemoryList = { notes: ListedNote[]; faults: string[]; contradictions: string[] }

export function listMemory({ memory, committed, ledger, reviews }: OpenedMemory): MemoryList {
  const notes = memory.notes.map((note): ListedNote => {
    const uses = reviews.filter(({ review }) => review.memory?.some(({ path }) => path === note.path)).length
    const since = reviews.filter(({ review }) => review.run.startedAt.slice(0, 10) > (note.tested?.on ?? ''))
    return {
      ...note,
      isCommitted: committed.notes.some((one) => JSON.stringify(one) === JSON.stringify(note)),
      uses,
      isUnused: note.state === 'active' && uses === 0 && since.length >= reviewsWithoutUse,
    }
  })
  return { notes, faults: memory.faults, contradictions: findContradictions(memory.notes, ledger) }
}

/** The note of that name. Rejects with `note-unknown`. */
export function oneNote({ notes, faults }: MemoryView, name: string): MemoryNote {
  const wanted = name.replace(/^.*\//, '').replace(/\.md$/, '')
  const found = notes.find((note) => note.name === wanted)
  if (found) return found
  const fault = faults.find((one) => one.includes(`/${wanted}.md,`))
  throw new UserError('note-unknown', fault ?? `there is no note \`${name}\``)
}

export function proposeFor(
  opened: OpenedMemory,
  sources: readonly ProposalSource[] = proposalSources,
): Proposal[] {
  const { ledger, reviews, documents, memory, committed, now } = opened
  const known = [...memory.notes, ...committed.notes]
  const expires = dayOf(new Date(now.getTime() + keptDays * 86_400_000))
  return proposeNotes({ ledger, reviews, documents, known, sources, expires })
}

/** `replay` as `replayRun` does it. */
export async function testNote(
  { ledger, reviews, now }: OpenedMemory,
  note: MemoryNote,
  { replay, asksModels = false }: { replay: ReplayWithNote; asksModels?: boolean },
): Promise<BackTest> {
  return await backTest({ note, ledger, reviews, replay, asksModels, now })
}

/**
 * The note as it has an effect once it is committed. Throws `note-refused` when the test speaks against it, and when nothing
 * speaks for it and no reason is given.
 */
export function acceptNote({ note, verdict, tested }: BackTest, because: string | null): MemoryNote {
  if (verdict.word === 'bad') throw new UserError('note-refused', verdict.why)
  if (verdict.word === 'unproven' && because === null)
    throw new UserError(
      'note-refused',
      `${verdict.why}. If you want it all the same, say why with --because.`,
    )
  return { ...note, state: 'active', tested, because }
}
