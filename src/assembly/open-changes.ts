/** Reads, while a change is collected, which other open change requests change the same files, and freezes it in the request. */
import { count } from '../base/count.ts'
import { redactStrings } from '../base/secrets/redact.ts'
import { withinSeconds } from '../base/time-budget.ts'
import { pathOn } from '../domain/change-set.ts'
import type { OpenChange } from '../domain/open-change.ts'
import { placePatch } from '../graph/open-changes.ts'
import type { CollectedChange } from '../hosts/contract.ts'

/** After these it goes on with the change requests that were read; a host that answers nothing is left a little later. */
const seconds = { reading: 4, all: 6 }
const mostFrozen = 100

/** Never throws for a host that refuses: the review then says that they are unknown. */
export async function withOpenChanges(
  change: CollectedChange,
  signal: AbortSignal,
): Promise<CollectedChange> {
  if (!change.openPatches) return change
  const { request } = change
  const fetched = await fetchOpenChanges(change, change.openPatches.bind(change), signal)
  return {
    ...change,
    request: {
      ...request,
      ...(fetched.openChanges ? { openChanges: fetched.openChanges } : {}),
      limits: [...request.limits, ...fetched.limits],
    },
  }
}

async function fetchOpenChanges(
  change: CollectedChange,
  read: NonNullable<CollectedChange['openPatches']>,
  signal: AbortSignal,
): Promise<{ openChanges: OpenChange[] | null; limits: string[] }> {
  try {
    const started = performance.now()
    const isOutOfTime = () => performance.now() - started > seconds.reading * 1000
    const { patches, open } = await withinSeconds(seconds.all, signal, (inner) => read(isOutOfTime, inner))
    const texts = await textsOf(change)
    const openChanges = patches.flatMap((patch) => placePatch(patch, texts) ?? [])
    const left = open - patches.length
    return {
      openChanges: redactStrings(openChanges.slice(0, mostFrozen)),
      limits: left > 0 ? [`${count(left, 'open change request')} not compared with this one`] : [],
    }
  } catch (error) {
    signal.throwIfAborted()
    const why = error instanceof Error ? error.message : String(error)
    return { openChanges: null, limits: [`open change requests could not be read: ${why}`] }
  }
}

/** Of the changed files, by their path at the base; null for one that is new or has no text. */
async function textsOf(change: CollectedChange): Promise<Map<string, string | null>> {
  const { files } = await change.diff()
  const paths = files.map((file) => pathOn('old', file))
  const texts = await change.base.readMany(paths)
  return new Map(paths.map((path) => [path, texts.get(path)?.text ?? null]))
}
