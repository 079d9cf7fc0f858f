/** Runs in a child process of its own: takes batches of files, sends back records. Ends with its parent. */
import { remembered } from '../../base/remembered.ts'
import { serveBatches } from '../../base/serve-batches.ts'
import { encodeRecord } from '../cache/record.ts'
import type { FileFacts, ParseFailure } from '../contract.ts'
import { languages } from '../languages/registry.ts'
import { encodeWordsOf } from '../segments/blob-words.ts'
import { merge } from './merge.ts'
import { type LanguageReader, readerOf, refusal } from './parse-file.ts'
import {
  type Answer,
  allowance,
  type Batch,
  carefully,
  type FileToParse,
  type Reply,
  type Request,
} from './protocol.ts'

/** How many parser steps pass between two looks at the memory. */
const stepsPerMemoryCheck = 256
/** Answers wait for each other no longer than this, and no more bytes of them. */
const sendEveryMs = 50
const sendAtBytes = 1 << 17
/** What reading a text takes at most, for each of its UTF-16 units; 70 to 90 were seen in four languages. */
const bytesPerUnit = 90
/** In units, so far: a text that is no longer finds the memory that this one took. */
let longestRead = 0

const isCareful = process.argv.includes(carefully)
const readers = new Map<string, Promise<LanguageReader>>()

serveBatches(work)

async function work(request: Request, send: (reply: Reply) => Promise<void>): Promise<void> {
  if (!('kind' in request)) return await read(request, send)
  await send({ type: 'ready', resident: process.memoryUsage.rss() })
  const answers = [{ bytes: merge(request) }]
  await send({ type: 'answers', index: 0, answers, resident: process.memoryUsage.rss() })
  await send({ type: 'done' })
}

async function read(batch: Batch, send: (reply: Reply) => Promise<void>): Promise<void> {
  const reader = batch.language === '' ? null : await readerFor(batch.language)
  await send({ type: 'ready', resident: process.memoryUsage.rss() })
  let answers: Answer[] = []
  let bytes = 0
  let sentAt = performance.now()
  const pass = async (index: number): Promise<void> => {
    await send({ type: 'answers', index, answers, resident: process.memoryUsage.rss() })
    answers = []
    bytes = 0
    sentAt = performance.now()
  }
  for (const [index, file] of batch.files.entries()) {
    if (isFullFor(file, batch)) {
      if (answers.length > 0) await pass(index - 1)
      return await send({ type: 'full' })
    }
    const answer = recordOf(reader, file, batch)
    longestRead = Math.max(longestRead, file.text.length)
    answers.push(answer)
    bytes += answer.bytes.length
    const isLast = index === batch.files.length - 1
    const isDue = bytes >= sendAtBytes || performance.now() - sentAt >= sendEveryMs
    if (isLast || batch.oneByOne || isDue) await pass(index)
  }
  await send({ type: 'done' })
}

/** A file that may not fit beside what earlier ones took, which is never given back, is left to a new child. */
function isFullFor({ text }: FileToParse, { memory }: Batch): boolean {
  if (longestRead === 0) return false
  const resident = process.memoryUsage.rss()
  const more = bytesPerUnit * Math.max(0, text.length - longestRead)
  return resident > memory.recycle || resident + more > memory.giveUp
}

/** One read and one parse: what the file says, its chunks and its words. */
function recordOf(reader: LanguageReader | null, file: FileToParse, batch: Batch): Answer {
  const { text } = file
  const refused = reader && refusal(text)
  const parsed = reader && !refused ? parse(reader, file, batch) : { facts: null, failed: refused }
  const state = parsed.failed ?? (parsed.facts ? 'indexed' : 'text')
  const bytes = encodeRecord(state, parsed.facts, encodeWordsOf({ text, state, facts: parsed.facts }))
  return parsed.failed ? { bytes, failed: parsed.failed } : { bytes }
}

function parse(
  reader: LanguageReader,
  { text, variant }: FileToParse,
  { steps, memory }: Batch,
): { facts: FileFacts | null; failed: ParseFailure['reason'] | null } {
  const limit = allowance(steps, text.length)
  let taken = 0
  let failed: 'timeout' | 'memory' = 'timeout'
  const facts = reader.read(text, variant, () => {
    taken++
    if (taken % stepsPerMemoryCheck === 0 && process.memoryUsage.rss() > memory.giveUp) {
      failed = 'memory'
      return false
    }
    return taken <= limit
  })
  return { facts, failed: facts ? null : failed }
}

function readerFor(language: string): Promise<LanguageReader> {
  return remembered(readers, language, () => {
    const table = languages.get(language)
    if (!table) throw new Error(`no table for ${language}`)
    return readerOf(table, { isCareful })
  })
}
