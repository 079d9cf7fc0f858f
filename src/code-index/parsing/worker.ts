/** Runs in a child process of its own: takes batches of files, sends back records. Ends with its parent. */
import { serveBatches } from '../../base/serve-batches.ts'
import { encodeFacts } from '../cache/record.ts'
import { languages } from '../languages/registry.ts'
import { type LanguageReader, readerOf } from './parse-file.ts'
import { type Answer, allowance, type Batch, carefully, type FileToParse, type Reply } from './protocol.ts'

/** How many parser steps pass between two looks at the memory. */
const stepsPerMemoryCheck = 256
/** Answers wait for each other no longer than this, and no more bytes of them. */
const sendEveryMs = 50
const sendAtBytes = 1 << 17

const isCareful = process.argv.includes(carefully)
const readers = new Map<string, Promise<LanguageReader>>()

serveBatches(work)

async function work(batch: Batch, send: (reply: Reply) => Promise<void>): Promise<void> {
  const reader = await readerFor(batch.language)
  await send({ type: 'ready', resident: process.memoryUsage.rss() })
  let answers: Answer[] = []
  let bytes = 0
  let sentAt = performance.now()
  let isFull = false
  for (const [index, file] of batch.files.entries()) {
    const answer = parse(reader, file, batch)
    answers.push(answer)
    bytes += 'record' in answer ? answer.record.length : 0
    const resident = process.memoryUsage.rss()
    isFull = resident > batch.memory.recycle
    const isLast = isFull || index === batch.files.length - 1
    const isDue = bytes >= sendAtBytes || performance.now() - sentAt >= sendEveryMs
    if (isLast || batch.oneByOne || isDue) {
      await send({ type: 'answers', index, answers, resident })
      answers = []
      bytes = 0
      sentAt = performance.now()
    }
    if (isFull) break
  }
  await send({ type: isFull ? 'full' : 'done' })
}

function parse(reader: LanguageReader, { text, variant }: FileToParse, { steps, memory }: Batch): Answer {
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
  return facts ? { record: encodeFacts(facts) } : { failed }
}

function readerFor(language: string): Promise<LanguageReader> {
  const known = readers.get(language)
  if (known) return known
  const table = languages.get(language)
  if (!table) throw new Error(`no table for ${language}`)
  const reader = readerOf(table, { isCareful })
  readers.set(language, reader)
  return reader
}
