/** A run as it is on record, in any backend: find it, read its log, and what it kept for a replay. */
import { sha256 } from '../../base/canonical-json.ts'
import { count } from '../../base/count.ts'
import { UserError } from '../../base/errors.ts'
import { asksModel } from '../../domain/journal.ts'
import {
  type RunEntry,
  type RunHeader,
  type RunRecord,
  type RunStore,
  type RunSummary,
  runName,
  storeFormat,
} from './contract.ts'
import { otherFormat, readLines } from './log.ts'
import { openSealed } from './secrets.ts'

export type StoredRun = Pick<RunRecord, 'isOpen' | 'object' | 'measure'> & {
  header: RunHeader
  entries: readonly RunEntry[]
  /** Its log as it stands, as far as it is whole. */
  lines: readonly string[]
  damage: string | null
}

/** So many are read side by side. */
const width = 8

/** Throws `run-unreadable` for a store that a newer version wrote to: it is left alone. */
export async function checkStore(store: RunStore): Promise<void> {
  const format = await store.format()
  if (format !== null && !(format <= storeFormat))
    throw new UserError('run-unreadable', `${store.address}: ${otherFormat(format)}`)
}

export type ListedRuns = {
  /** Newest first. */
  runs: RunSummary[]
  /** Why the others cannot be read, in words that name them. */
  unreadable: string[]
}

/** The newest `limit` runs. Rejects with `run-unreadable` for a store that a newer version wrote to. */
export async function listRuns(store: RunStore, limit = Number.POSITIVE_INFINITY): Promise<ListedRuns> {
  await checkStore(store)
  const names = await store.names()
  const listed: ListedRuns = { runs: [], unreadable: [] }
  for (let at = 0; at < names.length && listed.runs.length < limit; at += width) {
    const read = names.slice(at, at + width).map(async (name) => {
      try {
        return await summaryOf(await openStoredRun(store, name))
      } catch (error) {
        if (error instanceof UserError && error.code === 'run-unreadable') return error.message
        throw error
      }
    })
    for (const one of await Promise.all(read))
      if (typeof one === 'string') listed.unreadable.push(one)
      else if (listed.runs.length < limit) listed.runs.push(one)
  }
  return listed
}

/** Rejects with `run-unknown`, and with `run-unreadable` when its log does not even begin well. */
export async function openStoredRun(store: Pick<RunStore, 'read'>, name: string): Promise<StoredRun> {
  const record = await store.read(name)
  if (!record) throw new UserError('run-unknown', `there is no run ${name}`)
  const { entries, lines, damage } = readLines(record.lines)
  const [first] = entries
  if (first?.type !== 'start')
    throw new UserError('run-unreadable', `run ${name}: ${damage ?? 'its log has no beginning'}`)
  const { isOpen, object, measure } = record
  return { isOpen, object, measure, header: first.header, entries, lines, damage }
}

/**
 * By its name, a part of it that no other has, `last`, or its place, and the address of one call in it when `asked` goes
 * on with one: `local/shop/1a2b3c4d5e6f` is the newest run of that place, and what follows the place is an address in
 * it, as in `local/shop/1a2b3c4d5e6f/explore/iter-2` or `last/explore/iter-2`. Rejects with `run-unknown` or
 * `run-unreadable`.
 */
export async function findRun(
  store: RunStore,
  asked: string,
): Promise<{ run: StoredRun; address: string | null }> {
  await checkStore(store)
  const slash = asked.indexOf('/')
  const first = slash < 0 ? asked : asked.slice(0, slash)
  const names = await store.names()
  if (slash < 0 || first === 'last' || runName.test(first))
    return {
      run: await openStoredRun(store, findName(names, first)),
      address: slash < 0 ? null : asked.slice(slash + 1),
    }
  for (const name of names) {
    const run = await openIfWhole(store, name)
    if (run && `${asked}/`.startsWith(`${run.header.place}/`))
      return { run, address: asked.slice(run.header.place.length + 1) || null }
  }
  throw new UserError('run-unknown', `there is no run at ${asked}`)
}

function findName(names: readonly string[], asked: string): string {
  const [newest] = names
  if (asked === 'last' && newest !== undefined) return newest
  const found = names.filter((name) => name === asked || name.startsWith(asked) || name.endsWith(asked))
  const [only, ...others] = found
  if (only !== undefined && others.length === 0) return only
  throw new UserError(
    'run-unknown',
    others.length > 0
      ? `${asked} matches several runs: ${found.slice(0, 5).join(', ')}`
      : `there is no run ${asked}`,
  )
}

async function openIfWhole(store: RunStore, name: string): Promise<StoredRun | null> {
  try {
    return await openStoredRun(store, name)
  } catch (error) {
    if (error instanceof UserError && error.code.startsWith('run-un')) return null
    throw error
  }
}

export async function summaryOf({
  header,
  entries,
  damage,
  isOpen,
  measure,
}: StoredRun): Promise<RunSummary> {
  const end = entries.find((entry) => entry.type === 'end')
  const answers = entries.filter((entry) => entry.type === 'answer')
  const last = entries.at(-1)
  const names = objectNames(entries)
  const { bytes, missing } = await measure(names)
  return {
    header,
    state: end ? 'finished' : isOpen ? 'running' : 'killed',
    durationMs: last && 'at' in last ? last.at : 0,
    findings: end?.findings ?? null,
    calls: answers.filter(asksModel).length,
    usd: end?.usd ?? null,
    unpricedCalls: end?.unpricedCalls ?? 0,
    complete: end?.complete ?? null,
    bytes,
    damage:
      damage ??
      (missing > 0
        ? `${missing} of its ${count(names.size, 'object')} ${missing === 1 ? 'is' : 'are'} missing`
        : null),
  }
}

/** Every object that the run refers to. */
export function objectNames(entries: readonly RunEntry[]): Set<string> {
  const names = new Set<string>()
  for (const entry of entries) {
    if (entry.type === 'answer') for (const name of [entry.request, entry.answer]) if (name) names.add(name)
    if (entry.type === 'end') for (const name of [entry.review, ...entry.parts]) if (name) names.add(name)
  }
  return names
}

export type KeptRun = {
  /** JSON, as it went out. */
  review: string
  /** JSON, as it was read. */
  reads: string
  /** Secrets stood in what was read, and stayed on the machine that read it; made-up ones are in their place. */
  lacksSecrets: boolean
}

/** Its review alone, as `readKept`. */
export async function readReview(run: StoredRun): Promise<string> {
  const name = endOf(run).review
  const review = name === null ? null : await run.object(name)
  if (review !== null) return review
  throw new UserError('run-unreadable', `run ${run.header.run} does not have its review`)
}

/**
 * What a finished run kept; rejects with `run-unreadable` when it did not finish, kept no texts, or lost them. Without a
 * `keyFolder`, secrets stay sealed.
 */
export async function readKept(run: StoredRun, keyFolder: string | null): Promise<KeptRun> {
  const end = endOf(run)
  const name = run.header.run
  if (!end.review || end.reads === null)
    throw new UserError('run-unreadable', `run ${name} was recorded without texts (journal.texts: hashes)`)
  const review = await run.object(end.review)
  const parts = await Promise.all(end.parts.map((part) => run.object(part)))
  const reads = parts.map((part) => part ?? '').join('')
  if (!review || sha256(reads) !== end.reads)
    throw new UserError('run-unreadable', `run ${name} is incomplete: an object is missing or damaged`)
  const opened =
    keyFolder === null && end.sealed !== null
      ? null
      : openSealed({ text: reads, sealed: end.sealed }, keyFolder ?? '')
  return { review, reads: opened ?? reads, lacksSecrets: opened === null }
}

function endOf({ header, entries }: StoredRun): Extract<RunEntry, { type: 'end' }> {
  const end = entries.find((entry) => entry.type === 'end')
  if (end) return end
  throw new UserError(
    'run-unreadable',
    `run ${header.run} did not finish; to continue it, review the same change again`,
  )
}

/** Characters. Shorter pieces compress badly, and each costs two waits for the disk. */
const shortest = 32 * 1024
/** One in so many ends of an object is a place to cut. */
const share = 64
const lookBack = 64

/**
 * Cuts a long JSON text where its content says, not at fixed places: what two texts have in common is then cut alike in
 * both, and kept once. Two reviews in a row read nearly the same history and lists of files. Joined, the parts are the
 * text; there is at least one.
 */
export function cutText(text: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let end = nextEnd(text, shortest); end > 0; end = nextEnd(text, start + shortest)) {
    let at = end
    while (at > 0 && !isPlaceToCut(text, at)) at = nextEnd(text, at)
    if (at <= 0 || text.length - at < shortest) break
    parts.push(text.slice(start, at))
    start = at
  }
  return [...parts, text.slice(start)]
}

/** Behind the next `},`, never between the halves of a character; 0 when there is none. */
function nextEnd(text: string, from: number): number {
  const found = text.indexOf('},', from)
  return found < 0 ? 0 : found + 2
}

/** FNV-1a of the characters before it. */
function isPlaceToCut(text: string, at: number): boolean {
  let hash = 0x811c9dc5
  for (let index = Math.max(0, at - lookBack); index < at; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
  return hash % share === 0
}
