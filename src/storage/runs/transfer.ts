/** A run as one file: to be mailed, kept, and replayed elsewhere. */
import { readFileSync } from 'node:fs'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { storeFormat } from '../contract.ts'
import { writeWhole } from './durable.ts'
import { readLines } from './run-log.ts'
import type { RunStore } from './run-store.ts'
import { listRunNames, logPath, objectNames, type StoredRun } from './stored-run.ts'

const largestPack = 1024 * 1024 * 1024

const Pack = z.object({
  sightlineRun: z.literal(storeFormat),
  log: z.array(z.string()),
  objects: z.record(z.string(), z.string()),
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
  const { entries, lines, damage } = readLines(pack.log)
  if (damage !== null) return refuse(damage)
  const [first] = entries
  if (first?.type !== 'start') return refuse('its log has no beginning')
  const { run } = first.header
  if (!/^\d{8}-\d{6}-[0-9a-f]{6}$/.test(run)) return refuse('it has no proper name')
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
    return readFileSync(path)
  } catch (error) {
    throw new UserError(
      'run-unreadable',
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

function parse(bytes: Uint8Array): z.infer<typeof Pack> {
  try {
    const text = zstdDecompressSync(bytes, { maxOutputLength: largestPack }).toString('utf8')
    return Pack.parse(JSON.parse(text))
  } catch {
    return refuse('it is no run, or damaged')
  }
}

function refuse(why: string): never {
  throw new UserError('run-unreadable', `the file cannot be imported: ${why}`)
}
