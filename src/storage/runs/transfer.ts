/** A run as one text: to be mailed, kept, sealed in a bucket, and replayed elsewhere. */
import { readFileSync, statSync } from 'node:fs'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { sha256 } from '../../base/canonical-json.ts'
import { UserError } from '../../base/errors.ts'
import { type RunStore, runName, storeFormat } from './contract.ts'
import { otherVersion, readLines } from './log.ts'
import { checkStore, objectNames, type StoredRun } from './stored-run.ts'

export const largestPack = 512 * 1024 * 1024
/** Texts of a run are stored once, so that nothing honest grows more; a small one may. */
const mostGrowth = 24
const smallPack = 64 * 1024 * 1024
/** Values in it, and values in the lines of its log, which are JSON themselves. */
const mostTokens = 1_000_000

const tooMuch = Symbol('too much')

const Pack = z.object({
  sightlineRun: z.literal(storeFormat),
  log: z.array(z.string()),
  objects: z.record(z.string(), z.string()),
})

/** All that is asked of a file that this version cannot read, to say which version can. */
const OtherPack = z.object({
  sightlineRun: z.int(),
  log: z.array(z.string()).catch([]),
})

export type RunTexts = { lines: readonly string[]; objects: ReadonlyMap<string, string> }

/** Rejects with `run-unreadable` when an object is missing. */
export async function exportRun(run: StoredRun): Promise<Uint8Array> {
  const objects = new Map<string, string>()
  for (const name of [...objectNames(run.entries)].sort()) {
    const content = await run.object(name)
    if (content === null)
      throw new UserError('run-unreadable', `run ${run.header.run}: an object is missing or damaged`)
    objects.set(name, content)
  }
  return packRun({ lines: run.lines, objects })
}

/** The name of the run. Importing one that is here already changes nothing. Rejects with `run-unreadable`. */
export async function importRun(store: RunStore, bytes: Uint8Array): Promise<string> {
  await checkStore(store)
  const pack = unpackRun(bytes, 'the file cannot be imported')
  const { entries, lines, damage } = readLines(pack.lines)
  if (damage !== null) return refuse(damage)
  const [first] = entries
  if (first?.type !== 'start') return refuse('its log has no beginning')
  const { run } = first.header
  if (!runName.test(run)) return refuse('its name is not valid')
  const objects = new Map<string, string>()
  for (const name of objectNames(entries)) {
    const content = pack.objects.get(name)
    // Names are hashes of contents, so that an object that was tampered with goes under another name.
    if (content === undefined || sha256(content) !== name) return refuse('an object is missing or damaged')
    objects.set(name, content)
  }
  await store.add(run, lines, objects)
  return run
}

export function readPack(path: string): Uint8Array {
  try {
    const stat = statSync(path)
    if (!stat.isFile()) throw new Error('it is not a regular file')
    if (stat.size > largestPack) throw new Error(`it is larger than ${largestPack} bytes`)
    return readFileSync(path)
  } catch (error) {
    throw new UserError(
      'run-unreadable',
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

export function packRun({ lines, objects }: RunTexts): Uint8Array {
  const pack = { sightlineRun: storeFormat, log: lines, objects: Object.fromEntries(objects) }
  return zstdCompressSync(Buffer.from(JSON.stringify(pack), 'utf8'))
}

/** Nothing in it is checked but its size and its form. Throws `run-unreadable` with words that begin with `what`. */
export function unpackRun(bytes: Uint8Array, what: string): RunTexts {
  const refuse = (why: string): never => {
    throw new UserError('run-unreadable', `${what}: ${why}`)
  }
  const content = parse(bytes)
  if (content === tooMuch) return refuse('it is too large')
  const pack = Pack.safeParse(content)
  if (!pack.success) {
    const other = OtherPack.safeParse(content)
    if (other.success && other.data.sightlineRun !== storeFormat)
      return refuse(otherVersion(other.data.log[0], other.data.sightlineRun))
    return refuse('it is not a run, or it is damaged')
  }
  const { log, objects } = pack.data
  let tokens = 0
  for (const line of log) tokens += countTokens(Buffer.from(line, 'utf8'))
  if (tokens > mostTokens) return refuse('its log is too large')
  return { lines: log, objects: new Map(Object.entries(objects)) }
}

/** Null for what is no JSON. */
function parse(bytes: Uint8Array): unknown {
  try {
    const maxOutputLength = Math.max(smallPack, bytes.length * mostGrowth)
    const text = zstdDecompressSync(bytes, { maxOutputLength })
    if (countTokens(text) <= mostTokens) return JSON.parse(text.toString('utf8'))
  } catch {
    return null
  }
  return tooMuch
}

function refuse(why: string): never {
  throw new UserError('run-unreadable', `the file cannot be imported: ${why}`)
}

const [quote, backslash, comma, bracket, brace] = Buffer.from('"\\,[{')

/**
 * How many values a JSON text would become, without making any of them: a few kilobytes can ask for gigabytes. Commas and
 * opening brackets outside of strings are counted, also in what is no JSON.
 */
export function countTokens(json: Uint8Array): number {
  let count = 0
  let isInString = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (isInString) {
      if (byte === backslash) at++
      else if (byte === quote) isInString = false
    } else if (byte === quote) isInString = true
    else if (byte === comma || byte === bracket || byte === brace) count++
  }
  return count
}
