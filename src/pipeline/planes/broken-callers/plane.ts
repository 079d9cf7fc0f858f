/** Callers, imports, implementers and overrides in the repository that a change left behind. */
import { openWorld } from '../../../code-index/resolve/world.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'
import { candidatesFor } from './candidate.ts'
import { fileKinds } from './file-kinds.ts'
import { basePath, exportSubjects, moduleSubjects } from './file-subjects.ts'
import { findLeftBehind } from './find-left-behind.ts'
import { symbolSubjects } from './symbol-subjects.ts'

export const brokenCallersPlane: Plane = {
  name: 'contract',
  description: 'callers, imports and implementers that a changed, renamed or removed symbol left behind',
  look,
}

async function look(input: PlaneInput): Promise<PlaneReport> {
  const { change, symbols } = input.context
  const kinds = fileKinds(change, input.config.paths)
  const modules = moduleSubjects(change)
  const changed = symbolSubjects(
    symbols.filter(({ before }) => before === null || !kinds.isForeign(before.path)),
  )
  if (modules.size === 0 && changed.size === 0 && change.files.length === 0)
    return { candidates: [], limits: [] }

  const [base, head] = await Promise.all([
    openWorld(input.base, input.facts, change.files.map(basePath)),
    openWorld(
      input.head,
      input.facts,
      change.files.map(({ path }) => path),
    ),
  ])
  const exports = await exportSubjects(change, base, head)
  const scene = { base, head, headSnapshot: input.head, change, kinds, signal: input.signal }
  const { found, limits } = await findLeftBehind(scene, { symbols: changed, modules, exports })
  return { candidates: await candidatesFor(found, change, input.head, kinds.isTest), limits }
}
