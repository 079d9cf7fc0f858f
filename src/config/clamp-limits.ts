/** A repository sets its own limits, and whoever wrote it may be a stranger: the operator's ceilings hold. */
import type { Config } from './schema.ts'

export type Ceilings = Config['limits']

/** `remarks` names every key that was above its ceiling, with both numbers. */
export function clampLimits(config: Config, ceilings: Ceilings): { config: Config; remarks: string[] } {
  const limits = { ...config.limits }
  const remarks: string[] = []
  for (const key of limitKeys) {
    if (limits[key] <= ceilings[key]) continue
    remarks.push(`limits.${key} of the configuration is ${limits[key]}; this machine allows ${ceilings[key]}`)
    limits[key] = ceilings[key]
  }
  return { config: remarks.length > 0 ? { ...config, limits } : config, remarks }
}

const limitKeys = [
  'changedFiles',
  'fileBytes',
  'treeEntries',
  'contextSeconds',
  'planeSeconds',
  'modelGroups',
  'groupBytes',
  'chainBytes',
] as const satisfies readonly (keyof Ceilings)[]
