/**
 * The section `repositories`: how far a repository under review is trusted on this machine. A repository sets its own
 * limits, and its author may be a stranger, so the operator's ceilings hold.
 */
import { z } from 'zod'
import type { Config } from '../schema.ts'

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

/** What a key of `limits` may be set to by a repository, unless the operator says otherwise. */
export const defaultCeilings: Config['limits'] = {
  changedFiles: 10_000,
  fileBytes: 4_194_304,
  treeEntries: 2_000_000,
  contextSeconds: 600,
  planeSeconds: 600,
  modelGroups: 200,
  groupBytes: 2_000_000,
  chainBytes: 1_000_000,
}

const ceiling = (key: keyof Config['limits']) => z.int().min(1).default(defaultCeilings[key])

export const RepositorySettings = z.strictObject({
  ceilings: z
    .strictObject({
      changedFiles: ceiling('changedFiles'),
      fileBytes: ceiling('fileBytes'),
      treeEntries: ceiling('treeEntries'),
      contextSeconds: ceiling('contextSeconds'),
      planeSeconds: ceiling('planeSeconds'),
      modelGroups: ceiling('modelGroups'),
      groupBytes: ceiling('groupBytes'),
      chainBytes: ceiling('chainBytes'),
    })
    .prefault({})
    .meta({ description: 'Upper bounds for the `limits` that a repository may set.' }),
  borrowFrom: z.array(z.string().startsWith('/')).default([]).meta({
    description:
      'Absolute paths of folders whose git objects other repositories may use through a `.git` file, `commondir` or alternates.',
  }),
})
export type RepositorySettings = z.infer<typeof RepositorySettings>
