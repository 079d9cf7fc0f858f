/** Callers, imports, implementers and overrides in the repository that a change left behind. */
import { openWorld } from '../../../code-index/resolve/world.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'
import { candidatesFor } from './candidate.ts'
import { fileKinds } from './file-kinds.ts'
import { basePath, exportSubjects, moduleSubjects } from './file-subjects.ts'
import { findLeftBehind } from './find-left-behind.ts'
import { lackingImplementers } from './implementers.ts'
import { withoutWrapped } from './macro-items.ts'
import { leftOverrides } from './overrides.ts'
import type { LeftBehind } from './sides.ts'
import { symbolSubjects } from './symbol-subjects.ts'
import { uniqueMembers } from './unique-members.ts'

/** Of the time of the plane; findings are made of the callers, and other looks taken, in the rest. */
const timeForCallers = 0.7

export const brokenCallersPlane: Plane = {
  name: 'contract',
  description: 'callers, imports and implementers that a changed, renamed or removed symbol missed',
  look,
}

async function look(input: PlaneInput): Promise<PlaneReport> {
  const { change } = input.context
  const { isTest } = fileKinds(change, input.config.paths)
  const report = async ({ found, limits }: Places): Promise<PlaneReport> => ({
    candidates: await candidatesFor(found, change, input.head, isTest),
    limits,
  })
  return await report(await leftBehindIn(input, async (places) => input.keep?.(await report(places))))
}

type Places = { found: LeftBehind[]; limits: string[] }

/**
 * Every place, before findings are made of them; the bench counts these. `onFound` hears of those of each look before the
 * next one begins.
 */
export async function leftBehindIn(
  input: PlaneInput,
  onFound: (soFar: Places) => Promise<void> = async () => {},
): Promise<Places> {
  const { change, symbols } = input.context
  const kinds = fileKinds(change, input.config.paths)
  const modules = moduleSubjects(change)
  const touched = symbolSubjects(symbols.filter(({ before }) => !before || !kinds.isForeign(before.path)))
  if (change.files.every(({ language }) => language === null)) return { found: [], limits: [] }

  const [base, head] = await Promise.all([
    openWorld(input.base, input.facts, change.files.map(basePath)),
    openWorld(
      input.head,
      input.facts,
      change.files.map(({ path }) => path),
    ),
  ])
  const changed = await withoutWrapped(touched, head)
  const exports = await exportSubjects(change, base, head)
  const { signal, facts } = input
  const scene = {
    base,
    head,
    headSnapshot: input.head,
    change,
    kinds,
    failures: () => facts.failures,
    endsAt: performance.now() + input.config.limits.planeSeconds * 1000 * timeForCallers,
    signal,
  }
  const snapshots = { baseSnapshot: input.base, headSnapshot: input.head }
  const unique = await uniqueMembers({ base, head, ...snapshots }, changed)
  const callers = await findLeftBehind(scene, { symbols: changed, modules, exports, unique })
  await onFound(callers)
  const lacking = await lackingImplementers(scene, symbols)
  const { limits } = callers
  if (lacking.length > 0) await onFound({ found: [...callers.found, ...lacking], limits })
  const overrides = await leftOverrides(scene, symbols)
  return { found: [...callers.found, ...lacking, ...overrides], limits }
}
