/** Runs in a child process of its own: takes batches of files, sends back records. Ends with its parent. */
import { encodeFacts } from '../cache/record.ts'
import { languages } from '../languages/registry.ts'
import { type LanguageReader, readerOf } from './parse-file.ts'
import { allowance, type Batch, type FileToParse, type Reply } from './protocol.ts'

/** How many parser steps pass between two looks at the memory. */
const stepsPerMemoryCheck = 256

const readers = new Map<string, Promise<LanguageReader>>()

process.on('disconnect', () => process.exit(0))
process.on('message', (batch: Batch) => {
  work(batch).catch(() => process.exit(1))
})

async function work(batch: Batch): Promise<void> {
  const reader = await readerFor(batch.language)
  await send({ type: 'ready' })
  for (const [index, file] of batch.files.entries()) {
    await send({ index, ...parse(reader, file, batch) })
    if (index < batch.files.length - 1 && process.memoryUsage.rss() > batch.memory.recycle) {
      await send({ type: 'full' })
      return
    }
  }
  await send({ type: process.memoryUsage.rss() > batch.memory.recycle ? 'full' : 'done' })
}

function parse(
  reader: LanguageReader,
  { text, variant }: FileToParse,
  { steps, memory }: Batch,
): { type: 'parsed'; record: Uint8Array } | { type: 'failed'; reason: 'timeout' | 'memory' } {
  const limit = allowance(steps, text.length)
  let taken = 0
  let reason: 'timeout' | 'memory' = 'timeout'
  const facts = reader.read(text, variant, () => {
    taken++
    if (taken % stepsPerMemoryCheck === 0 && process.memoryUsage.rss() > memory.giveUp) {
      reason = 'memory'
      return false
    }
    return taken <= limit
  })
  return facts ? { type: 'parsed', record: encodeFacts(facts) } : { type: 'failed', reason }
}

function readerFor(language: string): Promise<LanguageReader> {
  const known = readers.get(language)
  if (known) return known
  const table = languages.get(language)
  if (!table) throw new Error(`no table for ${language}`)
  const reader = readerOf(table)
  readers.set(language, reader)
  return reader
}

/** Waits until the message is handed over: the next file may keep this process busy for long. */
function send(reply: Reply): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(reply, undefined, undefined, () => resolve())
  })
}
