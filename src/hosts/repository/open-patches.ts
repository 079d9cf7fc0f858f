/**
 * What the open change requests of a repository change. A patch belongs to a head, so it is kept in the cache folder and
 * only those of new heads are asked for: of a repository with sixty open ones, each review asks for a few.
 */
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { makeFolder, writeWhole } from '../../base/durable.ts'
import type { ChangeAddress } from '../remote/contract.ts'
import { numberName } from '../remote/facts.ts'
import type { ListedChange, PatchedFile, RepositoryReader } from './contract.ts'

/** `name`: `#12`, `!12`. */
export type OpenPatch = ListedChange & { name: string; files: readonly PatchedFile[] }

export type OpenPatches = {
  /** Newest first. */
  patches: OpenPatch[]
  /** How many are open beside the one that was left out. */
  open: number
}

/** More than these are seldom open and alive; older ones are left out. */
const mostCompared = 60
const atOnce = 4
/** Characters of one patch; a longer one is a sweep, or generated. */
const longestPatch = 100_000
/** Characters of all that is kept for a repository. */
const mostKept = 8_000_000

const Kept = z.object({
  version: z.literal(1),
  heads: z.record(
    z.string(),
    z.array(z.object({ path: z.string(), oldPath: z.string(), patch: z.string().nullable() })),
  ),
})

/**
 * `address`: of the change that is reviewed, which is left out. `file`: where patches are kept; null keeps nothing. When `isOutOfTime`
 * answers true, it ends with those that it has. Throws as `RepositoryReader` does.
 */
export async function readOpenPatches(
  reader: Pick<RepositoryReader, 'listOpen' | 'readPatches'>,
  {
    address: { kind, number: except },
    file,
    isOutOfTime,
  }: { address: ChangeAddress; file: string | null; isOutOfTime: () => boolean },
  signal: AbortSignal,
): Promise<OpenPatches> {
  const open = (await reader.listOpen(signal)).filter(({ number }) => number !== except)
  const compared = open.slice(0, mostCompared)
  const kept = file === null ? new Map<string, PatchedFile[]>() : readKept(file)
  const patches = new Map<string, readonly PatchedFile[]>()
  const missing = compared.filter(({ head }) => !kept.has(head))
  const waiting = [...missing]
  const work = async () => {
    for (let next = waiting.shift(); next && !isOutOfTime(); next = waiting.shift()) {
      const files = await reader.readPatches(next.number, signal)
      patches.set(
        next.head,
        files.map((one) => ({
          ...one,
          patch: one.patch && one.patch.length <= longestPatch ? one.patch : null,
        })),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  for (const { head } of compared) {
    const files = kept.get(head)
    if (files) patches.set(head, files)
  }
  if (file !== null && missing.length > 0) keep(file, patches)
  return {
    patches: compared.flatMap((change) => {
      const files = patches.get(change.head)
      return files ? [{ ...change, name: numberName({ ...change, kind }), files }] : []
    }),
    open: open.length,
  }
}

/** A file that cannot be read is as none: the host is asked. */
function readKept(file: string): Map<string, PatchedFile[]> {
  try {
    return new Map(Object.entries(Kept.parse(JSON.parse(readFileSync(file, 'utf8'))).heads))
  } catch {
    return new Map()
  }
}

/** Only what is open now, so that it does not grow; one that cannot be written costs time and no answer. */
function keep(file: string, patches: ReadonlyMap<string, readonly PatchedFile[]>): void {
  try {
    const text = JSON.stringify({ version: 1, heads: Object.fromEntries(patches) })
    if (text.length > mostKept) return
    makeFolder(dirname(file))
    writeWhole(file, Buffer.from(text), { replace: true })
  } catch {
    // The next review asks again.
  }
}
