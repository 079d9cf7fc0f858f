/** The contract plane: callers, imports, implementers and overrides that a change breaks without updating them. */

import { openWorld } from '../../../code-index/resolve/world.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'
import { crowdedLimits, lookUpLimits } from '../crowded-names.ts'
import type { BrokenUse } from './breakage.ts'
import { candidatesFor } from './candidate.ts'
import { findBrokenUses } from './find-broken-uses.ts'
import {
  basePath,
  exportSubjects,
  moduleSubjects,
  symbolSubjects,
  withoutStillGiven,
} from './find-subjects.ts'
import { lackingImplementers } from './implementers.ts'
import { misfittingOverrides, orphanedOverrides } from './overrides.ts'
import { removedImports } from './removed-imports.ts'
import { fileKinds } from './repo-search.ts'
import { uniqueMembers } from './unique-members.ts'

/** Share of the plane's time for callers; the other searches run, and findings are written, in the rest. */
const timeForCallers = 0.7

export const contractPlane: Plane = {
  name: 'contract',
  description: 'callers, imports and implementers that a changed, renamed or removed symbol missed',
  wrongIf: 'the named use is dead code, or gets what it needs from somewhere else',
  look,
}

async function look(input: PlaneInput): Promise<PlaneReport> {
  const { change } = input.context
  const { isTest } = fileKinds(change, input.config.paths)
  const report = async ({ found, limits }: BrokenUses): Promise<PlaneReport> => ({
    candidates: await candidatesFor(found, change, input.head, isTest),
    limits,
  })
  return await report(await brokenUsesIn(input, async (soFar) => input.keep?.(await report(soFar))))
}

type BrokenUses = { found: BrokenUse[]; limits: string[] }

/**
 * Every broken use, before findings are written; the bench counts these. `onFound` receives what each search has found
 * before the next one begins.
 */
export async function brokenUsesIn(
  input: PlaneInput,
  onFound: (soFar: BrokenUses) => Promise<void> = async () => {},
): Promise<BrokenUses> {
  const { change, symbols } = input.context
  const kinds = fileKinds(change, input.config.paths)
  const touched = symbolSubjects(symbols.filter(({ before }) => !before || !kinds.isForeign(before.path)))
  if (change.files.every(({ language }) => language === null)) return { found: [], limits: [] }
  const modules = await moduleSubjects(change, input.head)

  const [base, head] = await Promise.all([
    openWorld(input.base, input.facts, change.files.map(basePath)),
    openWorld(
      input.head,
      input.facts,
      change.files.map(({ path }) => path),
    ),
  ])
  const changed = await withoutStillGiven(touched, base, head)
  const exports = await exportSubjects(change, base, head)
  const { signal, facts } = input
  const search = {
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
  const unique = await uniqueMembers({ base, head, ...snapshots, isTest: kinds.isTest }, changed)
  const callers = await findBrokenUses(search, { symbols: changed, modules, exports, unique })
  await onFound(callers)
  const lacking = await lackingImplementers(search, symbols)
  const crowded = await crowdedLimits(
    head,
    change.files.map(({ path }) => path),
  )
  const limits = [...callers.limits, ...crowded]
  if (lacking.length > 0) await onFound({ found: [...callers.found, ...lacking], limits })
  const overrides = [
    ...(await orphanedOverrides(search, symbols)),
    ...(await misfittingOverrides(search, symbols)),
  ]
  const unbound = await removedImports(search)
  return {
    found: [...callers.found, ...lacking, ...overrides, ...unbound],
    limits: [...limits, ...lookUpLimits(base, head)],
  }
}
