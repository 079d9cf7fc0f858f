/** A run as one file: to be mailed, kept, and replayed elsewhere. */
import { readFileSync, statSync } from 'node:fs'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { writeWhole } from '../../base/durable.ts'
import { UserError } from '../../base/errors.ts'
import { storeFormat } from '../contract.ts'
import { countTokens } from './count-tokens.ts'
import { otherVersion } from './other-version.ts'
import { readLines } from './run-log.ts'
import type { RunStore } from './run-store.ts'
import { listRunNames, logPath, objectNames, type StoredRun } from './stored-run.ts'

const largestFile = 512 * 1024 * 1024
/** Texts of a run are stored once, so that nothing honest grows more; a small one may. */
const mostGrowth = 24
const smallPack = 64 * 1024 * 1024
/** Values in it, and values in the lines of its log, which are JSON themselves. */
const mostTokens = 1_000_000

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

/** Throws `run-unreadable` when an object is missing. */
export function exportRun(store: RunStore, run: StoredRun): Uint8Array {
  const objects: Record<string, string> = {}
  for (const name of [...objectNames(run.entries)].sort()) {
    const content = store.objects.get(name)
    if (content === null)
      throw new UserError('run-unreadable', `run ${run.header.run}: an object is missing or damaged`)
    objects[name] = content
  }
  const pack = { sightlineRun: storeFormat, log: run.lines, objects }
  return zstdCompressSync(Buffer.from(JSON.stringify(pack), 'utf8'))
}

/** The name of the run. Importing one that is here already changes nothing. Throws `run-unreadable`. */
export function importRun(store: RunStore, bytes: Uint8Array): string {
  const pack = parse(bytes)
  let tokens = 0
  for (const line of pack.log) tokens += countTokens(Buffer.from(line, 'utf8'))
  if (tokens > mostTokens) return refuse('its log is too large')
  const { entries, lines, damage } = readLines(pack.log)
  if (damage !== null) return refuse(damage)
  const [first] = entries
  if (first?.type !== 'start') return refuse('its log has no beginning')
  const { run } = first.header
  if (!/^\d{8}-\d{6}-[0-9a-f]{6}$/.test(run)) return refuse('its name is not valid')
  for (const name of objectNames(entries)) {
    const content = pack.objects[name]
    // Names are hashes of contents, so that an object that was tampered with goes under another name.
    if (content === undefined || store.objects.put(content) !== name)
      return refuse('an object is missing or damaged')
  }
  if (!listRunNames(store.runs).includes(run))
    writeWhole(logPath(store.runs, run), Buffer.from(lines.map((line) => `${line}\n`).join(''), 'utf8'), {
      replace: false,
    })
  return run
}

export function readPack(path: string): Uint8Array {
  try {
    const stat = statSync(path)
    if (!stat.isFile()) throw new Error('it is not a regular file')
    if (stat.size > largestFile) throw new Error(`it is larger than ${largestFile} bytes`)
    return readFileSync(path)
  } catch (error) {
    throw new UserError(
      'run-unreadable',
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

function parse(bytes: Uint8Array): z.infer<typeof Pack> {
  const content = unpack(bytes)
  const pack = Pack.safeParse(content)
  if (pack.success) return pack.data
  const other = OtherPack.safeParse(content)
  if (other.success && other.data.sightlineRun !== storeFormat)
    return refuse(otherVersion(other.data.log[0], other.data.sightlineRun))
  return refuse('it is not a run, or it is damaged')
}

function unpack(bytes: Uint8Array): unknown {
  try {
    const maxOutputLength = Math.max(smallPack, bytes.length * mostGrowth)
    const text = zstdDecompressSync(bytes, { maxOutputLength })
    if (countTokens(text) <= mostTokens) return JSON.parse(text.toString('utf8'))
  } catch {
    return null
  }
  return refuse('it is too large')
}

function refuse(why: string): never {
  throw new UserError('run-unreadable', `the file cannot be imported: ${why}`)
}
